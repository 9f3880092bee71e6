// The table of docs/workspaces.md says what the readers say.
import { expect, test } from 'vitest';
import { READERS } from '../../../daemon/workspace/lockfiles/readers.ts';
import { expectTable } from '../../helpers/doc-table.ts';

test('docs/workspaces.md has the table of what is read', () => {
  expectTable('workspaces.md', 'table', [
    ['package manager', 'ecosystem', 'file', 'what is read'],
    ...READERS.flatMap(({ title, ecosystems, files }) =>
      files.map(({ file, reads }, at) => [
        at === 0 ? title : '',
        at === 0 ? ecosystems.map((word) => `\`${word}\``).join(', ') : '',
        `\`${file}\``,
        reads,
      ]),
    ),
  ]);
});

test('readers have ids of their own and name at least one file', () => {
  expect(new Set(READERS.map(({ id }) => id)).size).toBe(READERS.length);
  for (const { files, ecosystems } of READERS) expect(Math.min(files.length, ecosystems.length)).toBeGreaterThan(0);
});

// The table of docs/workspaces.md says what the readers say.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READERS } from '../../../daemon/workspace/lockfiles/readers.ts';
import { ROOT } from '../../helpers/program.ts';

const FILE = join(ROOT, 'docs', 'workspaces.md');
const PLACE = /(<!-- table: [^\n]*-->\n)[\s\S]*(<!-- end -->)/;

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join('\n');
};

test('docs/workspaces.md has the table of what is read', () => {
  const table = tableOf([
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
  const before = readFileSync(FILE, 'utf8');
  const after = before.replace(PLACE, `$1\n${table}\n\n$2`);
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, after);
  else expect(before).toBe(after);
});

test('readers have ids of their own and name at least one file', () => {
  expect(new Set(READERS.map(({ id }) => id)).size).toBe(READERS.length);
  for (const { files, ecosystems } of READERS) expect(Math.min(files.length, ecosystems.length)).toBeGreaterThan(0);
});

// What the build writes about the libraries in its bundles.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { licencesOf } from '../../scripts/licences.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('licencesOf() names the packages that are bundled, with version and text, and no others', async () => {
  const { metafile } = await build({
    stdin: { contents: "import { z } from 'zod'; z.string().parse('');", resolveDir: root, loader: 'js' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
  });
  const text = licencesOf(root, [metafile]);
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/zod/package.json'), 'utf8'));
  expect(text).toContain(`zod ${version} (MIT)`);
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).not.toMatch(/^fastify /m);
});

test('the build names what each of its bundles holds', () => {
  const text = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['fastify', 'zod', 'ink', 'react', 'commander', '@modelcontextprotocol/client'])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(text).not.toMatch(/^(?:vitest|better-sqlite3) \d/m);
});

// What is loaded at start, read off a real bundle: the rules that keep the command and the daemon's first answer fast.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages that `entry` loads before any `import()` of its own. */
const packagesAtStart = async (entry: string): Promise<string[]> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    mainFields: ['module', 'main'],
    outdir: 'nowhere',
    external: ['react-devtools-core', 'better-sqlite3', 'node:sqlite'],
    jsx: 'automatic',
  });
  const inputs = new Set<string>();
  const visit = (name: string): void => {
    const output = metafile.outputs[name];
    for (const input of Object.keys(output?.inputs ?? {})) inputs.add(input);
    for (const { kind, path, external } of output?.imports ?? [])
      if (kind === 'import-statement' && !external) visit(path);
  };
  const [start] = Object.entries(metafile.outputs).flatMap(([name, { entryPoint }]) =>
    entryPoint === entry ? [name] : [],
  );
  if (start === undefined) throw new Error(`no bundle of ${entry}`);
  visit(start);
  const names = [...inputs].flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  return [...new Set(names)].sort();
};

test('the command loads commander and nothing else at start', async () => {
  expect(await packagesAtStart('tui/main.ts')).toEqual(['commander']);
});

test.each([
  'daemon/api/server.ts',
  'daemon/api/upgrade.ts',
  'daemon/api/events.ts',
  'daemon/api/handlers.ts',
  'daemon/api/memory.ts',
])('%s loads no package at start', async (entry) => {
  expect(await packagesAtStart(entry)).toEqual([]);
});

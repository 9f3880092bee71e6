// Bundles: the launcher with the shim in it (one CommonJS file), the terminal program, the daemon, the sandbox worker.
import { chmod, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { jsonSchema } from '../schema/config/published.ts';
import { licencesOf } from './licences.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outdir = join(root, 'dist');

const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none', // the licences stand in a file of their own
  metafile: true,
  logLevel: 'warning',
  // Its `main` is UMD, whose inner requires no bundler can follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
};

// The launcher: with first word `shim` it is the shim and loads nothing else; any other word imports the terminal program.
const launcher = `
if (process.argv[2] === 'shim') require('./shim/main.ts').main();
else import('./cli.js');
`;

await rm(outdir, { recursive: true, force: true });
const built = await Promise.all([
  build({
    ...shared,
    stdin: { contents: launcher, resolveDir: root, sourcefile: 'launcher.js', loader: 'js' },
    format: 'cjs',
    external: ['./cli.js'],
    banner: { js: '#!/usr/bin/env node' },
    outfile: join(outdir, 'metad.cjs'),
  }),
  build({
    ...shared,
    entryPoints: {
      cli: 'tui/main.ts',
      daemon: 'daemon/main.ts',
      worker: 'daemon/sandbox/worker/worker.ts',
      survey: 'daemon/workspace/survey/worker.ts',
    },
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['better-sqlite3', 'node:sqlite', '@jitl/quickjs-wasmfile-release-sync', 'react-devtools-core'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import { createRequire as metadRequire } from 'node:module'; const require = metadRequire(import.meta.url);",
    },
    outdir,
  }),
]);
await chmod(join(outdir, 'metad.cjs'), 0o755);
await writeFile(join(outdir, 'config.schema.json'), `${JSON.stringify(jsonSchema(), null, 2)}\n`);
const metafiles = built.flatMap(({ metafile }) => metafile ?? []);
await writeFile(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licencesOf(root, metafiles));

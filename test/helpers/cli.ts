// The command as people run it: bundled as the build does, with the fake daemon beside it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli extends AsyncDisposable {
  readonly folder: string;
  readonly file: string;
  run(args: readonly string[], options?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv }): Promise<Ran>;
}

/** Without what a developer's shell or CI may carry in. */
export const plainEnvironment = (): NodeJS.ProcessEnv => {
  const { CI: _ci, METAD_HOME: _home, NO_COLOR: _plain, FORCE_COLOR: _color, ...rest } = process.env;
  return rest;
};

export const buildCli = async (): Promise<Cli> => {
  const folder = await mkdtemp(join(tmpdir(), 'metad-cli-'));
  await build({
    absWorkingDir: root,
    entryPoints: { cli: 'tui/main.ts', daemon: 'test/helpers/control-daemon-program.ts' },
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    target: 'node20.19',
    format: 'esm',
    splitting: true,
    minify: true,
    outdir: folder,
    external: ['react-devtools-core'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import { createRequire as metadRequire } from 'node:module'; const require = metadRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const file = join(folder, 'cli.js');
  return {
    folder,
    file,
    run: async (args, { input, env = plainEnvironment() } = {}) => {
      const child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin.on('error', () => {});
      child.stdin.end(input ?? '');
      const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
      return { code, stdout, stderr };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};

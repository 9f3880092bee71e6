// The built program, run as a person or an agent runs it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const PROGRAM = join(ROOT, 'dist', 'metad.cjs');

/** The path of the built `metad`. @throws Error that says how to get it. */
export const programPath = (): string => {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run \`npm run build\` first (scripts/test does).`);
  return PROGRAM;
};

/** An environment as small as Codex gives it: nothing that a developer's shell happens to hold. */
export const plainEnvironment = (extra: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: process.env['HOME'] ?? '/',
  LANG: 'C.UTF-8',
  ...extra,
});

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Another built `metad` than that of this checkout. */
  readonly program?: string;
  /** Runs as that user; for tests that run as root. */
  readonly uid?: number;
  /** Milliseconds after which it is killed; the result's `signal` then says SIGKILL. */
  readonly timeout?: number;
}

export interface RunResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `metad ARGS…` and leaves the streams to the caller. */
export const spawnMetad = (
  args: readonly string[],
  { env = {}, cwd, uid, program = programPath() }: Omit<RunOptions, 'input' | 'timeout'> = {},
): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, [program, ...args], {
    env: plainEnvironment(env),
    cwd,
    stdio: 'pipe',
    ...(uid !== undefined && { uid, gid: uid }),
  });

/** Runs `metad ARGS…` to its end. */
export const runMetad = async (args: readonly string[], options: RunOptions = {}): Promise<RunResult> => {
  const child = spawnMetad(args, options);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => {}); // it may end without reading
  child.stdin.end(options.input ?? '');
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeout ?? 30_000);
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...ended) => resolve(ended));
    });
    return { code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
  } finally {
    clearTimeout(timer);
  }
};

const resolve = createRequire(import.meta.url).resolve;

/** How to start a published server of the MCP project, installed as a development dependency. */
export const publishedServer = (
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  ...args: readonly string[]
): { command: string; args: string[] } => {
  const manifest = resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist', 'index.js'), ...args] };
};

/** How to start a fixture server of test/servers. */
export const fixtureServer = (file: string, ...args: readonly string[]): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [join(ROOT, 'test', 'servers', file), ...args],
});

// The built shim as an agent spawns it: a temp home, a real process, its lines as messages.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Message } from './fake-daemon.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Built {
  readonly folder: string;
  readonly launcher: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Builds the launcher as scripts/build.ts does, with the stand-in beside it as `daemon.js`. */
export const buildShim = async (): Promise<Built> => {
  const folder = await mkdtemp(join(tmpdir(), 'metad-shim-'));
  const launcher = join(folder, 'metad.cjs');
  const shared = {
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  } as const;
  await Promise.all([
    build({
      ...shared,
      minify: true,
      stdin: {
        contents: `if (process.argv[2] === 'shim') require('./shim/main.ts').main(); else import('./cli.js');`,
        resolveDir: ROOT,
        loader: 'js',
      },
      format: 'cjs',
      external: ['./cli.js'],
      outfile: launcher,
    }),
    build({
      ...shared,
      entryPoints: ['test/helpers/stand-in-daemon.ts'],
      format: 'esm',
      define: { ROOT: JSON.stringify(ROOT) },
      outfile: join(folder, 'daemon.js'),
    }),
    writeFile(join(folder, 'package.json'), '{"type":"module"}'),
  ]);
  await chmod(launcher, 0o755);
  return { folder, launcher, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
};

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

export interface Home {
  readonly path: string;
  /** What the stand-in daemons of this home wrote when they started. */
  starts(): Promise<{ pid: number; env: Record<string, string>; cwd: string; argv: string[] }[]>;
  /** Ends every stand-in daemon, then removes the folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A throw-away METAD_HOME. */
export const tempHome = async (deep = ''): Promise<Home> => {
  const top = await mkdtemp(join(tmpdir(), 'metad-home-'));
  const path = join(top, deep);
  const starts: Home['starts'] = async () => {
    const text = await readFile(join(path, 'starts'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  return {
    path,
    starts,
    [Symbol.asyncDispose]: async () => {
      for (const { pid } of await starts()) {
        if (!isGone(pid)) process.kill(pid, 'SIGKILL');
        await until(() => isGone(pid), 'the stand-in daemon is gone');
      }
      await rm(top, { recursive: true, force: true });
    },
  };
};

/** Polls until `holds`; the bound is generous, for busy machines. */
export const until = async (
  holds: () => boolean | Promise<boolean>,
  what: string,
  milliseconds = 45_000,
): Promise<void> => {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

export interface ShimProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All messages the agent got so far. */
  readonly messages: Message[];
  /** stdout as it came. */
  text(): string;
  stderr(): string;
  send(...messages: Message[]): void;
  write(bytes: string | Buffer): void;
  /** Sends a request and waits for its answer. */
  ask(message: Message & { id: string | number; method: string }): Promise<Message>;
  answerTo(id: string | number): Promise<Message>;
  /** The first message, from now or before, for which this holds. */
  find(holds: (message: Message) => boolean, what?: string): Promise<Message>;
  /** Legacy opening: initialize, then the initialized notification. */
  open(): Promise<Message>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null; at: number }>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ShimOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Stdout is left unread until `child.stdout.resume()`. */
  readonly unread?: boolean;
}

export const spawnShim = ({ launcher }: Built, home: string, options: ShimOptions = {}): ShimProcess => {
  const child = spawn(process.execPath, [launcher, 'shim', ...(options.args ?? [])], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', METAD_HOME: home, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const messages: Message[] = [];
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let line = ''; // grows as a rope: looking for a newline in it again and again would be quadratic
  let stderr = '';
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  if (options.unread !== true) {
    child.stdout.on('data', (chunk: Buffer) => {
      const text = decoder.decode(chunk, { stream: true });
      texts.push(text);
      const [first = '', ...more] = text.split('\n');
      line += first;
      for (const next of more) {
        messages.push(JSON.parse(line));
        line = next;
      }
    });
  }
  const exited: ShimProcess['exited'] = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal, at: performance.now() }));
  });
  const send: ShimProcess['send'] = (...list) => {
    child.stdin.write(list.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  };
  const find: ShimProcess['find'] = async (holds, what = 'the message came') => {
    await until(() => messages.some(holds) || child.exitCode !== null, what);
    const found = messages.find(holds);
    if (found === undefined) throw new Error(`The shim ended before ${what}: ${stderr}`);
    return found;
  };
  const answerTo: ShimProcess['answerTo'] = (id) =>
    find((message) => message.id === id && message.method === undefined, `request ${id} was answered`);
  const ask: ShimProcess['ask'] = (message) => {
    send(message);
    return answerTo(message.id);
  };
  return {
    child,
    pid: child.pid ?? 0,
    messages,
    text: () => texts.join(''),
    stderr: () => stderr,
    send,
    write: (bytes) => void child.stdin.write(bytes),
    ask,
    answerTo,
    find,
    open: async () => {
      const answer = await ask({
        id: 'open',
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      });
      send({ method: 'notifications/initialized' });
      return answer;
    },
    exited,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
};

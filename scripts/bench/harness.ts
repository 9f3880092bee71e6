// What all measurements share: rows, medians, interleaved runs, and a bare JSON-RPC client over a child's pipes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { plainEnvironment, programPath } from '../../test/helpers/program.ts';

/** One line of the table. A ratio is measured beside its base in the same run; numbers without one are only printed. */
export interface Row {
  /** As in the list of bounds, see bounds.ts. */
  readonly id: string;
  readonly what: string;
  /** `ms`, `calls/s`, `processes`, `MB`, `tokens`, … */
  readonly unit: string;
  readonly value: number | null;
  /** What it is compared with, in the same unit. */
  readonly base?: number;
  readonly baseName?: string;
  readonly note?: string;
}

/** What one row cannot say: the same few numbers of many things. Printed after the rows. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  /** Cells in the order of `head`; numbers stand to the right. */
  readonly rows: readonly (readonly (string | number)[])[];
}

export interface Measured {
  readonly rows: readonly Row[];
  readonly tables: readonly Table[];
}

/** Gives its rows, and its tables where it has any. */
export type Measure = (say: (text: string) => void) => Promise<readonly Row[] | Measured>;

/** The value below which this share of the sample lies; the sample must not be empty. */
export const quantile = (sample: readonly number[], share: number): number => {
  const sorted = [...sample].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('a quantile of nothing');
  return value;
};

export const median = (sample: readonly number[]): number => quantile(sample, 0.5);

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const before = performance.now();
  await work();
  return performance.now() - before;
};

/** What any start of a Node program costs, in milliseconds. */
export const bareNode = (): Promise<number> =>
  timed(async () => once(spawn(process.execPath, ['-e', '0'], { env: plainEnvironment(), stdio: 'ignore' }), 'exit'));

/** Runs each kind of work once per round, in turns, so that a busy moment meets all of them; gives milliseconds. */
export const interleaved = async <Name extends string>(
  rounds: number,
  kinds: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(kinds) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    // Each kind goes first equally often.
    const at = round % names.length;
    for (const name of [...names.slice(at), ...names.slice(0, at)]) samples[name].push(await kinds[name]());
  }
  return samples;
};

/** The smallest JSON-RPC client there is: a line out, a line in. */
export interface LineClient extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  request(method: string, params?: object): Promise<{ [key: string]: unknown }>;
  notify(method: string): void;
  /** `initialize` and the notification after it. */
  open(): Promise<{ [key: string]: unknown }>;
  call(tool: string, args: object): Promise<{ [key: string]: unknown }>;
}

export const lineClient = (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): LineClient => {
  const child = spawn(command, args, { env: plainEnvironment(env), stdio: 'pipe', cwd });
  const waiting = new Map<
    number,
    { resolve: (value: { [key: string]: unknown }) => void; reject: (e: Error) => void }
  >();
  let parts: string[] = [];
  let errors = '';
  let ids = 0;
  const take = (line: string) => {
    const { id, result, error } = JSON.parse(line);
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(JSON.stringify(error)));
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      take(parts.join('') + chunk.slice(start, end));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.slice(start));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4_000);
  });
  child.stdin.on('error', () => {}); // told by 'close'
  child.once('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`));
    waiting.clear();
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client: LineClient = {
    child,
    pid: child.pid ?? 0,
    request: (method, params = {}) =>
      new Promise((resolve, reject) => {
        ids += 1;
        waiting.set(ids, { resolve, reject });
        send({ id: ids, method, params });
      }),
    notify: (method) => void send({ method }),
    async open() {
      const opened = await client.request('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1.0.0' },
      });
      client.notify('notifications/initialized');
      return opened;
    },
    call: async (name, args) => {
      const result = await client.request('tools/call', { name, arguments: args });
      if (result['isError']) throw new Error(`${name} failed: ${JSON.stringify(result['content'])}`);
      return result;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await once(child, 'exit');
      clearTimeout(timer);
    },
  };
  return client;
};

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** How to start the bench's own server, which does next to nothing: what is left is the way to it. */
export const benchServer = (...args: string[]) => ({
  command: process.execPath,
  args: [here('./server.mjs'), ...args],
});

interface Command {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** How an agent starts metad's shim. */
export const shimCommand = (home: string, workspace?: string) => ({
  command: process.execPath,
  args: [programPath(), 'shim', ...(workspace === undefined ? [] : ['--workspace', workspace])],
  env: plainEnvironment({ METAD_HOME: home }),
  cwd: home,
});

/** An agent with metad's shim, as bare as can be. */
export const shimClient = (home: string, workspace?: string): LineClient => {
  const { command, args, env, cwd } = shimCommand(home, workspace);
  return lineClient(command, args, env, cwd);
};

/** The bare relay: the same hops as through metad, and nothing done on the way. Every agent is a new `shim` of it. */
export const startRelay = async (folder: string): Promise<{ readonly command: Command } & AsyncDisposable> => {
  const socket = join(folder, 'relay.sock');
  const { command, args } = benchServer();
  const daemon = lineClient(process.execPath, [here('./relay.mjs'), 'daemon', socket, command, ...args]);
  await once(daemon.child.stderr, 'data'); // it says that it listens
  return {
    command: { command: process.execPath, args: [here('./relay.mjs'), 'shim', socket] },
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
};

/** An agent as they are: the SDK's client over the SDK's transport. */
export const sdkAgent = async (command: Command) => {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
  return {
    async call(name: string, args: Record<string, unknown>): Promise<{ [key: string]: unknown }> {
      const result = await client.callTool({ name, arguments: args });
      if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
      return { ...result };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
};

export const textIn = (result: { [key: string]: unknown }): string => {
  const [part] = Array.isArray(result['content']) ? result['content'] : [];
  return String(part?.text);
};

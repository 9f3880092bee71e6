// An agent without manners: JSON-RPC lines written to the real shim by hand, and every byte that comes back.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { isAlive, until, untilGone } from './processes.ts';
import { programPath, spawnMetad } from './program.ts';

export interface RawMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawAgent extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly pid: number;
  /** Everything that came in, in order. */
  readonly received: readonly RawMessage[];
  /** Lines of stdout that were no JSON. */
  readonly garbage: readonly string[];
  stderr(): string;
  /** Bytes of stdout so far. */
  bytes(): number;
  send(message: object): void;
  /** Sends a request under `id` and waits for the first message with exactly that id (type included) after it. */
  request(id: string | number, method: string, params?: object, milliseconds?: number): Promise<RawMessage>;
  /** Waits for the `count`th answer under `id`. */
  answer(id: string | number, count?: number, milliseconds?: number): Promise<RawMessage>;
  /** `initialize` under id 0 and the notification after it; gives the result. */
  open(capabilities?: object): Promise<RawMessage>;
  call(id: string | number, tool: string, args: object, milliseconds?: number): Promise<RawMessage>;
  exited(): Promise<number | null>;
}

export interface RawAgentOptions {
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another built `metad` than that of this checkout. */
  readonly program?: string;
}

/** Spawns the shim; says nothing yet. Disposing ends its stdin and waits for it to be gone. */
export const rawAgent = ({
  home,
  args = [],
  env = {},
  cwd = home,
  program = programPath(),
}: RawAgentOptions): RawAgent => {
  const child = spawnMetad(['shim', ...args], { cwd, env: { METAD_HOME: home, ...env }, program });
  const received: RawMessage[] = [];
  const garbage: string[] = [];
  let rest = '';
  let bytes = 0;
  let errors = '';
  let ended: number | null | undefined;
  const decoder = new TextDecoder();
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        received.push(JSON.parse(line));
      } catch {
        garbage.push(line);
      }
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {}); // the shim may end first
  child.once('exit', (code) => {
    ended = code;
  });
  const pid = child.pid ?? 0;
  // A reply has an id and no method: the daemon's own requests may use the same numbers.
  const answers = (id: string | number) => received.filter((message) => message.id === id && !('method' in message));

  const agent: RawAgent = {
    child,
    pid,
    received,
    garbage,
    stderr: () => errors,
    bytes: () => bytes,
    send: (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    async answer(id, count = 1, milliseconds = 30_000) {
      return until(
        `answer ${count} to ${JSON.stringify(id)} (stderr: ${errors})`,
        milliseconds,
        () => answers(id)[count - 1],
      );
    },
    async request(id, method, params = {}, milliseconds) {
      const before = answers(id).length;
      agent.send({ id, method, params });
      return agent.answer(id, before + 1, milliseconds);
    },
    async open(capabilities = {}) {
      const opened = await agent.request(0, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities,
        clientInfo: { name: 'raw-agent', version: '1.0.0' },
      });
      agent.send({ method: 'notifications/initialized' });
      return opened;
    },
    call: (id, tool, args, milliseconds) =>
      agent.request(id, 'tools/call', { name: tool, arguments: args }, milliseconds),
    async exited() {
      if (ended === undefined) await once(child, 'exit');
      return ended ?? null;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await untilGone([pid], 5_000).catch((error: unknown) => {
        if (isAlive(pid)) child.kill('SIGKILL');
        throw error;
      });
    },
  };
  return agent;
};

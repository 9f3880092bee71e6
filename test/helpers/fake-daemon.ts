// A daemon as the shim sees one: a real node:http server on a real Unix socket, with scripted answers.
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pathsOf } from '../../schema/paths.ts';
import type { Hello } from '../../schema/wire.ts';

/** JSON of a test's own making, as loosely typed as JSON.parse gives it. */
type Loose = ReturnType<typeof JSON.parse>;

export type Message = {
  readonly jsonrpc?: string;
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Loose;
  readonly result?: Loose;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

export interface FakeSession {
  readonly hello: Hello;
  /** Every message that came, in order, and the bytes that carried them. */
  readonly received: Message[];
  readonly text: () => string;
  readonly socket: Duplex;
  send(message: Message): void;
  readonly closed: boolean;
}

export type Respond = (message: Message, session: FakeSession) => Message | undefined;

export interface FakeDaemonOptions {
  /** Answers instead of, or by returning undefined leaves it to, the default script. */
  readonly respond?: Respond;
  /** Instead of 101: this status and error. */
  readonly refuse?: (hello: Hello) => { status: number; code: string; message: string } | undefined;
  readonly protocolVersion?: string;
}

export interface FakeDaemon {
  readonly sessions: FakeSession[];
  readonly socketPath: string;
  /** The end of a process as its peers see it: every connection is cut, nobody listens. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What a well-behaved MCP server says; `hang` is never answered, `size` gives that many characters. */
export const script =
  (protocolVersion: string): Respond =>
  ({ id, method, params }) => {
    if (id === undefined || method === undefined) return undefined;
    const ok = (result: object): Message => ({ jsonrpc: '2.0', id, result });
    if (method === 'initialize')
      return ok({
        protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'fake', version: '1' },
      });
    if (method === 'server/discover')
      return ok({ supportedVersions: [protocolVersion], capabilities: { tools: { listChanged: true } } });
    if (method === 'tools/list') return ok({ tools: [] });
    if (method === 'ping') return ok({});
    if (method === 'subscriptions/listen') {
      return {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: params?.notifications, _meta: { [SUBSCRIPTION]: id } },
      };
    }
    if (method === 'tools/call') {
      if (params?.name === 'hang') return undefined;
      const text =
        params?.name === 'size' ? 'x'.repeat(params.arguments.size) : JSON.stringify(params?.arguments ?? null);
      return ok({ content: [{ type: 'text', text }] });
    }
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `no ${method}` } };
  };

const helloIn = (request: IncomingMessage, head: Buffer, socket: Duplex): Promise<{ hello: Hello; rest: Buffer }> => {
  const length = Number(request.headers['content-length']);
  let bytes = head;
  return new Promise((resolve) => {
    const look = () => {
      if (bytes.length < length) return;
      socket.off('data', more);
      resolve({ hello: JSON.parse(bytes.subarray(0, length).toString()), rest: bytes.subarray(length) });
    };
    const more = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    };
    socket.on('data', more);
    look();
  });
};

/** Listens where the daemon of `home` would. Messages are answered by `respond`, else by `script`. */
export const startFakeDaemon = async (home: string, options: FakeDaemonOptions = {}): Promise<FakeDaemon> => {
  const paths = pathsOf({ home: '', uid: process.getuid?.() ?? -1, override: home });
  const standard = script(options.protocolVersion ?? '2025-11-25');
  const sessions: FakeSession[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('upgrade', async (request, socket, head) => {
    const { hello, rest } = await helloIn(request, head, socket);
    const refusal = options.refuse?.(hello);
    if (refusal !== undefined) {
      const body = JSON.stringify({ error: { code: refusal.code, message: refusal.message } });
      socket.end(`HTTP/1.1 ${refusal.status} No\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return;
    }
    const chunks: string[] = [];
    let pending: Buffer[] = [];
    const session = {
      hello,
      received: [] as Message[],
      text: () => chunks.join(''),
      socket,
      closed: false,
      send: (message: Message) => void socket.write(`${JSON.stringify(message)}\n`),
    };
    sessions.push(session);
    // node:http leaves a half-closed socket open: whoever upgrades must end it.
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      session.closed = true;
    });
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: metad\r\n\r\n');
    const read = (chunk: Buffer) => {
      pending.push(chunk);
      if (!chunk.includes(10)) return;
      const bytes = Buffer.concat(pending);
      const cut = bytes.lastIndexOf(10);
      pending = [bytes.subarray(cut + 1)];
      for (const line of bytes.toString('utf8', 0, cut).split('\n')) {
        chunks.push(`${line}\n`);
        let message: Message;
        try {
          message = JSON.parse(line);
        } catch {
          continue;
        }
        session.received.push(message);
        const own = options.respond?.(message, session);
        const answer = own ?? standard(message, session);
        if (answer !== undefined && answer.jsonrpc !== undefined) session.send(answer);
      }
    };
    socket.on('data', read);
    if (rest.length > 0) read(rest);
  });
  mkdirSync(paths.socketFolder, { recursive: true, mode: 0o700 });
  rmSync(paths.socket, { force: true });
  await new Promise<void>((resolve) => server.listen(paths.socket, resolve));
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { sessions, socketPath: paths.socket, stop, [Symbol.asyncDispose]: stop };
};

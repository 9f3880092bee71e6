import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HELLO_LIMIT } from '../../../daemon/api/upgrade.ts';
import type { Hello } from '../../../schema/wire.ts';
import { type FakeDaemon, startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
let open: Socket[] = [];
let onSession: (hello: Hello, socket: Duplex) => void = () => {};

beforeEach(async () => {
  home = await tempHome();
  // Never ready: sessions must not wait for the control API.
  daemon = await startFakeDaemon({
    home: home.home,
    ready: new Promise(() => {}),
    helloTimeoutMs: 300,
    onSession: (hello, socket) => onSession(hello, socket),
  });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open = [];
  onSession = () => {};
  await daemon.close();
  await home[Symbol.asyncDispose]();
});

const hello = (change: Record<string, unknown> = {}) => ({
  protocol: 1,
  version: '0.1.0',
  pid: 7,
  cwd: '/w',
  environment: { SSH_AUTH_SOCK: '/a', SECRET: 's' },
  ...change,
});

const requestOf = (body: string, headers: Record<string, string | number | undefined> = {}, path = '/session') => {
  const all = {
    Host: 'metad',
    Connection: 'Upgrade',
    Upgrade: 'metad',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\r\n`]));
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

const dial = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = createConnection(daemon.paths.socket, () => resolve(socket));
    socket.on('error', () => {});
    open.push(socket);
  });

/** Everything the daemon says until it ends the connection, as status, headers and error. */
const refusalOf = async (socket: Socket) => {
  const reply = await text(socket);
  const [head = '', body = ''] = reply.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    head,
    body: JSON.parse(body) as { error: { code: string; message: string } },
  };
};

const refused = async (request: string) => {
  const socket = await dial();
  socket.write(request);
  return refusalOf(socket);
};

test('createUpgrade() answers 101 with version and protocol, and hands the hello over', async () => {
  const socket = await dial();
  socket.write(requestOf(JSON.stringify(hello({ surface: 'code', agent: 'x', resumed: true, callTool: false }))));
  const [reply] = await new Promise<[Buffer]>((resolve) => socket.once('data', (data) => resolve([data])));
  expect(reply.toString()).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
  expect(reply.toString()).toContain('metad-version: 0.1.0\r\nmetad-protocol: 1\r\n\r\n');
  expect(daemon.sessions.map((session) => session.hello)).toEqual([
    {
      ...{ protocol: 1, version: '0.1.0', pid: 7, cwd: '/w', environment: { SSH_AUTH_SOCK: '/a' } },
      ...{ surface: 'code', agent: 'x', resumed: true, callTool: false },
    },
  ]);
});

/** The ways in which a session may take its bytes; each must find them all. */
const readers: Record<string, (socket: Duplex, hear: (text: string) => void) => void> = {
  data: (socket, hear) => void socket.on('data', (chunk) => hear(String(chunk))),
  'data, a turn later': (socket, hear) => void setImmediate(() => socket.on('data', (chunk) => hear(String(chunk)))),
  readable: (socket, hear) =>
    void socket.on('readable', () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) hear(String(chunk));
    }),
  readline: (socket, hear) => void createInterface({ input: socket }).on('line', (line) => hear(`${line}\n`)),
  iterator: (socket, hear) => {
    const read = async () => {
      for await (const chunk of socket) hear(String(chunk));
    };
    read().catch(() => {}); // the test ends it by destroying the socket
  },
};

test.each(Object.keys(readers))('createUpgrade() loses no byte after the hello, read by %s', async (way) => {
  const heard: string[] = [];
  onSession = (_hello, socket) => readers[way]?.(socket, (said) => heard.push(said));
  const socket = await dial();
  socket.write(`${requestOf(JSON.stringify(hello()))}{"id":1}\n{"id":`);
  socket.once('data', () => socket.write('2}\n'));
  await eventually(() => expect(heard.join('')).toBe('{"id":1}\n{"id":2}\n'));
});

test('createUpgrade() reads a hello that comes byte by byte', async () => {
  const heard: string[] = [];
  onSession = (_hello, socket) => void socket.on('data', (chunk) => heard.push(String(chunk)));
  const socket = await dial();
  const bytes = Buffer.from(`${requestOf(JSON.stringify(hello({ workspace: '/ä/🧪' })))}rest\n`);
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(heard.join('')).toBe('rest\n'));
  expect(daemon.sessions[0]?.hello.workspace).toBe('/ä/🧪');
});

test('createUpgrade() takes a hello of half a megabyte', async () => {
  const socket = await dial();
  socket.write(requestOf(JSON.stringify(hello({ environment: { NO_PROXY: 'x'.repeat(500_000) } }))));
  await eventually(() => expect(daemon.sessions).toHaveLength(1));
});

test.each([
  [
    'a later protocol, whose daemon follows',
    hello({ protocol: 9, version: '7.0.0', cwd: undefined }),
    503,
    'unavailable',
    /7\.0\.0 \(protocol 9\).*0\.1\.0 \(protocol 1\).*takes over/,
  ],
  [
    'an earlier protocol',
    hello({ protocol: 0, version: '0.0.1', cwd: undefined }),
    501,
    'unsupported',
    /0\.0\.1 \(protocol 0\).*Restart the agent/,
  ],
  ['an unknown surface', hello({ surface: 'cod' }), 501, 'unsupported', /"cod" is unknown; there is `code`/],
  ['a surface to come', hello({ surface: 'tree' }), 501, 'unsupported', /"tree" does not exist yet.*`code`/],
  ['a field of another type', hello({ pid: 'seven' }), 400, 'bad-request', /`pid`/],
  ['a field that is missing', hello({ cwd: undefined }), 400, 'bad-request', /`cwd`/],
  ['an environment that is none', hello({ environment: [] }), 400, 'bad-request', /`environment`/],
  ['what is no object', [1], 400, 'bad-request', /object/],
] as const)('createUpgrade() refuses %s', async (_name, body, status, code, message) => {
  const reply = await refused(requestOf(JSON.stringify(body)));
  expect(reply).toMatchObject({ status, body: { error: { code, message: expect.stringMatching(message) } } });
  expect(reply.head).toContain('metad-version: 0.1.0');
  expect(daemon.sessions).toEqual([]);
});

test.each([
  ['a hello that is no JSON', requestOf('{'), 400, /no JSON/],
  ['a hello without length', requestOf('', { 'Content-Length': undefined }), 400, /Content-Length/],
  ['a length over the limit', requestOf('', { 'Content-Length': HELLO_LIMIT + 1 }), 413, /limit/],
  ['another path', requestOf('{}', {}, '/control/status'), 404, /upgrade/],
  ['another protocol to upgrade to', requestOf('{}', { Upgrade: 'websocket' }), 400, /`metad`/],
  ['a web page', requestOf('{}', { Origin: 'http://evil.example' }), 403, /Origin/],
  ['another host', requestOf('{}', { Host: 'evil.example' }), 403, /evil/],
] as const)('createUpgrade() refuses %s', async (_name, request, status, message) => {
  expect(await refused(request)).toMatchObject({
    status,
    body: { error: { message: expect.stringMatching(message) } },
  });
});

test('createUpgrade() still gets its reply to a peer that goes on writing', async () => {
  const socket = await dial();
  socket.write(requestOf('x'.repeat(HELLO_LIMIT + 1)));
  expect((await refusalOf(socket)).status).toBe(413);
});

test('createUpgrade() gives up on a peer that stays silent', async () => {
  const silent = await dial();
  silent.write(requestOf('', { 'Content-Length': 10 }));
  const slow = await dial();
  slow.write(requestOf('{"proto', { 'Content-Length': 100 }));
  for (const socket of [silent, slow])
    expect(await refusalOf(socket)).toMatchObject({ status: 408, body: { error: { code: 'timeout' } } });
});

test('createUpgrade() survives peers that leave at any point', async () => {
  const whole = requestOf(JSON.stringify(hello()));
  for (const cut of [0, 10, whole.length - 5, whole.length]) {
    const gone = await dial();
    gone.write(whole.slice(0, cut), () => gone.destroy());
    const half = await dial();
    half.end(whole.slice(0, cut));
  }
  const socket = await dial();
  socket.write(whole);
  await new Promise((resolve) => socket.once('data', resolve));
  expect(daemon.sessions.at(-1)?.hello.pid).toBe(7);
});

test('createUpgrade() hands over a socket whose errors end nothing', async () => {
  const socket = await dial();
  socket.write(requestOf(JSON.stringify(hello())));
  await eventually(() => expect(daemon.sessions).toHaveLength(1));
  daemon.sessions[0]?.socket.destroy(new Error('reset'));
  await eventually(() => expect(JSON.stringify(daemon.logged)).toContain('reset'));
});

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BODY_LIMIT } from '../../../daemon/api/routes.ts';
import { MetadError } from '../../../schema/errors.ts';
import { type FakeDaemon, startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
beforeAll(async () => {
  home = await tempHome();
  daemon = await startFakeDaemon({ home: home.home });
});
afterAll(async () => {
  await daemon.close();
  await home[Symbol.asyncDispose]();
});

interface Ask {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly socketPath?: string;
}

const ask = async ({ path, method = 'POST', body, headers, socketPath = daemon.paths.socket }: Ask) => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = httpRequest({ socketPath, path, method, agent: false, headers: { ...type, ...headers } }, resolve);
    request.once('error', reject);
    request.end(body);
  });
  const raw = await text(response);
  const parsed: unknown = raw === '' ? undefined : JSON.parse(raw);
  return { status: response.statusCode, headers: response.headers, body: parsed };
};

const refusal = (code: string, message: RegExp | string) => ({
  error: { code, message: expect.stringMatching(message) },
});

test('createServer() puts version and protocol on every reply', async () => {
  for (const path of ['/control/status', '/control/nope', '/nowhere', '/control/%ff'])
    expect((await ask({ path, body: '{}' })).headers).toMatchObject({
      'metad-version': '0.1.0',
      'metad-protocol': '1',
    });
});

test('createServer() answers a method with its result', async () => {
  const { status, body } = await ask({ path: '/control/server.restart', body: '{"server":"files"}' });
  expect([status, body]).toEqual([200, { result: { stopped: 1 } }]);
});

test('createServer() takes no body as no parameters', async () => {
  expect((await ask({ path: '/control/status' })).status).toBe(200);
});

test.each([
  ['a path that is not there', { path: '/nowhere' }, 404, 'not-found', /POST \/nowhere/],
  ['a method that is not there', { path: '/control/stauts' }, 404, 'not-found', /"stauts"; there is status, tools/],
  ['another verb', { path: '/control/status', method: 'GET' }, 405, 'bad-request', /takes POST, not GET/],
  ['a POST on the events', { path: '/events' }, 405, 'bad-request', /takes GET, not POST/],
  ['a HEAD on the events', { path: '/events', method: 'PUT' }, 405, 'bad-request', /takes GET, not PUT/],
  [
    'another media type',
    { path: '/control/status', body: '{}', headers: { 'content-type': 'text/plain' } },
    415,
    'bad-request',
    /application\/json/,
  ],
  ['a body that is no JSON', { path: '/control/status', body: '{"a":' }, 400, 'bad-request', /no JSON/],
  [
    'parameters that are no object',
    { path: '/control/status', body: '[1]' },
    400,
    'bad-request',
    /`status`.*the parameters: /,
  ],
  ['a field that is missing', { path: '/control/server.restart', body: '{}' }, 400, 'bad-request', /server: /],
  [
    'a field of another type',
    { path: '/control/exec', body: '{"cwd":"/","script":7}' },
    400,
    'bad-request',
    /script: .*string/,
  ],
  ['a field too many', { path: '/control/exec', body: '{"cwd":"/","script":"","x":7}' }, 400, 'bad-request', /"x"/],
  [
    'a field inside a field',
    { path: '/control/tools', body: '{"cwd":"/","servers":["a",7]}' },
    400,
    'bad-request',
    /servers\.1: /,
  ],
  ['a path that cannot be decoded', { path: '/control/%ff' }, 400, 'bad-request', /path/],
  ['a method name without end', { path: `/control/${'x'.repeat(500)}` }, 400, 'bad-request', /path/],
  ['a web page', { path: '/control/status', headers: { origin: 'http://evil.example' } }, 403, 'refused', /Origin/],
  ['another host', { path: '/control/status', headers: { host: 'evil.example' } }, 403, 'refused', /evil\.example/],
] as const)('createServer() refuses %s', async (_name, asked, status, code, message) => {
  const reply = await ask(asked);
  expect(reply.body).toEqual(refusal(code, message));
  expect(reply.status).toBe(status);
});

test('createServer() refuses a body that is too large', async () => {
  const reply = await ask({ path: '/control/exec', body: 'x'.repeat(BODY_LIMIT + 1) });
  expect([reply.status, reply.body]).toEqual([413, refusal('limit', /bytes at most/)]);
});

test('createServer() refuses what is no HTTP in the same form', async () => {
  const socket = createConnection(daemon.paths.socket);
  socket.end('NONSENSE\r\n\r\n');
  const reply = await text(socket);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect(reply).toContain('metad-version: 0.1.0');
  expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toEqual(refusal('bad-request', /HTTP/));
});

test('createServer() takes bodies and gives results of some megabytes', async () => {
  const args = { cwd: '/', server: 'files', tool: 'huge', arguments: { size: 5_000_000, pad: 'y'.repeat(5_000_000) } };
  const { body } = await ask({ path: '/control/call', body: JSON.stringify(args) });
  expect(body).toEqual({ result: { content: [{ type: 'text', text: 'x'.repeat(5_000_000) }] } });
});

test('createServer() lets early requests wait until it is ready', async () => {
  await using other = await tempHome();
  let open = () => {};
  const ready = new Promise<void>((resolve) => {
    open = resolve;
  });
  await using early = await startFakeDaemon({ home: other.home, ready });
  const connected: unknown[] = [];
  early.server.on('request', () => connected.push(1));
  const socketPath = early.paths.socket;
  const pending = [1, 2, 3].map(() => ask({ path: '/control/exec', body: '{"cwd":"/","script":"1"}', socketPath }));
  await eventually(() => expect(connected).toHaveLength(3));
  const first = await Promise.race([pending[0], new Promise((resolve) => setImmediate(resolve, 'waits'))]);
  expect(first).toBe('waits');
  expect(early.asked).toEqual([]);
  open();
  for (const { body } of await Promise.all(pending)) expect(body).toMatchObject({ result: { isError: false } });
});

test('createServer() does nothing for an early caller that has left', async () => {
  await using other = await tempHome();
  let open = () => {};
  const ready = new Promise<void>((resolve) => {
    open = resolve;
  });
  await using early = await startFakeDaemon({ home: other.home, ready });
  const gone = createConnection(early.paths.socket);
  const closed = new Promise<void>((resolve) => early.server.on('connection', (socket) => socket.on('close', resolve)));
  early.server.once('request', () => gone.destroy());
  gone.write('POST /control/stop HTTP/1.1\r\nHost: metad\r\nContent-Length: 0\r\n\r\n');
  await closed;
  open();
  await ask({ path: '/control/status', socketPath: early.paths.socket });
  expect(early.asked).toEqual([]);
});

test('createServer() tells early requests why the daemon cannot start', async () => {
  await using other = await tempHome();
  const ready = Promise.reject(new MetadError('unavailable', 'The disk is full.'));
  await using broken = await startFakeDaemon({ home: other.home, ready });
  const reply = await ask({ path: '/control/status', socketPath: broken.paths.socket });
  expect([reply.status, reply.body]).toEqual([503, refusal('unavailable', 'The disk is full.')]);
});

test('createServer() closes in order: calls in flight are told, event streams end', async () => {
  await using other = await tempHome();
  const closing = await startFakeDaemon({ home: other.home });
  const socketPath = closing.paths.socket;
  const call = ask({
    path: '/control/call',
    body: '{"cwd":"/","server":"files","tool":"wait","arguments":{}}',
    socketPath,
  });
  await eventually(() => expect(closing.asked).toHaveLength(1));
  const stream = await new Promise<IncomingMessage>((resolve) => {
    httpRequest({ socketPath, path: '/events', agent: false }, resolve).end();
  });
  const heard = text(stream);
  await closing.close();
  expect((await call).body).toEqual(refusal('unavailable', 'ending'));
  expect(await heard).toContain('"closing"');
  expect(closing.events.listeners()).toBe(0);
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeDaemon, type FakeDaemonOptions, type Message, startFakeDaemon } from '../../helpers/fake-daemon.ts';
import { type Built, buildShim, type ShimProcess, spawnShim, tempHome, until } from '../../helpers/shim.ts';

let built: Built;
beforeAll(async () => {
  built = await buildShim();
});
afterAll(() => built[Symbol.asyncDispose]());

const MODERN = '2026-07-28';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const meta = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} };

const isListChanged = ({ method }: Message) => method === 'notifications/tools/list_changed';
const methodsOf = (daemon: FakeDaemon, session = 0) => daemon.sessions[session]?.received.map(({ method }) => method);
const reached = (daemon: FakeDaemon, method: string, session = 0) =>
  until(() => methodsOf(daemon, session)?.includes(method) ?? false, `the daemon got ${method}`);

/** Ends the daemon of `home` and, unless told otherwise, has another in its place at once. */
const replace = async (daemon: FakeDaemon, home: string, options?: FakeDaemonOptions): Promise<FakeDaemon> => {
  await daemon.stop();
  return startFakeDaemon(home, options);
};

const openModern = async (shim: ShimProcess) => {
  await shim.ask({ id: 0, method: 'server/discover', params: { _meta: meta } });
  shim.send({
    id: 'listen:0',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  });
  await shim.find(({ method }) => method === 'notifications/subscriptions/acknowledged');
};

describe('the daemon goes away', () => {
  test('every id in flight is answered once, no call is repeated, and the session goes on', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path, {
      respond: ({ method }) => (method === 'slow/list' ? {} : undefined),
    });
    await using shim = spawnShim(built, home.path);
    await shim.open();
    shim.send(
      { id: 1, method: 'tools/call', params: { name: 'hang' } },
      { id: 'b', method: 'tools/call', params: { name: 'hang', id: 77 } },
      { id: 3, method: 'slow/list' },
    );
    await reached(first, 'slow/list');
    await using second = await replace(first, home.path);
    const [one, b, three] = await Promise.all([shim.answerTo(1), shim.answerTo('b'), shim.answerTo(3)]);
    expect(one.error).toMatchObject({ code: -32010, message: expect.stringContaining('outcome is unknown') });
    expect(b.error?.message).toContain('did not repeat');
    expect(three.error?.message).toContain('Ask again');
    await shim.find(isListChanged);
    expect((await shim.ask({ id: 4, method: 'tools/call', params: { arguments: 'x' } })).result).toBeDefined();
    expect(methodsOf(second)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(second.sessions[0]?.hello.resumed).toBe(true);
    expect(first.sessions[0]?.hello.resumed).toBeUndefined();
    expect(shim.messages.filter(({ id }) => id === 1 || id === 'b' || id === 3)).toHaveLength(3);
  });

  test('the opening is replayed word for word but for its id, and its answer swallowed', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    const opening =
      '{ "params":{"protocolVersion":"2025-11-25","id":"漢"},"method":"initialize","id" : 0 ,"jsonrpc":"2.0"}';
    shim.write(`${opening}\n`);
    await shim.answerTo(0);
    shim.send({ method: 'notifications/initialized' });
    await reached(first, 'notifications/initialized');
    await using second = await replace(first, home.path);
    await shim.find(isListChanged);
    await reached(second, 'notifications/initialized');
    const replayed = second.sessions[0]?.text().split('\n')[0] ?? '';
    expect(replayed.replace(/"metad-shim:2:replay"/, '0')).toBe(opening);
    expect(shim.messages.map(({ id, method }) => id ?? method)).toEqual([0, 'notifications/tools/list_changed']);
  });

  test('a stopped daemon stays stopped until the agent writes', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    shim.send({ id: 1, method: 'tools/call', params: { name: 'hang' } });
    await reached(first, 'tools/call');
    first.sessions[0]?.send({ jsonrpc: '2.0', id: 0, method: 'elicitation/create', params: {} });
    await shim.find(({ method }) => method === 'elicitation/create');
    await first.stop();
    await shim.answerTo(1);
    shim.send(
      { id: 0, result: { action: 'decline' } },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    );
    await new Promise((resolve) => setTimeout(resolve, 1000)); // what must not happen has no end to wait for
    expect(await home.starts()).toEqual([]);
    expect(shim.child.exitCode).toBeNull();
    expect((await shim.ask({ id: 2, method: 'tools/list' })).result).toBeDefined();
    expect(await home.starts()).toHaveLength(1);
  });

  test('a daemon that comes back by itself is found without the agent', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    await first.stop();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await using second = await startFakeDaemon(home.path);
    await shim.find(isListChanged);
    expect(second.sessions).toHaveLength(1);
  });

  test('what was written meanwhile goes after the replay, in order; what was cancelled meanwhile never', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    let release: (() => void) | undefined;
    const respond: FakeDaemonOptions['respond'] = ({ id = 0, method }, session) => {
      if (method !== 'initialize') return undefined;
      release = () => session.send({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });
      return {};
    };
    await using second = await replace(first, home.path, { respond });
    await reached(second, 'initialize');
    shim.send({ id: 1, method: 'a' }, { id: 2, method: 'tools/call' }, { id: 3, method: 'c' });
    shim.send(
      { method: 'notifications/cancelled', params: { requestId: 2 } },
      { method: 'notifications/d' },
      { id: 5, method: 'e' },
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(methodsOf(second)).toEqual(['initialize']);
    release?.();
    await Promise.all([1, 3, 5].map(shim.answerTo));
    expect(methodsOf(second)?.slice(1)).toEqual(['notifications/initialized', 'a', 'c', 'notifications/d', 'e']);
  });

  test('answers to a dead daemon are swallowed, and the next daemon counting from 0 again gets its own', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    const asked = { jsonrpc: '2.0', id: 0, method: 'elicitation/create' };
    first.sessions[0]?.send({ ...asked, params: { message: 'old' } });
    await shim.find(({ params }) => params?.message === 'old');
    await using second = await replace(first, home.path);
    await shim.find(isListChanged);
    second.sessions[0]?.send({ ...asked, params: { message: 'new' } });
    const fresh = await shim.find(({ params }) => params?.message === 'new');
    expect(fresh.id).not.toBe(0);
    shim.send({ id: 0, result: { action: 'accept', of: 'old' } });
    shim.send({ id: fresh.id ?? '', result: { action: 'accept', of: 'new' } });
    await until(
      () => second.sessions[0]?.received.some(({ result }) => result !== undefined) ?? false,
      'an answer came',
    );
    second.sessions[0]?.send({ ...asked, params: { message: 'third' }, id: 'x"y' });
    const third = await shim.find(({ params }) => params?.message === 'third');
    second.sessions[0]?.send({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'x"y', reason: 'r' },
    });
    expect((await shim.find(({ method }) => method === 'notifications/cancelled')).params).toEqual({
      requestId: third.id,
      reason: 'r',
    });
    shim.send({ id: third.id ?? '', error: { code: -1, message: 'no' } });
    await until(
      () => second.sessions[0]?.received.some(({ error }) => error !== undefined) ?? false,
      'the refusal came',
    );
    expect(second.sessions[0]?.received.filter(({ method }) => method === undefined)).toEqual([
      { jsonrpc: '2.0', id: 0, result: { action: 'accept', of: 'new' } },
      { jsonrpc: '2.0', id: 'x"y', error: { code: -1, message: 'no' } },
    ]);
  });

  test('modern: discover and listen are replayed, the second acknowledgement is swallowed, list_changed comes on the listen', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path, { protocolVersion: MODERN });
    await using shim = spawnShim(built, home.path);
    await openModern(shim);
    shim.send({
      id: 'other',
      method: 'subscriptions/listen',
      params: { notifications: { promptsListChanged: true }, _meta: meta },
    });
    await shim.find(({ params }) => params?._meta?.[SUBSCRIPTION] === 'other');
    await using second = await replace(first, home.path, { protocolVersion: MODERN });
    const notice = await shim.find(isListChanged);
    expect(notice.params).toEqual({ _meta: { [SUBSCRIPTION]: 'listen:0' } });
    await until(() => methodsOf(second)?.length === 3, 'the replay came');
    expect(methodsOf(second)).toEqual(['server/discover', 'subscriptions/listen', 'subscriptions/listen']);
    expect(second.sessions[0]?.received.slice(1).map(({ id }) => id)).toEqual(['listen:0', 'other']);
    expect((await shim.ask({ id: 9, method: 'tools/list', params: { _meta: meta } })).result).toBeDefined();
    expect(shim.messages.filter(({ method }) => method === 'notifications/subscriptions/acknowledged')).toHaveLength(2);
    expect(shim.messages.filter(isListChanged)).toHaveLength(1);
    expect(shim.messages.filter(({ id }) => id === 'listen:0' || id === 'other')).toEqual([]);
  });

  test('modern: a daemon that leaves in order ends the listen; the agent does not hear of it', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path, { protocolVersion: MODERN });
    await using shim = spawnShim(built, home.path);
    await openModern(shim);
    first.sessions[0]?.send({ jsonrpc: '2.0', id: 'listen:0', result: { resultType: 'complete' } });
    await using second = await replace(first, home.path, { protocolVersion: MODERN });
    await shim.find(isListChanged);
    await reached(second, 'subscriptions/listen');
    expect(shim.messages.filter(({ id }) => id === 'listen:0')).toEqual([]);
  });

  test('modern: a listen that the agent cancelled, or a daemon refused, is not replayed', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path, {
      protocolVersion: MODERN,
      respond: ({ id }) => (id === 'bad' ? { jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } } : undefined),
    });
    await using shim = spawnShim(built, home.path);
    await openModern(shim);
    shim.send({ method: 'notifications/cancelled', params: { requestId: 'listen:0' } });
    expect((await shim.ask({ id: 'bad', method: 'subscriptions/listen', params: {} })).error).toBeDefined();
    await using second = await replace(first, home.path, { protocolVersion: MODERN });
    expect((await shim.ask({ id: 5, method: 'tools/list' })).result).toBeDefined();
    expect(methodsOf(second)).toEqual(['server/discover', 'tools/list']);
    expect(shim.messages.filter(isListChanged)).toEqual([]);
  });

  test('an opening in flight is sent again, under its own id', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path, {
      respond: ({ method }) => (method === 'initialize' ? {} : undefined),
    });
    await using shim = spawnShim(built, home.path);
    const opening = shim.open();
    await reached(first, 'initialize');
    await using second = await replace(first, home.path);
    expect((await opening).result.protocolVersion).toBe('2025-11-25');
    await reached(second, 'notifications/initialized');
    expect(second.sessions[0]?.received[0]?.id).toBe('open');
  });

  test('a probe that failed is not the opening: the legacy session is replayed', async () => {
    await using home = await tempHome();
    const respond: FakeDaemonOptions['respond'] = ({ id = 0, method }) =>
      method === 'server/discover' ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } } : undefined;
    const first = await startFakeDaemon(home.path, { respond });
    await using shim = spawnShim(built, home.path);
    await shim.ask({ id: 0, method: 'server/discover', params: { _meta: meta } });
    await shim.open();
    await reached(first, 'notifications/initialized');
    await using second = await replace(first, home.path);
    await shim.find(isListChanged);
    await reached(second, 'notifications/initialized');
    expect(methodsOf(second)).toEqual(['initialize', 'notifications/initialized']);
  });

  test('a new daemon with another protocol is told to the agent, request by request', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    await using second = await replace(first, home.path, { protocolVersion: '2024-11-05' });
    await until(() => shim.stderr().includes('2024-11-05'), 'stderr tells');
    const answer = await shim.ask({ id: 1, method: 'tools/list' });
    expect(answer.error?.message).toMatch(/2024-11-05.*2025-11-25/);
    const third = await replace(second, home.path);
    expect((await shim.ask({ id: 2, method: 'tools/list' })).result).toBeDefined();
    await third.stop();
  });

  test('a daemon that dies of every opening does not make the shim restart it for ever', async () => {
    await using home = await tempHome();
    await using daemon = await startFakeDaemon(home.path, {
      respond: ({ method }, session) => {
        if (method === 'initialize') session.socket.destroy();
        return undefined;
      },
    });
    await using shim = spawnShim(built, home.path);
    const answer = await shim.ask({ id: 1, method: 'initialize' });
    expect(answer.error?.message).toContain('3 times');
    expect(daemon.sessions).toHaveLength(3);
    expect(shim.child.exitCode).toBeNull();
  });

  test('recovers from a real process killed with SIGKILL, many times, with calls in flight', async () => {
    await using home = await tempHome();
    await using shim = spawnShim(built, home.path);
    await shim.open();
    for (let round = 0; round < 4; round += 1) {
      const pid = (await shim.ask({ id: `pid${round}`, method: 'tools/call', params: { name: 'pid' } })).result
        .content[0].text;
      shim.send({ id: `hang${round}`, method: 'tools/call', params: { name: 'hang' } });
      await shim.ask({ id: `ping${round}`, method: 'ping' });
      process.kill(Number(pid), 'SIGKILL');
      expect((await shim.answerTo(`hang${round}`)).error?.code).toBe(-32010);
    }
    expect((await readFile(join(home.path, 'serving'), 'utf8')).trim().split('\n')).toHaveLength(4);
    expect(shim.child.exitCode).toBeNull();
  });

  test('half a line of a dying daemon never reaches the agent', async () => {
    await using home = await tempHome();
    const first = await startFakeDaemon(home.path);
    await using shim = spawnShim(built, home.path);
    await shim.open();
    await reached(first, 'notifications/initialized');
    await new Promise<void>((resolve) =>
      first.sessions[0]?.socket.write('{"jsonrpc":"2.0","id":1,"res', () => resolve()),
    );
    await using _second = await replace(first, home.path);
    await shim.find(isListChanged);
    expect(shim.text()).not.toContain('"res"');
    expect(shim.text().endsWith('\n')).toBe(true);
  });
});

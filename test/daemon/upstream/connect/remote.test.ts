import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, fixture, published, remote, testPool } from '../../../helpers/upstream.ts';

const signal = () => new AbortController().signal;

const serving = async (how: string): Promise<AsyncDisposable & { url: string; child: ChildProcess }> => {
  const child = spawn(process.execPath, [fixture('remote'), how], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await new Promise<string[]>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (line) => resolve([line])),
  )) as [string];
  return {
    url,
    child,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
};

test('Streamable HTTP: lists, calls and sends the headers of the definition', async () => {
  await using far = await serving('http');
  await using up = await testPool();
  const definition = remote('far', far.url);
  const withHeader = { ...definition, reach: { kind: 'http' as const, url: far.url, headers: { 'x-key': 'k' } } };
  expect((await up.pool.list(withHeader, ALICE, signal())).tools).toHaveLength(6);
  expect(await up.say(withHeader, 'echo', { text: 'naïve 漢字' })).toBe('naïve 漢字');
  expect(JSON.parse(await up.say(withHeader, 'headers'))['x-key']).toBe('k');
  expect(up.pool.status()).toMatchObject([{ state: 'ready', pid: null, sharing: 'user' }]);
});

test.each(['http', 'sse'] as const)('an SSE server is reached as `%s`', async (kind) => {
  await using far = await serving('sse');
  await using up = await testPool();
  const definition = { ...remote('far', far.url), reach: { kind, url: far.url, headers: {} } };
  expect(await up.say(definition, 'echo', { text: 'hi' })).toBe('hi');
});

test.each([
  ['404', /there is no MCP server at its address \(HTTP 404\)/],
  ['401', /asks for authorization \(HTTP 401\)/],
  ['403', /denies access \(HTTP 403\)/],
])('R011: HTTP %s parks the server', async (status, reason) => {
  await using far = await serving(status);
  await using up = await testPool();
  const definition = remote('far', far.url);
  await expect(up.say(definition, 'echo', { text: 'hi' })).rejects.toThrow(reason);
  await expect(up.say(definition, 'echo', { text: 'hi' })).rejects.toThrow(reason);
  expect(up.pool.status()).toMatchObject([{ state: 'parked' }]);
});

test('a server that nobody listens at is dead with its reason, not parked', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  await using up = await testPool();
  const definition = remote('far', `http://127.0.0.1:${port}/mcp`);
  await expect(up.say(definition, 'echo', {})).rejects.toThrow(/cannot be reached at .*ECONNREFUSED/);
  expect(up.pool.status()).toMatchObject([{ state: 'dead' }]);
});

test('a session that the server has forgotten is opened anew, and the call it turned away is sent again', async () => {
  await using far = await serving('http');
  await using up = await testPool();
  const definition = remote('far', far.url);
  await up.say(definition, 'forget');
  await eventually(async () => expect(await up.say(definition, 'echo', { text: 'hi' })).toBe('hi'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await up.say(definition, 'echo', { text: 'again' })).toBe('again');
});

test('the published server-everything answers over Streamable HTTP', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.once('listening', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const child = spawn(process.execPath, [published('everything'), 'streamableHttp'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    await using up = await testPool();
    const definition = remote('everything', `http://127.0.0.1:${port}/mcp`);
    await eventually(async () => {
      await up.pool.restart('everything');
      expect(await up.say(definition, 'echo', { message: 'hi' })).toBe('Echo: hi');
    });
    expect((await up.pool.list(definition, ALICE, signal())).tools.length).toBeGreaterThan(5);
  } finally {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }
});

test('a remote call that is never answered ends at its limit', async () => {
  await using far = await serving('http');
  await using up = await testPool();
  const definition = remote('far', far.url, { callTimeoutMs: 500 });
  await expect(up.say(definition, 'hang')).rejects.toMatchObject({ code: 'timeout' });
  expect(await up.say(definition, 'echo', { text: 'hi' })).toBe('hi');
});

test('R085: Streamable HTTP tells which call a question is for, also with calls of two sessions in flight', async () => {
  await using far = await serving('http');
  const marked: string[] = [];
  const marks = {
    marked: () => new Set<string>(),
    mark: (_: string, tools: Iterable<string>) => marked.push(...tools),
  };
  await using up = await testPool({ marks });
  const definition = remote('far', far.url);
  await up.say(definition, 'requests');
  const asked = (name: string) => ({
    asker: { capabilities: { elicitation: {} }, ask: async () => ({ action: 'accept', content: { name } }) },
  });
  const ask = async (session: string) =>
    JSON.parse(await up.say(definition, 'form', { ms: 100 }, { session, root: null }, asked(session)));
  const answers = await Promise.all([ask('alice'), ask('bob')]);
  expect(answers.map(({ content }) => content?.name)).toEqual(['alice', 'bob']);
  expect(marked).toEqual([]);
});

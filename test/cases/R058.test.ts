// Connections to a remote server that break after the request was received and before its answer.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const cutting = async (...args: string[]): Promise<AsyncDisposable & { url: string; child: ChildProcess }> => {
  const { command, args: all } = fixtureServer('cutting.mjs', ...args);
  const child = spawn(command, all, { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return {
    url,
    child,
    [Symbol.asyncDispose]: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const SCRIPT = `
  const tell = async (call) => { try { return await call(); } catch (error) { return [error.name, error.code, error.message]; } };
  const sent = await tell(() => far.sendInvoice());
  const read = await tell(() => far.readInvoice());
  const put = await tell(() => far.putInvoice());
  return { sent, read, put, received: await far.received() };
`;

test.each(['silent', 'stream', 'body'])(
  'R058: a broken connection (%s): sendInvoice runs once, its outcome is unknown; marked tools and lists are asked again',
  async (how) => {
    await using far = await cutting(how, 'initialize', 'tools/list', 'sendInvoice', 'readInvoice', 'putInvoice');
    await using home = temporaryHome({ mcpServers: { far: { url: far.url } } });
    await using agent = await connectAgent({ home: home.home });
    const before = performance.now();
    const { sent, read, put, received } = (await agent.run(SCRIPT)) as Record<string, never>;
    expect(sent).toEqual([
      'ToolError',
      'upstream',
      expect.stringMatching(/far\.sendInvoice.*whether it ran is unknown/),
    ]);
    expect([read, put]).toEqual(['readInvoice ran', 'putInvoice ran']);
    expect(received).toMatchObject({ initialize: 2, 'tools/list': 2, sendInvoice: 1, readInvoice: 2, putInvoice: 2 });
    expect(performance.now() - before).toBeLessThan(20_000);
    expect((await home.status()).daemon?.callsInFlight).toBe(0);
  },
);

test('R058: a read-only tool is sent again once and no more', async () => {
  await using far = await cutting('silent', 'readInvoice');
  await using home = temporaryHome({ mcpServers: { far: { url: far.url } } });
  await using agent = await connectAgent({ home: home.home, args: ['--call-tool'] });
  expect(await agent.run('return [await far.readInvoice()]')).toEqual(['readInvoice ran']);
  const received = textOf(await agent.call('call_tool', { server: 'far', tool: 'received' }));
  expect(JSON.parse(received)).toMatchObject({ readInvoice: 2 });
});

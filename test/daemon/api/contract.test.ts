// One suite for the contract, run on the handlers themselves and through client, socket and server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../../schema/wire.ts';
import { createClient } from '../../../tui/client.ts';
import { connectTo } from '../../../tui/reach.ts';
import { type FakeDaemon, sampleStatus, startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { eventually } from '../../helpers/eventually.ts';

const sides: readonly { readonly side: string; readonly of: (daemon: FakeDaemon) => Contract }[] = [
  { side: 'handlers', of: ({ contract }) => contract },
  { side: 'client and server', of: ({ paths }) => createClient(connectTo(paths)) },
];

describe.each(sides)('contract over $side', ({ of, side }) => {
  let home: Awaited<ReturnType<typeof tempHome>>;
  let daemon: FakeDaemon;
  let contract: Contract;
  beforeAll(async () => {
    home = await tempHome();
    daemon = await startFakeDaemon({ home: home.home });
    contract = of(daemon);
  });
  afterAll(async () => {
    await daemon.close();
    await home[Symbol.asyncDispose]();
  });

  test('status() gives daemon, servers, sessions and calls', async () => {
    expect(await contract.status({})).toEqual(sampleStatus(home.home));
  });

  test('tools() gives declarations, whole unless told otherwise', async () => {
    const { text } = await contract.tools({ cwd: '/w', servers: ['files'] });
    expect(text).toContain('declare namespace files');
    expect(daemon.asked.at(-1)).toEqual({ where: { cwd: '/w' }, servers: ['files'], detail: 'full' });
  });

  test('tools() rejects with the words of whoever knows', async () => {
    const failed = contract.tools({ cwd: '/w', servers: ['nope'] });
    await expect(failed).rejects.toMatchObject({
      name: 'MetadError',
      code: 'not-found',
      message: 'There is no server "nope"; there is files.',
    });
  });

  test('call() gives the result as the server sent it', async () => {
    const result = await contract.call({ cwd: '/w', server: 'files', tool: 'read', arguments: { path: 'ä🧪' } });
    expect(result).toEqual({ content: [{ type: 'text', text: 'files.read {"path":"ä🧪"}' }] });
  });

  test('call() ends in the daemon when the caller gives up', async () => {
    const scope = new AbortController();
    const pending = contract.call({ cwd: '/w', server: 'files', tool: 'wait', arguments: {} }, scope.signal);
    await eventually(() => expect(daemon.asked.at(-1)).toMatchObject({ tool: 'wait' }));
    scope.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await eventually(() => expect(daemon.asked.at(-1)).toBe('aborted'));
  });

  test('exec() gives text and whether it failed', async () => {
    const outcome = await contract.exec({ cwd: '/w', script: 'throw 1', timeoutSeconds: 2 });
    expect(outcome).toMatchObject({ text: 'ran 7 characters', isError: true, content: [], run: 'r7' });
    expect(outcome.trace).toHaveLength(2);
    expect(daemon.asked.at(-1)).toMatchObject({ timeoutMs: 2000 });
  });

  test('reload() hands over an environment and gives the warnings that stand', async () => {
    expect((await contract.reload({ environment: { A: '1' } })).warnings).toHaveLength(1);
    expect(daemon.asked.at(-1)).toEqual({ environment: { A: '1' } });
    await contract.reload({});
    expect(daemon.asked.at(-1)).toEqual({ environment: undefined });
  });

  test('server.restart() says how many were stopped', async () => {
    expect(await contract['server.restart']({ server: 'files' })).toEqual({ stopped: 1 });
  });

  test('stop() answers, then stops', async () => {
    expect(await contract.stop({})).toEqual({ pid: process.pid });
    await eventually(() => expect(daemon.asked.at(-1)).toBe('stop'));
  });

  test('a bug shows no detail to the caller', async () => {
    const failed = contract.call({ cwd: '/w', server: 'files', tool: 'bug', arguments: {} });
    if (side === 'handlers') await expect(failed).rejects.toThrow(TypeError);
    else {
      await expect(failed).rejects.toMatchObject({ code: 'internal' });
      await expect(failed).rejects.not.toThrow('secret');
      expect(JSON.stringify(daemon.logged)).toContain('secret detail');
    }
  });
});

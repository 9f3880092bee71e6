// Two sessions with the same ids and progress tokens at one server: neither hears of, nor ends, what is the other's.
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { type RawAgent, rawAgent } from '../helpers/raw-agent.ts';

test('R082: equal ids and progress tokens of two sessions stay apart, and a cancel ends one’s own call alone', async () => {
  await using home = temporaryHome({ mcpServers: { slow: { ...fixtureServer('slow.mjs'), sharing: 'user' } } });
  await using alice = rawAgent({ home: home.home, args: ['--call-tool'] });
  await using bob = rawAgent({ home: home.home, args: ['--call-tool'] });
  await Promise.all([alice.open(), bob.open()]);
  const params = (tool: string, args: object = {}) => ({
    name: 'call_tool',
    arguments: { server: 'slow', tool, arguments: args },
    _meta: { progressToken: 'same' },
  });
  const run = (agent: RawAgent, id: number, tool: string, args: object = {}) =>
    agent.request(id, 'tools/call', params(tool, args));
  const progress = (agent: RawAgent) =>
    agent.received.flatMap(({ method, params: told }) => (method === 'notifications/progress' ? [told ?? {}] : []));

  await Promise.all([run(alice, 1, 'progress', { steps: 4, ms: 40 }), run(bob, 1, 'progress', { steps: 7, ms: 40 })]);
  const messages = (agent: RawAgent) => JSON.stringify(progress(agent).map(({ message }) => message));
  expect(messages(alice)).toContain('of 4');
  expect(messages(alice)).not.toContain('of 7');
  expect(messages(bob)).toContain('of 7');
  expect(messages(bob)).not.toContain('of 4');
  expect(new Set([...progress(alice), ...progress(bob)].map((one) => one['progressToken']))).toEqual(new Set(['same']));

  const cancels = async (): Promise<unknown[]> => {
    const { result } = await run(bob, 9, 'cancels');
    const [part] = (result?.['content'] ?? []) as { text: string }[];
    return JSON.parse(part?.text ?? '[]') as unknown[];
  };
  const inFlight = async (): Promise<number | undefined> => (await home.server('slow'))?.callsInFlight;
  const cancel = (agent: RawAgent, requestId: number) =>
    agent.send({ method: 'notifications/cancelled', params: { requestId } });
  // Of a call that has its answer.
  cancel(alice, 1);
  for (const agent of [alice, bob]) agent.send({ id: 2, method: 'tools/call', params: params('hang') });
  await until('both are in flight', 10_000, async () => (await inFlight()) === 2);
  cancel(alice, 2);
  await until('one was cancelled', 10_000, async () => (await cancels()).length > 0);
  expect([(await cancels()).length, await inFlight()]).toEqual([1, 1]);
  cancel(bob, 2);
  await until('both were cancelled', 10_000, async () => (await cancels()).length === 2);
});

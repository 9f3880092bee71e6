// Whom a shared server's question reaches: the session whose call caused it, or nobody.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { type RawAgent, rawAgent } from '../helpers/raw-agent.ts';

/** Answers each question of that method alike; gives how many there were. */
const answering = (agent: RawAgent, asked: string, result: object): (() => number) => {
  const answered = new Set<unknown>();
  agent.child.stdout.on('data', () => {
    for (const { id, method } of agent.received) {
      if (method !== asked || answered.has(id)) continue;
      answered.add(id);
      agent.send({ id, result });
    }
  });
  return () => answered.size;
};

const call = async (agent: RawAgent, id: number, tool: string, args: object = {}): Promise<Record<string, unknown>> => {
  const script = `return eliciting.${tool}(${JSON.stringify(args)})`;
  const { result } = await agent.call(id, 'execute', { script });
  const parts = (result?.['content'] ?? []) as { text: string }[];
  return JSON.parse(parts[0]?.text ?? '') as Record<string, unknown>;
};

test('R085: a question reaches the session that caused it, or nobody; after a race such calls run one session at a time', async () => {
  await using home = temporaryHome({
    mcpServers: { eliciting: { ...fixtureServer('eliciting.mjs'), sharing: 'user' } },
  });
  await using alice = rawAgent({ home: home.home });
  await using bob = rawAgent({ home: home.home });
  await using carol = rawAgent({ home: home.home });
  await Promise.all([alice.open({ elicitation: {} }), bob.open({ elicitation: {} }), carol.open()]);
  const named = (name: string) => ({ action: 'accept', content: { name } });
  const accepted = (name: string) => ({ result: named(name) });
  const askedAlice = answering(alice, 'elicitation/create', named('Alice'));
  const askedBob = answering(bob, 'elicitation/create', named('Bob'));

  // B is idle, C cannot be asked.
  expect(await call(alice, 1, 'form')).toEqual(accepted('Alice'));
  expect(await call(carol, 1, 'form')).toMatchObject({ error: { code: -32601 } });
  expect([askedAlice(), askedBob()]).toEqual([1, 0]);

  // Outside of any call: nobody.
  await call(alice, 2, 'later', { ms: 30 }).catch(() => {});
  const late = await until('the server has its answer', 5_000, async () => {
    const answers = (await call(carol, 2, 'answers')) as unknown as unknown[];
    return answers.length > 0 && answers;
  });
  // Refused, unless it came just while C asked for it; C cannot be asked.
  expect(JSON.stringify(late)).toMatch(/"cancel"|-32601/);
  expect([askedAlice(), askedBob()]).toEqual([1, 0]);

  // Both in flight on the one connection: in doubt, so nobody; from then on one after the other.
  const race = (id: number) =>
    Promise.all([call(alice, id, 'hesitate', { ms: 400 }), call(bob, id, 'hesitate', { ms: 400 })]);
  const doubtful = await race(3);
  expect(doubtful[0]).toMatchObject({ result: { action: 'cancel' } });
  expect(askedAlice()).toBe(1);
  // By then the other call had ended.
  if (askedBob() > 0) expect(doubtful[1]).toEqual(accepted('Bob'));
  const before = askedBob();
  expect(await race(4)).toEqual([accepted('Alice'), accepted('Bob')]);
  expect([askedAlice(), askedBob()]).toEqual([2, before + 1]);

  // Known to the next daemon too.
  await home.metad(['daemon', 'restart']);
  expect(await race(5)).toEqual([accepted('Alice'), accepted('Bob')]);
});

test('R085: a session’s own instance hears the agent’s own roots', async () => {
  await using home = temporaryHome({
    mcpServers: { eliciting: { ...fixtureServer('eliciting.mjs'), sharing: 'session' } },
  });
  await using agent = rawAgent({ home: home.home });
  const roots = [{ uri: `file://${join(home.folder, 'one')}`, name: 'mine' }];
  answering(agent, 'roots/list', { roots });
  await agent.open({ roots: { listChanged: true } });
  expect(await call(agent, 1, 'roots')).toEqual({ result: { roots } });
  agent.send({ method: 'notifications/roots/list_changed' });
  await until('the server hears of it', 5_000, async () => Number(await call(agent, 2, 'notices')) > 0);
});

test('log messages reach the sessions that use the server and want them, at their own level, and no flood does', async () => {
  await using home = temporaryHome({
    mcpServers: { talkative: { ...fixtureServer('talkative.mjs'), sharing: 'user' } },
  });
  await using loud = rawAgent({ home: home.home });
  await using calm = rawAgent({ home: home.home });
  await using deaf = rawAgent({ home: home.home });
  await using idle = rawAgent({ home: home.home });
  await Promise.all([loud.open(), calm.open(), deaf.open(), idle.open()]);
  const messages = (agent: RawAgent) =>
    agent.received.filter(({ method }) => method === 'notifications/message').map(({ params }) => params);
  const run = (agent: RawAgent, id: number, script: string) => agent.call(id, 'execute', { script });
  await calm.request(1, 'logging/setLevel', { level: 'error' });
  await idle.request(1, 'logging/setLevel', { level: 'debug' });
  await loud.request(1, 'logging/setLevel', { level: 'info' });
  for (const agent of [calm, deaf, loud]) await run(agent, 2, 'return talkative.level()');
  const { result } = await run(deaf, 3, 'return talkative.level()');
  expect(JSON.stringify(result)).toContain('info');

  await run(
    deaf,
    4,
    'await talkative.say({ level: "info", text: "a" }); await talkative.say({ level: "alert", text: "b" })',
  );
  const said = (level: string, data: string) => ({ level, logger: 'talkative: boat', data });
  await until('both came', 5_000, () => messages(loud).length === 2 && messages(calm).length === 1);
  expect(messages(loud)).toEqual([said('info', 'a'), said('alert', 'b')]);
  expect(messages(calm)).toEqual([said('alert', 'b')]);
  expect([...messages(deaf), ...messages(idle)]).toEqual([]);

  await run(deaf, 5, 'return talkative.say({ level: "alert", count: 5000 })');
  await run(loud, 6, 'return 1');
  expect(messages(loud).length).toBeLessThan(500);
});

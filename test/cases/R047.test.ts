// Waiting for a person is no script time; and what an unattended run asks goes to nobody.
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { type RawAgent, rawAgent } from '../helpers/raw-agent.ts';

const eliciting = { mcpServers: { eliciting: fixtureServer('eliciting.mjs') } };
const SCRIPT =
  'const first = await eliciting.form({}); const second = await eliciting.notices({}); return { first, second }';

const question = (agent: RawAgent) =>
  until('the question reaches the agent', 20_000, () =>
    agent.received.find(({ method }) => method === 'elicitation/create'),
  );

test('R047: an answer that comes long after the script limit reaches the run, and the second call is made', async () => {
  await using home = temporaryHome(eliciting);
  await using agent = rawAgent({ home: home.home });
  await agent.open({ elicitation: {} });
  agent.send({
    id: 1,
    method: 'tools/call',
    params: { name: 'execute', arguments: { script: SCRIPT, timeout_seconds: 0.5 } },
  });
  const { id } = await question(agent);
  const asked = performance.now();
  await until('three times the script limit has passed', 10_000, () => performance.now() - asked > 1_500);
  agent.send({ id, result: { action: 'accept', content: { name: 'Ada' } } });
  const { result } = await agent.answer(1);
  expect(result?.['isError'] ?? false).toBe(false);
  const text = (result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';
  expect(JSON.parse(text)).toMatchObject({
    first: { result: { action: 'accept', content: { name: 'Ada' } } },
    second: '0',
  });
});

test('R047: waiting has an upper bound of its own', async () => {
  await using home = temporaryHome({ ...eliciting, execute: { totalSeconds: 4, timeoutSeconds: 1 } });
  await using agent = rawAgent({ home: home.home });
  await agent.open({ elicitation: {} });
  await agent.call(1, 'execute', { script: 'return eliciting.notices({})' }); // its start is not what is measured
  const answer = agent.call(2, 'execute', { script: SCRIPT });
  await question(agent);
  const text = JSON.stringify((await answer).result);
  expect(text).toContain('"isError":true');
  expect(text).toContain('TimeoutError: The run took more than 4 s in all');
  expect(text).toContain('cancelled eliciting.form');
});

test('a question in a run that nobody waits for is refused with the reason', async () => {
  await using home = temporaryHome(eliciting);
  await using agent = rawAgent({ home: home.home });
  await agent.open({ elicitation: {} });
  const script = 'await sleep(300); return eliciting.form({})';
  await agent.call(1, 'execute', { script, background: true });
  await until('it is over', 20_000, async () => (await home.status()).runs[0]?.state === 'done');
  const result = await agent.call(2, 'execute', { resume: 'r1' });
  expect(JSON.stringify(result.result)).toContain('nobody waits for it who could be asked');
  expect(agent.received.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
});

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Asker } from '../../../../daemon/upstream/contract.ts';
import type { JsonObject } from '../../../../schema/tool.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool } from '../../../helpers/upstream.ts';

const agent = (capabilities: JsonObject, answer: JsonObject = { action: 'accept', content: { name: 'Ada' } }) => {
  const asked: { method: string; params: JsonObject }[] = [];
  const asker: Asker = {
    capabilities,
    ask: async (method, params) => {
      asked.push({ method, params });
      return answer;
    },
  };
  return { asked, asker };
};
const BOB = { session: 'bob', root: ALICE.root };

test('every connection declares elicitation, sampling and roots', async () => {
  await using up = await testPool();
  expect(JSON.parse(await up.say(server('eliciting'), 'capabilities'))).toEqual({
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: { listChanged: true },
  });
});

test('R085: a question goes to the agent whose call caused it and the answer back, unknown fields kept', async () => {
  await using up = await testPool();
  const eliciting = server('eliciting');
  const { asked, asker } = agent({ elicitation: {} }, { action: 'accept', content: { name: 'Ada' }, extra: 1 });
  expect(JSON.parse(await up.say(eliciting, 'form', {}, ALICE, { asker }))).toEqual({
    result: { action: 'accept', content: { name: 'Ada' }, extra: 1 },
  });
  expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Your name?' } }]);

  const sampler = agent({ sampling: {} }, { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' });
  const sampled = JSON.parse(await up.say(eliciting, 'sample', {}, ALICE, { asker: sampler.asker }));
  expect(sampled.result.model).toBe('m');
});

test('R085: an agent without the capability leads to a refusal with the reason', async () => {
  await using up = await testPool();
  const eliciting = server('eliciting');
  const { asked, asker } = agent({ elicitation: {} });
  expect(JSON.parse(await up.say(eliciting, 'url', {}, ALICE, { asker }))).toEqual({
    error: { code: -32602, message: 'The agent cannot show elicitation of mode `url`.' },
  });
  expect(JSON.parse(await up.say(eliciting, 'sample', {}, ALICE, { asker }))).toEqual({
    error: { code: -32601, message: 'The agent cannot sample for servers.' },
  });
  expect(JSON.parse(await up.say(eliciting, 'form', {}, ALICE, { asker: agent({}).asker })).error.code).toBe(-32601);
  expect(JSON.parse(await up.say(eliciting, 'form')).result).toMatchObject({ action: 'cancel' });
  expect(asked).toEqual([]);
});

test('R085: outside of any call, or with calls of two sessions in flight, nobody is asked', async () => {
  await using up = await testPool();
  const eliciting = server('eliciting');
  const { asked, asker } = agent({ elicitation: {}, sampling: {} });
  await up.say(eliciting, 'later', { ms: 200, which: ['form', 'sample'] }, ALICE, { asker });
  await eventually(async () => expect(JSON.parse(await up.say(eliciting, 'answers'))).toHaveLength(2));
  const answers = JSON.parse(await up.say(eliciting, 'answers'));
  expect(answers[0].result).toMatchObject({ action: 'cancel' });
  expect(answers[1].error).toMatchObject({ code: -1 });
  expect(asked).toEqual([]);

  let answer: (value: JsonObject) => void = () => {};
  const slow: Asker = {
    capabilities: { elicitation: {} },
    ask: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  };
  const alice = up.say(eliciting, 'form', {}, ALICE, { asker: slow });
  await eventually(() => expect(up.pool.callsInFlight()).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(JSON.parse(await up.say(eliciting, 'form', {}, BOB, { asker })).result).toMatchObject({ action: 'cancel' });
  answer({ action: 'decline' });
  expect(JSON.parse(await alice).result).toEqual({ action: 'decline' });
  expect(asked).toEqual([]);
});

test("the time that a person takes to answer does not count against the call's limit", async () => {
  await using up = await testPool();
  const eliciting = server('eliciting', [], { callTimeoutMs: 1500 });
  await up.say(eliciting, 'answers');
  const asker: Asker = {
    capabilities: { elicitation: {} },
    ask: () => new Promise((resolve) => setTimeout(resolve, 2000, { action: 'decline' })),
  };
  expect(JSON.parse(await up.say(eliciting, 'form', {}, ALICE, { asker })).result).toEqual({ action: 'decline' });
});

test('R085: roots are those of the workspace, or of the live sessions of a shared server', async () => {
  await using up = await testPool();
  const [p, q] = [join(up.folder, 'p'), join(up.folder, 'q')];
  await Promise.all([mkdir(p), mkdir(q)]);
  const inP = { session: 'p1', root: p };
  const inQ = { session: 'q1', root: q };
  const rootsOf = async (definition: ReturnType<typeof server>, owner: typeof inP) =>
    JSON.parse(await up.say(definition, 'roots', {}, owner)).result.roots.map(({ uri }: { uri: string }) => uri);

  const workspace = server('eliciting');
  expect(await rootsOf(workspace, inP)).toEqual([pathToFileURL(p).href]);
  expect(await rootsOf(workspace, inQ)).toEqual([pathToFileURL(q).href]);

  const user = { ...server('eliciting'), name: 'shared', sharing: 'user' as const };
  expect(await rootsOf(user, inP)).toEqual([pathToFileURL(p).href]);
  expect(await rootsOf(user, inQ)).toEqual([pathToFileURL(p).href, pathToFileURL(q).href]);
  up.pool.endSession('p1');
  expect(await rootsOf(user, inQ)).toEqual([pathToFileURL(q).href]);
  expect(await up.say(user, 'notices', {}, inQ)).toBe('2');
});

test('a server of the modern era asks by input_required, and the call goes on with the answer', async () => {
  await using up = await testPool();
  const { asked, asker } = agent({ elicitation: {} });
  expect(await up.say(server('modern'), 'name', {}, ALICE, { asker })).toBe('Hello Ada');
  expect(asked).toHaveLength(1);
});

// Arguments that a model wrote in another form than the schema wants.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const GIVEN = { ids: '[4,9]', limit: '3', note: '[1]' };
const MEANT = { ids: [4, 9], limit: 3, note: '[1]' };

test('R056: the schema decides what is converted, on every way to a tool; what does not fit is refused before the call', async () => {
  await using home = temporaryHome({ mcpServers: { strict: fixtureServer('strict.mjs') } });
  await using agent = await connectAgent({ home: home.home, args: ['--call-tool'] });
  const whole = JSON.stringify(GIVEN);
  const script = (args: unknown) => `return await strict.take(${JSON.stringify(args)})`;
  expect(await agent.run(script(GIVEN))).toEqual(MEANT);
  expect(await agent.run(script(whole))).toEqual(MEANT);
  for (const args of [GIVEN, whole]) {
    const result = await agent.call('call_tool', { server: 'strict', tool: 'take', arguments: args });
    expect(result.structuredContent).toEqual(MEANT);
    const typed = await home.metad(['call', 'strict.take', JSON.stringify(args), '--json']);
    expect(JSON.parse(typed.stdout)).toMatchObject({ structuredContent: MEANT });
  }
  const before = await agent.run('return Number(await strict.taken())');

  const refused = [
    [{ limit: 500 }, /limit: must be ≤ 100 \(was 500\)/],
    [{ limit: 'many' }, /limit: must be integer \(was the string "many"\)/],
    [{ ids: [4, 'x'] }, /ids\[1\]: must be number/],
    [{ nots: 'x' }, /nots: is not a parameter; near: note/],
  ] as const;
  for (const [args, reason] of refused) {
    const result = await agent.call('execute', { script: script(args) });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(reason);
    expect(textOf(result)).toMatch(/ToolError: `strict\.take` was not called/);
    expect(textOf(result)).toMatch(/function take\(params\?: \{.*limit\?: number/s);
    const direct = await agent.call('call_tool', { server: 'strict', tool: 'take', arguments: args });
    expect(direct.isError).toBe(true);
    expect(textOf(direct)).toMatch(reason);
    const typed = await home.metad(['call', 'strict.take', JSON.stringify(args)]);
    expect([typed.code, typed.stderr]).toEqual([1, expect.stringMatching(reason)]);
  }
  expect(await agent.run('try { await strict.take({ limit: 500 }) } catch (e) { return [e.name, e.code] }')).toEqual([
    'ToolError',
    'bad-request',
  ]);
  expect(await agent.run('return Number(await strict.taken())')).toBe(before);
  const recorded = (await home.status()).recentCalls.filter(({ tool, outcome }) => tool === 'take' && outcome !== 'ok');
  expect(recorded).toEqual([]);
});

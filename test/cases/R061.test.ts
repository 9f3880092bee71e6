// A server whose list grows: idle, in the middle of a call, twenty times within a second.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Agent, CLIENTS, connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

describe.each(CLIENTS)('R061: with the %s client', (client) => {
  let home: TestHome;
  let agent: Agent;
  let other: Agent;

  const lists = async () => Number(/\d+/.exec(await agent.text('execute', { script: 'return growing.lists()' }))?.[0]);
  const add = (args: object) => agent.text('execute', { script: `return growing.add(${JSON.stringify(args)})` });

  beforeAll(async () => {
    // One process for both agents, so that both have to hear of what one of them causes.
    home = temporaryHome({ mcpServers: { growing: { ...fixtureServer('growing.mjs'), sharing: 'user' } } });
    agent = await connectAgent({ client, home: home.home });
    other = await connectAgent({ client, home: home.home });
    for (const one of [agent, other]) expect(await one.text('list_tools', {})).toContain('function add(');
  });

  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('an execute right after the change can use the new tool, and the list was renewed once', async () => {
    const before = await lists();
    expect(await add({ name: 'tool_c' })).toContain('added');
    expect(await agent.text('execute', { script: 'return growing.tool_c()' })).toContain('this is tool_c');
    expect(await lists()).toBe(before + 1);
  });

  test('a search and a list right after it show the new tool', async () => {
    await add({ name: 'tool_d' });
    expect(await agent.text('list_tools', { query: 'tool d' })).toContain('function tool_d(');
    await add({ name: 'tool_e' });
    expect(await other.text('list_tools', { tools: ['tool_e'] })).toContain('function tool_e(');
  });

  test('a change in the middle of a call is taken up while that call goes on', async () => {
    let isOver = false;
    const running = add({ name: 'tool_f', hold: true }).finally(() => {
      isOver = true;
    });
    await until('the other agent can use it', 10_000, async () => {
      const { content } = await other.call('execute', { script: 'return growing.tool_f()' });
      return JSON.stringify(content).includes('this is tool_f');
    });
    expect(isOver).toBe(false);
    await other.text('execute', { script: 'return growing.release()' });
    expect(await running).toContain('added');
  });

  test('twenty changes within a second are one refresh', async () => {
    const before = await lists();
    await add({ name: 'tool_g', times: 20, everyMs: 20 });
    expect(await other.text('execute', { script: 'return growing.tool_g()' })).toContain('this is tool_g');
    const renewed = (await lists()) - before;
    // A machine that stands still for a quarter of a second in the middle makes two bursts of one.
    expect(renewed).toBeGreaterThanOrEqual(1);
    expect(renewed).toBeLessThanOrEqual(2);
  });

  test('every session hears of it in its next result, and none is told that metad’s own tools changed', async () => {
    await agent.text('list_tools', { detail: 'names' });
    await other.text('list_tools', { detail: 'names' });
    await add({ name: 'tool_h' });
    for (const one of [agent, other])
      expect(await one.text('execute', { script: 'return growing.tool_h()' })).toContain('this is tool_h');
    await add({ name: 'tool_i' });
    const heard = [agent, other].map((one) => one.text('list_tools', { tools: ['tool_i'] }));
    for (const text of await Promise.all(heard)) expect(text).toMatch(/catalog \d+ → \d+: \+1 in growing/);
    expect([agent.listChanges(), other.listChanges()]).toEqual([0, 0]);
  });
});

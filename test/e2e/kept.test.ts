// What lasts longer than its script: results that were cut, and the store of a workspace.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

/** Two workspaces beside each other. */
const workspaces = (home: TestHome): [string, string] => {
  const [one, other] = ['one', 'other'].map((name) => join(home.folder, name)) as [string, string];
  for (const folder of [one, other]) mkdirSync(join(folder, '.git'), { recursive: true });
  return [one, other];
};
const ROWS = 'return Array.from({ length: 1500 }, (_, id) => ({ id, name: `row ${id}` }))';
const handleIn = (text: string): string => {
  const handle = /`await metad\.result\("(r\d+)"\)` in a later script has it all\./.exec(text)?.[1];
  if (handle === undefined) throw new Error(`no handle in: ${text.slice(-300)}`);
  return handle;
};

test.each(CLIENTS)(
  'a long result is cut where it can be read, and a later script of the %s client has it all',
  async (client) => {
    await using home = temporaryHome({ execute: { maxOutputCharacters: 2000 } });
    await using agent = await connectAgent({ client, home: home.home });
    const text = await agent.text('execute', { script: `console.log('x'.repeat(5000));\n${ROWS}` });
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/^\[\n\{"id":0,"name":"row 0"\},\n/);
    expect(text).toMatch(
      /\n… 1,4\d\d more of 1,500 items\n\]\n… cut: \d+ of 1,500 items \([\d,]+ characters\) are shown\. /,
    );
    const handle = handleIn(text);
    expect(await agent.run(`const all = await metad.result("${handle}"); return [all.length, all[1499].name]`)).toEqual(
      [1500, 'row 1499'],
    );

    const string = await agent.text('execute', { script: 'return "line of text\\n".repeat(1000)' });
    expect(handleIn(string)).not.toBe(handle);
    expect(
      await agent.run(`const all = await metad.result("${handleIn(string)}"); return [typeof all, all.length]`),
    ).toEqual(['string', 13_000]);

    const unknown = await agent.call('execute', { script: 'return metad.result("r999999")' });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toMatch(
      /^Error: No result "r999999" is kept for sessions without a workspace\..*\(line 1, column \d+\)/s,
    );
  },
);

test('results and the store last over sessions and restarts, and belong to their workspace', async () => {
  await using home = temporaryHome({ execute: { maxOutputCharacters: 2000 } });
  const [one, other] = workspaces(home);
  const inside = async (workspace: string | undefined, script: string) => {
    await using agent = await connectAgent({ home: home.home, ...(workspace !== undefined && { workspace }) });
    return textOf(await agent.call('execute', { script }));
  };
  const handle = handleIn(
    await inside(one, `await store.set('plan', { step: 1 }); await store.set('mine', 1); ${ROWS}`),
  );
  await inside(other, 'await store.set("plan", "other")');
  await inside(undefined, 'await store.set("plan", "nowhere")');
  const look = async () => {
    expect(
      await inside(
        one,
        `return [await store.get('plan'), await store.keys(), (await metad.result('${handle}')).length]`,
      ),
    ).toBe('[{"step":1},["mine","plan"],1500]');
    expect(await inside(other, 'return [await store.get("plan"), await store.keys("m")]')).toBe('["other",[]]');
    expect(await inside(undefined, 'return store.get("plan")')).toBe('nowhere');
    expect(await inside(other, `return metad.result('${handle}')`)).toContain(
      `No result "${handle}" is kept for the workspace ${other}.`,
    );
  };
  await look();
  await home.stop();
  await look();
  // A sudden end takes nothing of what was answered.
  await inside(one, 'await store.set("plan", { step: 1 })');
  const pid = await home.daemonPid();
  if (pid === undefined) throw new Error('no daemon');
  process.kill(pid, 'SIGKILL');
  await untilGone([pid], 10_000);
  await look();
});

test('two scripts at once write to one store', async () => {
  await using home = temporaryHome();
  const [one] = workspaces(home);
  await using first = await connectAgent({ home: home.home, workspace: one });
  await using second = await connectAgent({ home: home.home, workspace: one });
  const script = (name: string) => `
    for (let at = 0; at < 50; at++) { await store.set('${name} ' + at, at); await store.set('shared', '${name}') }
    return store.get('shared')`;
  const ends = await Promise.all([
    first.text('execute', { script: script('a') }),
    second.text('execute', { script: script('b') }),
  ]);
  for (const end of ends) expect(['a', 'b']).toContain(end);
  expect(await first.run('return (await store.keys()).length')).toBe(101);
});

test('a choices.db that cannot be used is an error in the script, stays as it is, and harms nothing else', async () => {
  await using home = temporaryHome();
  writeFileSync(join(home.home, 'choices.db'), 'these are no values but something of mine');
  await using agent = await connectAgent({ home: home.home });
  const failed = await agent.call('execute', { script: 'return store.get("a")' });
  expect(failed.isError).toBe(true);
  expect(textOf(failed)).toContain(
    `${join(home.home, 'choices.db')} is damaged or not of metad. metad leaves it as it is`,
  );
  expect(await agent.run('try { await store.set("a", 1) } catch (error) { return [error.code, 1 + 1] }')).toEqual([
    'unavailable',
    2,
  ]);
  expect(await agent.run(`return 7`)).toBe(7);
});

describe('servers named as metad’s own globals', () => {
  test('have names with `_`, and both work', async () => {
    const names = ['store', 'metad', 'emit', 'tools'];
    await using home = temporaryHome({
      mcpServers: Object.fromEntries(names.map((name) => [name, fixtureServer('names.mjs', name, '["get"]')])),
    });
    await using agent = await connectAgent({ home: home.home });
    await until('all servers are listed', 20_000, async () =>
      (await agent.text('list_tools', { detail: 'names' })).includes('tools_'),
    );
    expect(
      await agent.run(`await store.set('a', 1); emit; metad.result;
        return [await store.get('a'), await store_.get({}), await metad_.get({}), await emit_.get({}), await tools_.get({}), await tools['store'].get({})]`),
    ).toEqual([1, 'store get', 'metad get', 'emit get', 'tools get', 'store get']);
  });
});

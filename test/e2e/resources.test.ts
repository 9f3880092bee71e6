// Resources of backing servers, seen by several agents.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { type RawAgent, rawAgent } from '../helpers/raw-agent.ts';

const updates = (agent: RawAgent) =>
  agent.received.flatMap(({ method, params }) =>
    method === 'notifications/resources/updated' ? [params?.['uri']] : [],
  );

test('resources of running servers are listed and read, and updates reach those alone who subscribed', async () => {
  await using home = temporaryHome({
    mcpServers: { library: fixtureServer('library.mjs'), other: fixtureServer('echo.mjs') },
  });
  const elsewhere = join(home.folder, 'elsewhere');
  await mkdir(elsewhere);
  const here = ['--workspace', home.folder];
  await using alice = rawAgent({ home: home.home, args: here });
  await using bob = rawAgent({ home: home.home, args: here });
  await using carol = rawAgent({ home: home.home, args: ['--workspace', elsewhere] });
  const opened = await alice.open();
  await Promise.all([bob.open(), carol.open()]);
  expect(opened.result?.['capabilities']).toMatchObject({ resources: { subscribe: true } });
  const uri = 'book:///a';
  const run = (agent: RawAgent, id: number, script: string) => agent.call(id, 'execute', { script });

  // Nothing is started for a list.
  expect((await alice.request(1, 'resources/list')).result).toMatchObject({ resources: [] });
  expect((await alice.request(2, 'resources/read', { uri })).error).toMatchObject({ code: -32602 });
  await run(alice, 3, 'return [await library.seen(), await other.say({ text: "hi" })]');
  expect((await alice.request(4, 'resources/list')).result).toMatchObject({
    resources: [{ uri }, { uri: 'book:///b' }],
  });
  const templates = await alice.request(5, 'resources/templates/list');
  expect(templates.result).toMatchObject({ resourceTemplates: [{ uriTemplate: 'page:///{number}' }] });
  const page = await bob.request(1, 'resources/read', { uri: 'page:///7' });
  expect(page.result).toMatchObject({ contents: [{ uri: 'page:///7', text: 'the text of page:///7' }] });

  // The other workspace has an instance of its own.
  await run(carol, 1, 'return library.seen()');
  for (const agent of [alice, bob, carol]) {
    expect((await agent.request(10, 'resources/subscribe', { uri })).result).toBeDefined();
  }
  await bob.request(11, 'resources/unsubscribe', { uri });
  await run(bob, 12, 'return library.change()');
  await until('the update came', 5_000, () => updates(alice).length === 1);
  const seen = await run(alice, 13, 'return library.seen()');
  expect(JSON.stringify(seen).match(/resources\/(un)?subscribe/g)).toEqual(['resources/subscribe']);
  expect([updates(alice), updates(bob), updates(carol)]).toEqual([[uri], [], []]);
});

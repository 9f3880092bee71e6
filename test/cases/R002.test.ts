// A daemon that is told to end in the midst of starting servers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

/** Every grace of a server, side by side, and the daemon's own. */
const GRACE_MS = 8_000;

const labs = (names: readonly string[], mode: string, home: TestHome) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      fixtureServer('e2e-lab.mjs', '--mode', mode, '--log', join(home.folder, `${name}.log`)),
    ]),
  );

const startedOf = (home: TestHome, name: string): number[] => {
  const log = join(home.folder, `${name}.log`);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines.flatMap((line) => (line.startsWith('start ') ? [Number(line.slice(6))] : []));
};

const listing = { id: 1, method: 'tools/call', params: { name: 'list_tools', arguments: {} } };

test('R002: 300 ms after its start SIGTERM ends the daemon and all that it has begun', async () => {
  await using home = temporaryHome();
  const names = ['mute-a', 'mute-b', 'well-a', 'well-b', 'well-c'];
  home.configure({
    mcpServers: { ...labs(names.slice(0, 2), 'silent', home), ...labs(names.slice(2), 'ready', home) },
  });
  await using agent = rawAgent({ home: home.home });
  const opening = agent.open();
  agent.send(listing);
  const daemon = await until('a daemon starts', 10_000, () => home.daemons()[0]?.pid);
  await sleep(300); // the case's own number
  process.kill(daemon, 'SIGTERM');
  const before = performance.now();
  await untilGone([daemon], GRACE_MS);
  expect(performance.now() - before).toBeLessThan(GRACE_MS);
  const all = names.flatMap((name) => startedOf(home, name));
  await untilGone(all, 1_000);
  await opening;
  // Whatever the moment was, the agent hears of it: an answer, or an error that says so.
  await agent.answer(1);
});

test('R002: servers that wait for their turn to start are never started', async () => {
  await using home = temporaryHome();
  const hanging = ['mute-a', 'mute-b', 'mute-c', 'mute-d'];
  const queued = Array.from({ length: 12 }, (_, at) => `well-${at}`);
  home.configure({ mcpServers: { ...labs(hanging, 'silent', home), ...labs(queued, 'ready', home) } });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  agent.send(listing);
  await until('as many start as may', 10_000, () => hanging.every((name) => startedOf(home, name).length === 1));
  // A start that hangs gives its turn on after 5 s, so a slow machine may have begun some of the others by now.
  const daemon = home.daemons()[0]?.pid ?? 0;
  process.kill(daemon, 'SIGTERM');
  await untilGone([daemon], GRACE_MS);
  const begun = queued.filter((name) => startedOf(home, name).length > 0);
  expect(begun.length).toBeLessThan(queued.length / 2);
  await untilGone(
    [...hanging, ...begun].flatMap((name) => startedOf(home, name)),
    1_000,
  );
  expect(queued.filter((name) => startedOf(home, name).length > 0)).toEqual(begun);
  home.configure({}); // or the agent's next word would start them all again
});

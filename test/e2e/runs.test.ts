// Runs from outside: in the background, waited for again, cancelled, and what is left of them when shim or daemon die.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../daemon/sqlite.ts';
import type { RunStatus } from '../../schema/wire.ts';
import { type Agent, CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { rawAgent } from '../helpers/raw-agent.ts';

/** A home with the lab, whose log tells what reached it. */
const labHome = (more: object = {}) => {
  const home = temporaryHome();
  const log = join(home.folder, 'lab.log');
  home.configure({ mcpServers: { lab: fixtureServer('e2e-lab.mjs', '--log', log) }, ...more });
  return { home, logged: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
};

const startOf = ({ content }: { readonly content: readonly { readonly text?: string }[] }): string => {
  const said = JSON.parse(content[0]?.text ?? '{}') as { run: string; state: string };
  expect(said.state).toBe('running');
  expect(said.run).toMatch(/^r\d+$/);
  return said.run;
};

const runOf = async (home: TestHome, id: string): Promise<RunStatus | undefined> =>
  (await home.status()).runs.find((run) => run.id === id);

const callsOnDisk = ({ home }: TestHome): number => {
  using db = loadDriver().open(join(home, 'metad.db'), 1000);
  return Number(db.prepare('SELECT count(*) AS calls FROM run_calls').get()?.['calls']);
};

const begin = async (agent: Agent, script: string): Promise<string> =>
  startOf(await agent.call('execute', { script, background: true }));

test.each(CLIENTS)(
  'a background run is waited for by id, and gives its result as often as asked: %s',
  async (client) => {
    const { home } = labHome();
    await using _home = home;
    await using agent = await connectAgent({ client, home: home.home });
    const started = await agent.call('execute', {
      script: 'return (await lab.slow({ text: "late", ms: 300 })) + "!"',
      background: true,
    });
    expect(started.isError ?? false).toBe(false);
    const run = startOf(started);
    for (const _ of [1, 2]) {
      const result = await agent.call('execute', { resume: run });
      expect(result.isError ?? false).toBe(false);
      expect(textOf(result)).toBe('late!');
    }
    expect(await runOf(home, run)).toMatchObject({ state: 'done', calls: 1, failed: 0, now: null });
  },
);

test('a run that takes longer than detachSeconds goes on, and another session of the workspace gets its result', async () => {
  // `gather` answers nobody before so many have asked: the run goes on until this test lets it end.
  await using home = temporaryHome({
    execute: { detachSeconds: 1 },
    mcpServers: { gather: fixtureServer('gather.mjs') },
  });
  const workspace = home.folder;
  await using agent = await connectAgent({ home: home.home, workspace });
  await begin(agent, 'return gather.next({ n: 1 })');
  await until('the server runs', 20_000, async () => (await home.server('gather'))?.calls === 1);
  const script = 'await gather.next({ n: 1 }); await gather.hold({ n: 0, of: 2 }); return "slow result"';
  const detached = await agent.call('execute', { script });
  const run = startOf(detached);
  expect(detached.content[1]?.text).toContain(`execute({"resume": "${run}"})`);
  await until('it waits', 20_000, async () => (await runOf(home, run))?.now === 'gather.hold');
  expect(await runOf(home, run)).toMatchObject({ state: 'running', calls: 2, workspace });

  await using second = await connectAgent({ home: home.home, workspace });
  const again = await second.call('execute', { resume: run });
  expect(startOf(again)).toBe(run);
  expect(again.content[1]?.text).toContain('gather.hold, 1 call done');
  await begin(second, 'return gather.hold({ n: 1, of: 2 })');
  await until('it is over', 20_000, async () => (await runOf(home, run))?.state === 'done');
  for (const one of [second, agent]) expect(textOf(await one.call('execute', { resume: run }))).toBe('slow result');

  const elsewhere = join(workspace, 'elsewhere');
  mkdirSync(join(elsewhere, '.git'), { recursive: true });
  await using stranger = await connectAgent({ home: home.home, workspace: elsewhere });
  const refused = await stranger.call('execute', { resume: run });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain(`No run ${run} is here: it belongs to another workspace.`);
  expect(textOf(await agent.call('execute', { resume: 'r999' }))).toContain(`${run} (done)`);
});

test('a background run outlives its shim, and so do the servers of its session; a waiting one is cancelled', async () => {
  const { home, logged } = labHome();
  home.configure({
    mcpServers: {
      lab: { ...fixtureServer('e2e-lab.mjs', '--log', join(home.folder, 'lab.log')), sharing: 'session' },
    },
  });
  await using _home = home;
  const agent = rawAgent({ home: home.home });
  await agent.open();
  const script = 'await lab.add({ by: 2 }); await lab.slow({ text: "", ms: 3000 }); return lab.add({ by: 3 })';
  const answer = await agent.call(1, 'execute', { script, background: true });
  const run = startOf(answer.result as { content: { text: string }[] });
  agent.send({
    id: 2,
    method: 'tools/call',
    params: { name: 'execute', arguments: { script: 'return lab.never({})' } },
  });
  await until('both calls have begun', 20_000, () => logged().includes('call never') && logged().includes('call slow'));
  agent.child.kill('SIGKILL');
  await untilGone([agent.pid]);
  await until('the waiting call is cancelled', 5_000, () => /^cancelled /m.test(logged()));

  await using second = await connectAgent({ home: home.home });
  expect(textOf(await second.call('execute', { resume: run }))).toBe('5');
  const runs = (await home.status()).runs;
  expect(runs.map(({ state }) => state)).toEqual(['cancelled', 'done']);
  await until('the session’s own server ends with its last run', 10_000, async () => {
    const servers = (await home.status()).servers.filter(({ name, pid }) => name === 'lab' && pid !== null);
    return servers.length === 0;
  });
});

test('after kill -9 of the daemon a run is interrupted, and its trace says what it had called', async () => {
  const { home, logged } = labHome();
  await using _home = home;
  await using agent = await connectAgent({ home: home.home });
  const run = await begin(agent, 'await lab.add({ by: 1 }); return lab.never({})');
  await until('the second call is made', 20_000, () => logged().includes('call never'));
  const [daemon] = home.daemons().map(({ pid }) => pid);
  const written = performance.now();
  await until('both calls are on disk', 10_000, () => callsOnDisk(home) === 2);
  expect(performance.now() - written).toBeLessThan(3_000); // a second, on a machine that has time
  process.kill(daemon ?? 0, 'SIGKILL');
  await untilGone([daemon ?? 0]);
  const result = await until('the next daemon answers', 20_000, () =>
    agent.call('execute', { resume: run }).catch(() => undefined),
  );
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(
    new RegExp(
      `^Run ${run} was interrupted by a restart of the daemon.*\ncalls made: 2, 1 not ok\nok lab\\.add .*\nrunning lab\\.never`,
    ),
  );
  expect(await runOf(home, run)).toMatchObject({ state: 'interrupted', calls: 2, milliseconds: null });
  // No number is used twice.
  const next = await begin(agent, 'return 1');
  expect(Number(next.slice(1))).toBeGreaterThan(Number(run.slice(1)));
});

test('an orderly stop interrupts what runs, tells who waits, and keeps the trace', async () => {
  const { home, logged } = labHome();
  await using _home = home;
  await using agent = await connectAgent({ home: home.home });
  const waiting = agent.call('execute', { script: 'await lab.add({ by: 1 }); return lab.never({})' });
  await until('the call is made', 20_000, () => logged().includes('call never'));
  await home.stop();
  const told = await waiting;
  expect(told.isError).toBe(true);
  expect(textOf(told)).toContain('was interrupted by a restart of the daemon');
  const again = await agent.call('execute', { resume: 'r1' });
  expect(textOf(again)).toMatch(
    /^Run r1 was interrupted.*\ncalls made: 2, 1 not ok\nok lab\.add .*\ncancelled lab\.never/,
  );
});

test('R050: a cancelled execute cancels its open calls within 500 ms; a cancelled wait leaves the run alone', async () => {
  const { home, logged } = labHome();
  await using _home = home;
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  const script = 'await Promise.all([lab.never({}), lab.never({}), lab.never({})])';
  const took: number[] = [];
  const count = (what: RegExp) => logged().match(what)?.length ?? 0;
  // The best of three: what else this machine does is no matter of ours.
  for (const round of [1, 2, 3]) {
    const id = 10 + round;
    agent.send({ id, method: 'tools/call', params: { name: 'execute', arguments: { script } } });
    await until('three calls are open', 20_000, () => count(/^call never/gm) === 3 * round);
    const before = performance.now();
    agent.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await until('three cancels arrive', 5_000, () => count(/^cancelled /gm) === 3 * round);
    took.push(performance.now() - before);
    await until('the run is over', 10_000, async () => (await runOf(home, `r${round}`))?.state === 'cancelled');
  }
  expect(Math.min(...took)).toBeLessThan(500);

  const answer = await agent.call(6, 'execute', {
    script: 'return lab.slow({ text: "kept", ms: 1500 })',
    background: true,
  });
  const run = startOf(answer.result as { content: { text: string }[] });
  agent.send({ id: 7, method: 'tools/call', params: { name: 'execute', arguments: { resume: run } } });
  agent.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
  const kept = await agent.call(8, 'execute', { resume: run });
  expect(JSON.stringify(kept.result)).toContain('kept');
  expect(agent.received.filter(({ id }) => [7, 11, 12, 13].includes(Number(id)))).toEqual([]);
});

test('progress goes to the token of whoever waits, names the tool of the moment, and nobody else hears any', async () => {
  const home = temporaryHome({ mcpServers: { slow: fixtureServer('slow.mjs') } });
  await using _home = home;
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  const execute = (id: number, args: object, progressToken?: string) =>
    agent.send({
      id,
      method: 'tools/call',
      params: { name: 'execute', arguments: args, ...(progressToken !== undefined && { _meta: { progressToken } }) },
    });
  execute(1, { script: 'await slow.wait({ ms: 10 }); await slow.wait({ ms: 6500 }); return 1' }, 'mine');
  execute(2, { script: 'await slow.wait({ ms: 10 }); return 2' });
  await agent.answer(2);
  await agent.answer(1);
  const reports = () => agent.received.filter(({ method }) => method === 'notifications/progress');
  const ofMine = reports().map(({ params }) => params);
  expect(ofMine.every((params) => params?.['progressToken'] === 'mine')).toBe(true);
  expect(ofMine.map((params) => params?.['message'])).toEqual(
    expect.arrayContaining(['slow.wait, 0 calls done', 'slow.wait, 1 call done']),
  );
  // The beat: 6.5 s of one call.
  expect(ofMine.length).toBeGreaterThanOrEqual(3);

  const started = await agent.call(3, 'execute', { script: 'return slow.wait({ ms: 5500 })', background: true });
  const run = startOf(started.result as { content: { text: string }[] });
  execute(4, { resume: run }, 'again');
  await agent.answer(4);
  const later = reports().slice(ofMine.length);
  expect(later.length).toBeGreaterThanOrEqual(1);
  expect(later.every(({ params }) => params?.['progressToken'] === 'again')).toBe(true);
});

test('metad exec --trace prints the value and, apart from it, the calls', async () => {
  const { home } = labHome();
  await using _home = home;
  const script = 'await lab.echo({ text: "abc" }); try { await lab.die({}) } catch {} return "value"';
  const { code, stdout, stderr } = await home.metad(['exec', '--trace', '-'], { input: script });
  expect([code, stdout]).toEqual([0, 'value\n']);
  expect(stderr).toMatch(
    /^Run r1 \(2 calls\)\nOUTCOME +TOOL +TOOK +SIZE +NOTE\nok +lab\.echo .* 3 B\nerror +lab\.die /,
  );
  const json = JSON.parse((await home.metad(['exec', '--json', '-'], { input: script })).stdout);
  expect(json).toMatchObject({ run: 'r2', isError: false, trace: [{ tool: 'echo', outcome: 'ok', bytes: 3 }, {}] });
  expect(json.trace[0]).not.toHaveProperty('arguments');
});

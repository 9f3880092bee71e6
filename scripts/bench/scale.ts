// What an agent waits for and what the daemon holds, by the number of servers and tools: nothing may grow faster than they do.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestHome } from '../../test/helpers/home.ts';
import { pssOf } from '../../test/helpers/processes.ts';
import { type Fleet, fleetHome, serverNames } from './fleet.ts';
import {
  bareNode,
  interleaved,
  type LineClient,
  type Measure,
  median,
  type Row,
  shimClient,
  type Table,
  timed,
} from './harness.ts';

const FLEETS = {
  '1 × 2,500': { servers: 1, tools: 2500 },
  '50 × 50': { servers: 50, tools: 50 },
  '2 × 500': { servers: 2, tools: 500 },
  '20 × 500': { servers: 20, tools: 500 },
  '80 × 500': { servers: 80, tools: 500 },
} as const satisfies Readonly<Record<string, Fleet>>;
type Name = keyof typeof FLEETS;
const NAMES = Object.keys(FLEETS) as Name[];
/** 1,000, 10,000 and 40,000 tools in servers alike: what growth is read from. */
const [SMALL, MIDDLE, LARGE] = ['2 × 500', '20 × 500', '80 × 500'] as const satisfies readonly Name[];

const LIVES = 2;
const TRIES = 7;
const MEGABYTE = 2 ** 20;

const TASKS = [
  'create an issue in a repository',
  'send a message to a channel',
  'list the files of a folder',
  'what does this page say',
  'run a query on the database',
  'upload an image',
  'who is on call this week',
  'restart the service',
  'find flights next monday',
];

/** What is measured, in the order in which it is printed; times in ms, memory in MB. */
const STEPS = {
  contact: 'first contact: every server started and listed',
  node: '`node -e 0`, beside the next',
  cold: 'session start, no daemon running',
  connect: 'session start, warm daemon',
  listFirst: '`list_tools` of everything, first in the daemon’s life',
  list: '`list_tools` of everything',
  serverFirst: '`list_tools` of one server, first',
  server: '`list_tools` of one server',
  tool: '`list_tools` of one tool',
  searchFirst: '`list_tools` by query, first: the index is built',
  search: '`list_tools` by query, a new one',
  executeFirst: '`execute` of one call, first: its server starts',
  execute: '`execute` of one call',
  memory: 'memory of the daemon after all this, PSS',
} as const;
type Step = keyof typeof STEPS;
const STEP_NAMES = Object.keys(STEPS) as Step[];
type Samples = Record<Step, number[]>;
const GROWING = STEP_NAMES.filter((step) => step !== 'node' && step !== 'connect');

const session = async (home: TestHome): Promise<number> => {
  const before = performance.now();
  await using agent = shimClient(home.home);
  await agent.open();
  await agent.request('tools/list');
  return performance.now() - before;
};

const firstContact = async (home: TestHome, fleet: Fleet, took: Samples): Promise<void> => {
  await using agent = shimClient(home.home);
  await agent.open();
  took.contact.push(await timed(() => agent.call('list_tools', {})));
  const { servers } = await home.status();
  const known = servers.reduce((sum, { tools }) => sum + (tools ?? 0), 0);
  if (known !== fleet.servers * fleet.tools)
    throw new Error(`${known} of ${fleet.servers * fleet.tools} tools are known`);
};

const workOf = (agent: LineClient, server: string) => {
  const script = `return ${server}.echo({ text: 'x' })`;
  return {
    list: () => agent.call('list_tools', {}),
    server: () => agent.call('list_tools', { servers: [server], detail: 'signatures' }),
    tool: () => agent.call('list_tools', { servers: [server], tools: ['echo'], detail: 'full' }),
    execute: () => agent.call('execute', { script }),
    search: (query: string) => agent.call('list_tools', { query }),
  };
};

/** One life of a daemon that finds its catalog filled; the last one goes on to the steps that need it warm. */
const live = async (home: TestHome, fleet: Fleet, took: Samples, isLast: boolean): Promise<void> => {
  await home.stop();
  took.node.push(await bareNode());
  took.cold.push(await session(home));
  await using agent = shimClient(home.home);
  await agent.open();
  const work = workOf(agent, serverNames(fleet).at(-1) ?? '');
  took.listFirst.push(await timed(work.list));
  took.serverFirst.push(await timed(work.server));
  if (!isLast) return;
  for (let round = 0; round < TRIES; round += 1) {
    for (const step of ['list', 'server', 'tool'] as const) took[step].push(await timed(work[step]));
  }
  const [first = '', ...others] = TASKS;
  took.searchFirst.push(await timed(() => work.search(first)));
  for (const query of others) took.search.push(await timed(() => work.search(query)));
  took.executeFirst.push(await timed(work.execute));
  for (let round = 0; round < TRIES; round += 1) took.execute.push(await timed(work.execute));
};

const noSamples = (): Samples =>
  Object.fromEntries(STEP_NAMES.map((step): [Step, number[]] => [step, []])) as unknown as Samples;

/** `connect` has to be the same for any number, and a start without a daemon as fast as with few; the rest may grow as they do. */
const rowsOf = (at: (name: Name, step: Step) => number): Row[] => [
  {
    id: 'scale-start-cold',
    what: 'session start, no daemon running, 10,000 tools known',
    unit: 'ms',
    value: at(MIDDLE, 'cold'),
    base: at(MIDDLE, 'node'),
    baseName: '`node -e 0`',
  },
  {
    id: 'scale-start-warm',
    what: 'session start, warm daemon, 40,000 tools known',
    unit: 'ms',
    value: at(LARGE, 'connect'),
    base: at(SMALL, 'connect'),
    baseName: '1,000 tools known',
  },
  ...GROWING.map((step) => ({
    id: `scale-${step}`,
    what: `40,000 tools: ${STEPS[step]}`,
    unit: step === 'memory' ? 'MB' : 'ms',
    value: at(LARGE, step),
    base: at(MIDDLE, step),
    baseName: '10,000 tools',
  })),
];

const ratio = (value: number): string => `${value.toFixed(2)} ×`;

const tableOf = (at: (name: Name, step: Step) => number): Table => ({
  title: 'Scale, by servers × tools of each: p50 in ms as the agent sees it, memory in MB',
  head: ['step', ...NAMES, 'per 1,000 at 40,000', '10,000 / 1,000', '40,000 / 10,000'],
  rows: STEP_NAMES.map((step) => [
    STEPS[step],
    ...NAMES.map((name) => at(name, step)),
    at(LARGE, step) / 40,
    ratio(at(MIDDLE, step) / at(SMALL, step)),
    ratio(at(LARGE, step) / at(MIDDLE, step)),
  ]),
});

const daemonMegabytes = async (home: TestHome): Promise<number> =>
  (pssOf((await home.daemonPid()) ?? 0) ?? 0) / MEGABYTE;

/** All at the same time: a session's start is compared in turns, and memory once all are at rest. */
const measureAll = async (homes: Readonly<Record<Name, TestHome>>, say: (text: string) => void) => {
  const samples = Object.fromEntries(NAMES.map((name) => [name, noSamples()])) as Record<Name, Samples>;
  for (const name of NAMES) {
    say(`${name} tools: first contact`);
    await firstContact(homes[name], FLEETS[name], samples[name]);
    say(`${name} tools: from the catalog`);
    for (let life = 1; life <= LIVES; life += 1) await live(homes[name], FLEETS[name], samples[name], life === LIVES);
  }
  say('session start');
  const starts = Object.fromEntries(NAMES.map((name) => [name, () => session(homes[name])]));
  for (const [name, took] of Object.entries(await interleaved(TRIES, starts)))
    samples[name as Name].connect.push(...took);
  await sleep(1_000); // what the work took is given back
  for (const name of NAMES) samples[name].memory.push(await daemonMegabytes(homes[name]));
  return (name: Name, step: Step): number => median(samples[name][step]);
};

export const measure: Measure = async (say) => {
  const homes = Object.fromEntries(NAMES.map((name) => [name, fleetHome(FLEETS[name])])) as Record<Name, TestHome>;
  try {
    const at = await measureAll(homes, say);
    return { rows: rowsOf(at), tables: [tableOf(at)] };
  } finally {
    await Promise.all(Object.values(homes).map((home) => home[Symbol.asyncDispose]()));
  }
};

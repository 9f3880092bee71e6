// The sandbox alone, as the daemon holds it: from the request to a script's first statement, and what a worker takes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createSandbox } from '../../daemon/sandbox/pool.ts';
import type { GuestNamespace, Sandbox } from '../../daemon/sandbox/sandbox.ts';
import { pssOf, until } from '../../test/helpers/processes.ts';
import { ROOT } from '../../test/helpers/program.ts';
import { interleaved, type Measure, median, quantile } from './harness.ts';

const ROUNDS = 200;
const STARTS = 7;
const WORKERS = 4;
const MEGABYTE = 2 ** 20;

const LIMITS = {
  timeoutMs: 30_000,
  totalMs: 30_000,
  memoryBytes: 64 * MEGABYTE,
  maxCalls: 10,
  maxLogCharacters: 100,
};

const worker = pathToFileURL(join(ROOT, 'dist', 'worker.js'));

/** Ten servers with as many tools in all. */
const namespacesOf = (tools: number): readonly GuestNamespace[] =>
  Array.from({ length: 10 }, (_, server) => ({
    server: `server-${server}`,
    global: `server${server}`,
    tools: Array.from({ length: tools / 10 }, (_, at) => ({
      script: `update_record_${at}`,
      raw: `update-record-${at}`,
    })),
  }));

const open = (warmWorkers: number): Sandbox =>
  createSandbox({ log: () => {}, maxWorkers: WORKERS + 1, warmWorkers, workerUrl: worker });

/** Milliseconds until the script's first statement calls a tool, seen where the call arrives. */
const firstStatement = async (sandbox: Sandbox, namespaces: readonly GuestNamespace[]): Promise<number> => {
  const before = performance.now();
  let arrived = Number.NaN;
  const outcome = await sandbox.run({
    script: 'server0.update_record_0({})',
    namespaces,
    limits: LIMITS,
    signal: new AbortController().signal,
    call: async () => {
      arrived = performance.now() - before;
      return 'ok';
    },
  });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return arrived;
};

const ready = (sandbox: Sandbox, workers: number) =>
  until('workers are ready', 20_000, () => sandbox.workers() === workers);

const start = async (namespaces: readonly GuestNamespace[]): Promise<number> => {
  await using sandbox = open(1);
  return await firstStatement(sandbox, namespaces);
};

/** A script that holds a list of 10,000 rows and waits for a tool. */
const BUSY = `
const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'row ' + id }));
await server0.update_record_0({});
return rows.length`;

interface Size {
  readonly idle: number;
  readonly busy: number;
}

/** What each of some workers adds to this process, at rest and while its script waits. */
const workerBytes = async (namespaces: readonly GuestNamespace[]): Promise<Size> => {
  await using one = open(1);
  await firstStatement(one, namespaces);
  const before = pssOf(process.pid) ?? Number.NaN;
  await using more = open(WORKERS);
  await ready(more, WORKERS);
  await Promise.all(Array.from({ length: WORKERS }, () => firstStatement(more, namespaces)));
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // what starting took is given back
  const each = () => ((pssOf(process.pid) ?? Number.NaN) - before) / WORKERS;
  const idle = each();
  const waiting: (() => void)[] = [];
  const runs = Array.from({ length: WORKERS }, () =>
    more.run({
      script: BUSY,
      namespaces,
      limits: LIMITS,
      signal: new AbortController().signal,
      call: () => new Promise((resolve) => waiting.push(() => resolve('ok'))),
    }),
  );
  await until('all scripts wait', 20_000, () => waiting.length === WORKERS);
  const busy = each();
  for (const go of waiting) go();
  await Promise.all(runs);
  return { idle, busy };
};

export const measure: Measure = async (say) => {
  if (!existsSync(worker)) throw new Error('run `npm run build` first');
  const none = namespacesOf(0).map((one) => ({ ...one, open: true }));
  const many = namespacesOf(2_500);
  say('a worker');
  const bytes = await workerBytes(none);
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round += 1) starts.push(await start(none));
  say('request to first statement');
  await using sandbox = open(2);
  // Each kind in turn, so that every run brings its worker another view: the dearest case.
  const kinds = { none: () => firstStatement(sandbox, none), many: () => firstStatement(sandbox, many) };
  await interleaved(20, kinds);
  await using steady = open(2);
  await interleaved(20, { many: () => firstStatement(steady, many) });
  const samples = await interleaved(ROUNDS, { ...kinds, steady: () => firstStatement(steady, many) });
  const tail = (sample: readonly number[]) => `p95 ${quantile(sample, 0.95).toFixed(2)} ms`;
  return [
    {
      id: 'sandbox-none',
      what: 'sandbox: request → first statement, warm, tools unknown, p50',
      unit: 'ms',
      value: median(samples.none),
      note: tail(samples.none),
    },
    {
      id: 'sandbox-many',
      what: 'sandbox: request → first statement, warm, 2,500 tools, p50',
      unit: 'ms',
      value: median(samples.steady),
      note: `${tail(samples.steady)}; where the worker has to be told of the tools ${median(samples.many).toFixed(2)} ms`,
    },
    {
      id: 'sandbox-start',
      what: 'sandbox: the first run of a new one, worker started for it',
      unit: 'ms',
      value: median(starts),
    },
    { id: 'sandbox-worker', what: 'sandbox: an idle worker, PSS', unit: 'MB', value: bytes.idle / MEGABYTE },
    {
      id: 'sandbox-busy',
      what: 'sandbox: a worker whose script holds 10,000 rows and waits, PSS',
      unit: 'MB',
      value: bytes.busy / MEGABYTE,
    },
  ];
};

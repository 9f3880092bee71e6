// One small call, many at once, a large one, and a hundred that depend on each other: direct, by relay, by metad.
// The agent is the SDK's client on every path; where `bare` is said, it is one that only writes and reads lines.
import { temporaryHome } from '../../test/helpers/home.ts';
import {
  benchServer,
  interleaved,
  lineClient,
  type Measure,
  median,
  quantile,
  type Row,
  sdkAgent,
  shimClient,
  shimCommand,
  startRelay,
  textIn,
  timed,
} from './harness.ts';
import { plainWorker } from './plain-worker.ts';

const SMALL_ROUNDS = 400;
const BURST_ROUNDS = 15;
const LARGE_ROUNDS = 25;
const CHAIN_ROUNDS = 15;
const MEGABYTE = 1_000_000;

const ECHO = { text: 'small' };
const ONE = { script: 'return bench.echo({ text: "small" })' };
const FIFTY = { script: 'return Promise.all(Array.from({ length: 50 }, (_, at) => bench.echo({ text: String(at) })))' };
const LARGE = { size: MEGABYTE };
const CHAIN = `
let text = "0";
for (let at = 0; at < 100; at += 1) text = String(Number(await bench.echo({ text })) + 1);
return text;`;

export const measure: Measure = async (say) => {
  await using home = temporaryHome({
    mcpServers: { bench: benchServer() },
    execute: { maxOutputCharacters: 2 * MEGABYTE },
  });
  await using relayed = await startRelay(home.folder);
  await using direct = await sdkAgent(benchServer());
  await using relay = await sdkAgent(relayed.command);
  await using metad = await sdkAgent(shimCommand(home.home));
  const { command, args } = benchServer();
  await using bareDirect = lineClient(command, args);
  await using bareRelay = lineClient(relayed.command.command, relayed.command.args);
  await using bareMetad = shimClient(home.home);
  for (const client of [bareDirect, bareRelay, bareMetad]) await client.open();

  const once = {
    direct: () => timed(() => direct.call('echo', ECHO)),
    relay: () => timed(() => relay.call('echo', ECHO)),
    metad: () => timed(() => metad.call('execute', ONE)),
    bareDirect: () => timed(() => bareDirect.call('echo', ECHO)),
    bareRelay: () => timed(() => bareRelay.call('echo', ECHO)),
    bareMetad: () => timed(() => bareMetad.call('execute', ONE)),
    shim: () => timed(() => bareMetad.request('tools/list')),
    empty: () => timed(() => bareMetad.call('execute', { script: '0' })),
  };
  say('warming up');
  await interleaved(30, once);
  say('one small call');
  const small = await interleaved(SMALL_ROUNDS, once);

  say('fifty at once');
  const fifty = (call: () => Promise<unknown>) => timed(() => Promise.all(Array.from({ length: 50 }, call)));
  const burst = await interleaved(BURST_ROUNDS, {
    direct: () => fifty(() => direct.call('echo', ECHO)),
    relay: () => fifty(() => relay.call('echo', ECHO)),
    executes: () => fifty(() => metad.call('execute', ONE)),
    inside: () => timed(() => metad.call('execute', FIFTY)),
  });

  say('a megabyte');
  const large = await interleaved(LARGE_ROUNDS, {
    direct: () => timed(() => direct.call('large', LARGE)),
    relay: () => timed(() => relay.call('large', LARGE)),
    through: () => timed(() => metad.call('execute', { script: `return bench.large({ size: ${MEGABYTE} })` })),
    inside: () =>
      timed(() => metad.call('execute', { script: `return (await bench.large({ size: ${MEGABYTE} })).length` })),
  });

  say('a hundred in a row');
  await using worker = plainWorker(async (name, args) => textIn(await direct.call(name, args)));
  const chain = await interleaved(CHAIN_ROUNDS, {
    direct: () =>
      timed(async () => {
        let text = '0';
        for (let at = 0; at < 100; at += 1) text = String(Number(textIn(await direct.call('echo', { text }))) + 1);
      }),
    worker: () => timed(() => worker.run(CHAIN)),
    execute: () => timed(() => metad.call('execute', { script: CHAIN })),
  });
  const { trips } = await interleaved(3, {
    trips: () =>
      timed(async () => {
        for (let at = 0; at < 100; at += 1) await metad.call('execute', ONE);
      }),
  });

  const tail = (sample: readonly number[]) =>
    `p95 ${quantile(sample, 0.95).toFixed(2)}, p99 ${quantile(sample, 0.99).toFixed(2)} ms`;
  const p50 = (
    id: string,
    what: string,
    sample: readonly number[],
    base: readonly number[],
    baseName: string,
    note?: string,
  ): Row => ({
    id,
    what,
    unit: 'ms',
    value: median(sample),
    base: median(base),
    baseName,
    ...(note === undefined ? {} : { note }),
  });
  const rate = (id: string, what: string, sample: readonly number[]): Row => ({
    id,
    what,
    unit: 'calls/s',
    value: 50_000 / median(sample),
    base: 50_000 / median(burst.direct),
    baseName: 'direct stdio',
  });
  const later = (id: string, what: string, unit: string): Row => ({
    id,
    what,
    unit,
    value: null,
    note: 'comes with the flat surface',
  });

  return [
    p50(
      'relay',
      'the bare relay itself, one small call, p50',
      small.relay,
      small.direct,
      'direct stdio',
      `${tail(small.relay)}; direct ${tail(small.direct)}`,
    ),
    p50('relay-bare', 'the same with a bare agent', small.bareRelay, small.bareDirect, 'direct stdio, bare agent'),
    later('native-small', 'small native call (`flat`, `execute_tool`), p50', 'ms'),
    p50('execute-small', 'one call by `execute`, p50', small.metad, small.relay, 'the relay', tail(small.metad)),
    p50(
      'execute-bare',
      'the same with a bare agent',
      small.bareMetad,
      small.bareRelay,
      'the relay, bare agent',
      tail(small.bareMetad),
    ),
    p50('execute-direct', 'one call by `execute`, p50', small.metad, small.direct, 'direct stdio'),
    p50(
      'execute-empty',
      '`execute` of a script that calls nothing, p50',
      small.empty,
      small.shim,
      '`tools/list` through the shim',
      'bare agent; the difference is about what a script costs, seen from outside',
    ),
    later('large-native', '1 MB result on `flat`, p50', 'ms'),
    p50('large-relay', '1 MB result by the bare relay, p50', large.relay, large.direct, 'direct stdio'),
    p50(
      'large-through',
      '1 MB result returned by a script, p50',
      large.through,
      large.direct,
      'direct stdio',
      'with the cap on output lifted',
    ),
    p50('large-inside', '1 MB result that stays in the script, p50', large.inside, large.direct, 'direct stdio'),
    later('burst-native', '50 native calls in flight', 'calls/s'),
    rate('burst-relay', '50 calls in flight by the bare relay', burst.relay),
    rate('burst-inside', '50 calls in flight inside one `execute`', burst.inside),
    rate('burst-executes', '50 `execute` of one call each in flight', burst.executes),
    p50(
      'chain-worker',
      '100 dependent calls in one `execute`',
      chain.execute,
      chain.worker,
      'a plain-JS worker',
      `direct: ${median(chain.direct).toFixed(1)} ms`,
    ),
    p50(
      'chain-trips',
      '100 dependent calls in one `execute`',
      chain.execute,
      trips,
      '100 round trips through the shim',
    ),
  ];
};

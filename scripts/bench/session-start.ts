// From the spawn of the shim until `tools/list` is answered, with and without a daemon, beside `node -e 0`.
import { temporaryHome } from '../../test/helpers/home.ts';
import { publishedServer } from '../../test/helpers/program.ts';
import { bareNode, benchServer, interleaved, type Measure, median, shimClient } from './harness.ts';

const WARM_ROUNDS = 25;
const COLD_ROUNDS = 7;

/** Milliseconds until the second answer; the shim's end is not part of it. */
const session = async (home: string): Promise<number> => {
  const before = performance.now();
  await using client = shimClient(home);
  await client.open();
  await client.request('tools/list');
  return performance.now() - before;
};

export const measure: Measure = async (say) => {
  await using home = temporaryHome({
    mcpServers: {
      memory: publishedServer('memory'),
      ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`server${at}`, benchServer()])),
    },
  });
  say('warm daemon');
  await session(home.home);
  const warm = await interleaved(WARM_ROUNDS, { node: bareNode, metad: () => session(home.home) });
  say('no daemon');
  const cold = await interleaved(COLD_ROUNDS, {
    node: bareNode,
    metad: async () => {
      await home.stop();
      return session(home.home);
    },
  });
  const compared = (samples: { node: number[]; metad: number[] }) => ({
    unit: 'ms',
    value: median(samples.metad),
    base: median(samples.node),
    baseName: '`node -e 0`',
  });
  return [
    { id: 'start-warm', what: 'session start, warm daemon', ...compared(warm) },
    { id: 'start-cold', what: 'session start, no daemon running', ...compared(cold) },
  ];
};

// Many scripts at once that wait for slow tools, and one script with a thousand calls in a row.
import { temporaryHome } from '../../test/helpers/home.ts';
import { fixtureServer } from '../../test/helpers/program.ts';
import { benchServer, interleaved, type Measure, median, sdkAgent, shimCommand, textIn, timed } from './harness.ts';
import { plainWorker } from './plain-worker.ts';

const SCRIPTS = 50;
const SECONDS = 2;
/** Enough that no instance has more calls than it takes at once (16). */
const SERVERS = 4;
const CALLS = 1000;
const ROUNDS = 3;

const CHAIN = `
let text = "0";
for (let at = 0; at < ${CALLS}; at += 1) text = String(Number(await bench.echo({ text })) + 1);
return text;`;

export const measure: Measure = async (say) => {
  const names = Array.from({ length: SERVERS }, (_, at) => `slow${at}`);
  await using home = temporaryHome({
    mcpServers: {
      bench: benchServer(),
      ...Object.fromEntries(names.map((name) => [name, fixtureServer('e2e-lab.mjs')])),
    },
  });
  await using direct = await sdkAgent(benchServer());
  await using metad = await sdkAgent(shimCommand(home.home));
  await using worker = plainWorker(async (name, args) => textIn(await direct.call(name, args)));

  say(`${SCRIPTS} scripts that wait`);
  const waitFor = (milliseconds: number) => (at: number) =>
    metad.call('execute', {
      script: `return ${names[at % SERVERS]}.slow({ text: "${at}", ms: ${milliseconds} })`,
    });
  const all = (run: (at: number) => Promise<unknown>) =>
    timed(() => Promise.all(Array.from({ length: SCRIPTS }, (_, at) => run(at))));
  await all(waitFor(1)); // servers and workers start
  const waiting = await all(waitFor(SECONDS * 1000));

  say(`${CALLS} calls in a row`);
  const chain = await interleaved(ROUNDS, {
    worker: () => timed(() => worker.run(CHAIN)),
    execute: () => timed(() => metad.call('execute', { script: CHAIN })),
  });
  return [
    {
      id: 'runs-waiting',
      what: `${SCRIPTS} scripts at once, each on a tool of ${SECONDS} s, over ${SERVERS} servers`,
      unit: 's',
      value: waiting / 1000,
    },
    {
      id: 'chain-1000',
      what: `${CALLS} dependent calls in one \`execute\``,
      unit: 'ms',
      value: median(chain.execute),
      base: median(chain.worker),
      baseName: 'a plain-JS worker',
    },
  ];
};

// Random sessions, servers and troubles, and whether everything that must hold does. Usage: scripts/chaos
// [--seed N[,N…]] [--minutes M] [--steps N] [--sessions N]
import { parseArgs } from 'node:util';
import { chaos, toText } from './run.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '5' },
    steps: { type: 'string' },
    sessions: { type: 'string', default: '5' },
  },
});

const numberOf = (name: string, text: string): number => {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name} takes a number above 0, not "${text}".`);
  process.exit(2);
};

const seeds = values.seed.split(',').map((text) => numberOf('seed', text));
const milliseconds = numberOf('minutes', values.minutes) * 60_000;
const slots = numberOf('sessions', values.sessions);
const steps = values.steps === undefined ? {} : { steps: numberOf('steps', values.steps) };
const started = performance.now();
const say = (text: string) =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);

// Its home has daemon and servers, which must not outlive it: the first signal ends it in order.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => (stop.signal.aborted ? process.exit(1) : stop.abort()));

for (const seed of seeds) {
  if (stop.signal.aborted) break;
  const report = await chaos({ seed, milliseconds, slots, say, signal: stop.signal, ...steps });
  console.log(toText(report));
  if (report.faults.length > 0) process.exitCode = 1;
}

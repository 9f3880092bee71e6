// Throws generated scripts at a daemon and says whether it, its memory and a session beside them came through unharmed.
// Usage: npm run fuzz [-- --count N] [--seed N]
import { parseArgs } from 'node:util';
import { fuzz, toText } from './run.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const numberOf = (name: 'count' | 'seed'): number => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} takes a whole number above 0, not "${values[name]}".`);
  process.exit(2);
};

const started = performance.now();
const report = await fuzz({
  count: numberOf('count'),
  seed: numberOf('seed'),
  say: (text) => console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`),
});
console.log(toText(report));
process.exitCode = report.faults.length > 0 ? 1 : 0;

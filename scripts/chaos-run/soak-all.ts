// The whole soak: calls over stdio and over HTTP (R088), then shims and servers that come and go (R089).
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryHome } from '../../test/helpers/home.ts';
import { fixtureServer } from '../../test/helpers/program.ts';
import { controlOf } from './control.ts';
import { openWeb } from './fleet.ts';
import { startLimited } from './limited.ts';
import { type Holding, holdingOf } from './rest.ts';
import { alarmsOf, callMany, comeAndGo, connectSoaker, restartMany, settledGrowth } from './soak.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '2000' },
    restarts: { type: 'string', default: '500' },
  },
});
const numberOf = (name: keyof typeof values): number => {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} takes a whole number, not "${values[name]}".`);
  process.exit(2);
};
const [calls, rounds, restarts] = [numberOf('calls'), numberOf('rounds'), numberOf('restarts')];

const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1000).toFixed(0).padStart(5);
const say = (text: string) => console.error(`${seconds()} s  ${text}`);
const shown = ({ descriptors, resources, bytes }: Holding): string =>
  `${descriptors} descriptors, ${(bytes / 2 ** 20).toFixed(1)} MB, ${JSON.stringify(resources)}`;

// Its home has daemon and servers, which must not outlive it: the first signal ends it in order.
let stopped = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    if (stopped) process.exit(1);
    stopped = true;
  });

/** Descriptors that the daemon may have. */
const LIMIT = 256;
/** Calls, and rounds, before anything is compared: each part was at work once, and V8 has what it wants. */
const WARM_UP = 2000;
const PIECE = 1000;

const soakCalls = async (): Promise<string[]> => {
  await using home = temporaryHome();
  await using web = await openWeb(join(home.folder, 'ledger'));
  home.configure({
    mcpServers: {
      near: { ...fixtureServer('chaos.mjs'), sharing: 'user', timeout: 1000 },
      web: { url: web.url, timeout: 1000 },
    },
  });
  await using agent = await connectSoaker(home, 'soak');
  const control = controlOf(home.socket);
  for (const server of ['near', 'web']) await callMany(agent, server, Math.min(WARM_UP, calls));
  await settledGrowth(control, { descriptors: 0, resources: {}, bytes: 0 }, { milliseconds: 70_000 });
  const before = await holdingOf(control);
  say(`before the calls: ${shown(before)}`);
  const faults: string[] = [];
  for (const server of ['near', 'web'])
    for (let made = 0; made < calls && !stopped; made += PIECE) {
      const done = await callMany(agent, server, Math.min(PIECE, calls - made));
      faults.push(...done.faults.map((text) => `${server}, after ${made}: ${text}`));
      say(`${server}: ${made + PIECE} calls; ${shown(await holdingOf(control))}`);
    }
  faults.push(...(await settledGrowth(control, before)));
  say(`after the calls: ${shown(await holdingOf(control))}`);
  return [...faults, ...alarmsOf(home)];
};

const soakSessions = async (): Promise<string[]> => {
  await using home = temporaryHome({ mcpServers: { near: { ...fixtureServer('chaos.mjs'), sharing: 'user' } } });
  await startLimited(home.home, LIMIT);
  const control = controlOf(home.socket);
  const options = { home, control, say };
  await using agent = await connectSoaker(home, 'stays');
  await comeAndGo(options, Math.min(40, rounds));
  await restartMany(options, agent, 'near', Math.min(20, restarts));
  const before = await holdingOf(control);
  say(`before the rounds: ${shown(before)}`);
  const faults = [...(await comeAndGo(options, rounds)), ...(await restartMany(options, agent, 'near', restarts))];
  faults.push(...(await settledGrowth(control, before)));
  say(`after the rounds: ${shown(await holdingOf(control))}`);
  const { sessions } = await control.status({});
  if (sessions.length !== 1) faults.push(`${sessions.length} sessions are open, and one should be`);
  return [...faults, ...alarmsOf(home)];
};

const faults = [...(await soakCalls()), ...(stopped ? [] : await soakSessions())];
if (stopped) faults.push('it was stopped before its end');
console.log(`${seconds()} s: 2 × ${calls} calls, ${rounds} sessions, ${restarts} starts of a server`);
console.log(faults.length === 0 ? 'no fault' : faults.map((text) => `FAULT ${text}`).join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;

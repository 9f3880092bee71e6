// One chaos run: a fleet, a crowd, steps from a seed, and after each of them everything that must hold.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENTS } from '../../test/helpers/agent.ts';
import { temporaryHome } from '../../test/helpers/home.ts';
import { createBook } from './book.ts';
import { controlOf } from './control.ts';
import { createCrowd, type Ended } from './crowd.ts';
import { fleetConfig, openWeb } from './fleet.ts';
import { type Action, actionText, SERVERS, type Step, stepsOf, troubleText } from './plan.ts';
import { createPrograms } from './programs.ts';
import { growthOf, type Holding, holdingOf, lookAtRest } from './rest.ts';
import { cause, untilConfigured, type World } from './trouble.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly say: (text: string) => void;
  /** Ends after so many steps. */
  readonly steps?: number;
  /** Begins no step after this. */
  readonly milliseconds?: number;
  /** Sessions at a time. Default 5. */
  readonly slots?: number;
  readonly workspaces?: number;
  /** Ends after the step that goes on. */
  readonly signal?: AbortSignal;
  /** Compare what the daemon holds before and after; takes a minute. Default true. */
  readonly comparesHoldings?: boolean;
}

export interface ChaosReport {
  readonly seed: number;
  readonly steps: number;
  readonly seconds: number;
  /** Scripts by their end. */
  readonly ended: Readonly<Record<Ended['outcome'], number>>;
  readonly troubles: Readonly<Record<string, number>>;
  /** First words of what agents were told where something failed, with how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** One sentence each; empty where all held. The run ends with the first step that has one. */
  readonly faults: readonly string[];
  /** The last steps, for a run that ended with a fault. */
  readonly log: readonly string[];
}

/** How long a fleet may take to come to rest: a stubborn server alone takes 4 s, on an idle machine. */
const REST_MS = 30_000;
const SHOWN_STEPS = 8;
/** What V8 took for floods it keeps for a while, and one daemon had more of them than the other; leaks are for the soak. */
const GROWTH = 60 * 2 ** 20;
const HOLDING_MS = 90_000;

/** Where nothing went wrong, these alone may be told: what an earlier step has left behind. */
const AFTERMATH = /is not running|unavailable|next try|not start|too soon|answered .* times|parked|back-off|again in/i;
/** A bug of ours, whatever went wrong. */
const NEVER = /internal error|TypeError|ReferenceError|is not a function|undefined \(reading/i;

const NONE: Record<Ended['outcome'], number> = { ok: 0, failed: 0, cancelled: 0, cut: 0 };

const LOOK: Action = { slot: 0, server: 'hub', tool: 'list_tools', count: 1, ms: 0, size: 0 };

/** What a script is told that names a server which is not there. */
const UNKNOWN = /'spare' is not defined|names? in the script (is|are) unknown/;

const kindOf = (text: string): string =>
  text
    .replace(/n\d+x\d+z/g, 'N')
    .replace(/\d+/g, '#')
    .split('\n')
    .slice(0, 2)
    .join(' ')
    .slice(0, 150);

const listenerWarnings = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : []).flatMap((name) => {
    const text = name.endsWith('.log') ? readFileSync(join(folder, name), 'utf8') : '';
    return text.split('\n').filter((line) => /MaxListenersExceeded|uncaught|unhandled/i.test(line));
  });

/** Never throws; what metad does wrong, and what hinders the run itself, is in `faults`. */
export const chaos = async (options: ChaosOptions): Promise<ChaosReport> => {
  let report: ChaosReport | undefined;
  try {
    await run(options, (made) => {
      report = made;
    });
  } catch (error) {
    const text = `the run itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    const { seed } = options;
    const nothing = { seed, steps: 0, seconds: 0, ended: NONE, troubles: {}, failures: {}, faults: [], log: [] };
    return { ...(report ?? nothing), faults: [...(report?.faults ?? []), text] };
  }
  if (report === undefined) throw new Error('no report');
  return report;
};

const run = async (options: ChaosOptions, give: (report: ChaosReport) => void): Promise<void> => {
  const { seed, say, steps: most = Number.POSITIVE_INFINITY, slots = 5, workspaces = 2 } = options;
  const begun = performance.now();
  const end = begun + (options.milliseconds ?? Number.POSITIVE_INFINITY);
  const comparesHoldings = options.comparesHoldings ?? true;
  const faults: string[] = [];
  const log: string[] = [];
  const ended: Record<Ended['outcome'], number> = { ...NONE };
  const troubles: Record<string, number> = {};
  const failures: Record<string, number> = {};
  let done = 0;

  await using home = temporaryHome({});
  const ledger = join(home.folder, 'ledger');
  await using web = await openWeb(ledger);
  const control = controlOf(home.socket);
  const places = Array.from({ length: workspaces }, (_, at) => join(home.folder, `workspace-${at}`));
  for (const place of places) mkdirSync(join(place, '.git'), { recursive: true });
  home.configure(fleetConfig(ledger, web.url, undefined));
  const book = createBook(ledger);
  const programs = createPrograms(home.folder);
  await using crowd = createCrowd({ home: home.home, workspaces: places, book, program: programs.newest });
  const world: World = { home, control, crowd, programs, web, ledger, state: { spare: undefined, clockMs: 0 } };

  const rest = (shims: () => readonly number[]) =>
    lookAtRest({ home, control, own: () => [web.pid()], shims, version: () => newestOf() });
  const newestOf = (): string | undefined => (crowd.shims().length === 0 ? undefined : programs.version());

  const untilRest = async (): Promise<string[]> => {
    const until = performance.now() + REST_MS;
    for (;;) {
      // What a killed daemon left behind is ended by the next one, and that comes when an agent wants something.
      if (home.daemons().length === 0) await crowd.act(LOOK);
      const { wrong } = await rest(crowd.shims);
      if (wrong.length === 0 || performance.now() > until) return [...wrong];
      await sleep(150);
    }
  };

  /** What the daemon holds when all have left and every server is stopped. */
  const holding = async (against?: Holding): Promise<{ held: Holding; grown: string[] }> => {
    const until = performance.now() + HOLDING_MS;
    for (;;) {
      for (const { name, state } of (await control.status({})).servers)
        if (state !== 'cold') await control['server.restart']({ server: name }).catch(() => {});
      const held = await holdingOf(control);
      const grown = against === undefined ? [] : growthOf(against, held, GROWTH);
      if (grown.length === 0 || performance.now() > until) return { held, grown };
      await sleep(1000);
    }
  };

  const check = async (step: Step, results: readonly Ended[]): Promise<string[]> => {
    const found = [...crowd.lost(), ...results.flatMap(({ fault }) => fault ?? [])];
    for (const [at, { outcome, text }] of results.entries()) {
      ended[outcome] += 1;
      if (outcome !== 'failed') continue;
      failures[kindOf(text)] = (failures[kindOf(text)] ?? 0) + 1;
      const action = step.actions[at];
      if (NEVER.test(text) && !(action?.server === 'spare' && UNKNOWN.test(text)))
        found.push(`an agent was told: ${text.slice(0, 600)}`);
      const isDue = action?.tool === 'never' || action?.server === 'spare';
      if (step.trouble.kind === 'none' && !isDue && !AFTERMATH.test(text))
        found.push(`nothing went wrong, and yet: ${text.slice(0, 600)}`);
    }
    found.push(...(await untilRest()), ...book.faults());
    found.push(
      ...listenerWarnings(join(home.home, 'logs')).map((line) => `the daemon's log says: ${line.slice(0, 400)}`),
    );
    return found;
  };

  const perform = async (step: Step): Promise<string[]> => {
    const acting = step.actions.map((action) => crowd.act(action));
    await sleep(step.afterMs);
    const told = await cause(world, step.trouble).catch((error: unknown) => {
      faults.push(`${troubleText(step.trouble)} could not be done: ${String(error)}`);
      return 'failed';
    });
    const results = await Promise.all(acting);
    const counts = results.map(
      ({ outcome }, at) => `    ${actionText(step.actions[at] as Step['actions'][number])}: ${outcome}`,
    );
    log.push(
      [`step ${step.number}: ${troubleText(step.trouble)} after ${step.afterMs} ms ${told}`, ...counts].join('\n'),
    );
    if (log.length > SHOWN_STEPS) log.shift();
    await untilConfigured(world).catch((error: unknown) => faults.push(String(error)));
    return check(step, results);
  };

  try {
    for (let slot = 0; slot < slots; slot += 1)
      await crowd.enter(slot, CLIENTS[slot % CLIENTS.length] ?? 'v1', slot % workspaces);
    let before: Holding | undefined;
    if (comparesHoldings) {
      // Every part of the daemon has been at work once before it is looked at.
      for (const server of SERVERS) await crowd.act({ slot: 0, server, tool: 'report', count: 30, ms: 0, size: 0 });
      for (let slot = 0; slot < slots; slot += 1) await crowd.leave(slot);
      ({ held: before } = await holding());
      for (let slot = 0; slot < slots; slot += 1)
        await crowd.enter(slot, CLIENTS[slot % CLIENTS.length] ?? 'v1', slot % workspaces);
    }
    for (const step of stepsOf({ seed, slots, workspaces })) {
      if (step.number > most || performance.now() > end || options.signal?.aborted) break;
      faults.push(...(await perform(step)));
      done = step.number;
      troubles[step.trouble.kind] = (troubles[step.trouble.kind] ?? 0) + 1;
      if (step.number % 20 === 0) say(`seed ${seed}: ${step.number} steps`);
      if (faults.length > 0) break;
    }
    if (before !== undefined && faults.length === 0 && !options.signal?.aborted) {
      for (let slot = 0; slot < slots; slot += 1) await crowd.leave(slot);
      const { held, grown } = await holding(before);
      faults.push(...grown);
      say(`held before ${JSON.stringify(before)}, after ${JSON.stringify(held)}`);
    }
    if (home.daemons().length === 0) await home.metad(['daemon', 'start'], { program: programs.newest() });
    if (faults.length > 0) {
      log.push(...crowd.words());
      const tail = await home.metad(['logs'], { program: programs.newest() }).catch(() => undefined);
      log.push(`the end of the daemon's log:\n${tail?.stdout.split('\n').slice(-60).join('\n')}`);
    }
  } catch (error) {
    faults.push(`the run itself failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  give({ seed, steps: done, seconds, ended, troubles, failures, faults, log });
};

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

export const toText = ({ seed, steps, seconds, ended, troubles, failures, faults, log }: ChaosReport): string =>
  [
    `seed ${seed}: ${steps} steps in ${seconds} s; scripts: ${countsText(ended)}`,
    `troubles: ${countsText(troubles)}`,
    ...Object.entries(failures)
      .sort(([, one], [, other]) => other - one)
      .map(([text, count]) => `  told ${count} times: ${text}`),
    ...(faults.length === 0
      ? ['no fault']
      : [...log, `FAULTS with seed ${seed} at step ${steps}:`, ...faults.map((text) => `  ${text}`)]),
  ].join('\n');

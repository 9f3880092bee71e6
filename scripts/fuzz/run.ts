// One fuzz run: agents that send generated scripts, one that calls beside them, and what is compared before and after.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Agent, connectAgent, textOf } from '../../test/helpers/agent.ts';
import { temporaryHome } from '../../test/helpers/home.ts';
import { pssOf } from '../../test/helpers/processes.ts';
import { fixtureServer } from '../../test/helpers/program.ts';
import { type Random, randomOf } from '../../test/helpers/random.ts';
import { brokenScript } from './broken.ts';
import { hostileScript } from './hostile.ts';
import type { FuzzScript, Kind } from './script.ts';
import { validScript } from './valid.ts';

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly say: (text: string) => void;
  /** Scripts in flight at once. Default 6. */
  readonly width?: number;
  /**
   * ms without a fall after which the daemon's memory counts as settled. Default 70 s: workers that scripts made it
   * start rest for 60 s before they go.
   */
  readonly restMs?: number;
  /** Bytes that the daemon may have grown by. Default 20 MB. */
  readonly growth?: number;
}

export interface FuzzReport {
  readonly seed: number;
  readonly seconds: number;
  readonly ran: Readonly<Record<Kind, number>>;
  /** Scripts that ended with an error, by kind. */
  readonly failed: Readonly<Record<Kind, number>>;
  readonly beside: { readonly calls: number; readonly slowestMs: number };
  readonly pss: { readonly before: number; readonly after: number };
  /** One sentence each; empty where all held. */
  readonly faults: readonly string[];
}

const MEGABYTE = 2 ** 20;
const GROWTH = 20 * MEGABYTE;
/** Longest wait for memory to settle. */
const SETTLE_MS = 240_000;
const LOOK_MS = 2000;
/** A script, with the queue before it, on a busy machine. */
const ANSWER_MS = 60_000;
const WARM_UP = 200;
const MOST_FAULTS = 20;

const generate = (random: Random): FuzzScript => {
  const draw = random.below(100);
  if (draw < 45) return validScript(random);
  return draw < 75 ? brokenScript(random, validScript(random).text) : hostileScript(random);
};

/** What is wrong with how it ended; undefined where nothing is. */
const judge = async (agent: Agent, script: FuzzScript): Promise<{ failed: boolean; fault?: string }> => {
  const args = { script: script.text, ...(script.timeoutSeconds && { timeout_seconds: script.timeoutSeconds }) };
  const { content, isError = false } = await agent.call('execute', args, { timeout: ANSWER_MS });
  const text = textOf({ content });
  if (content.length === 0) return { failed: isError, fault: 'an answer without content' };
  if (script.value === undefined) return { failed: isError };
  if (isError) return { failed: true, fault: `failed with ${text.slice(0, 300)}` };
  const [first] = content;
  const shown = first?.type === 'text' ? (first.text ?? '') : '';
  const same =
    typeof script.value === 'string' ? shown === script.value : isDeepStrictEqual(JSON.parse(shown), script.value);
  return same
    ? { failed: false }
    : { failed: false, fault: `gave ${shown.slice(0, 300)}, not ${JSON.stringify(script.value)}` };
};

/** Calls without a pause until it is told to stop; every answer must be its own. */
const callBeside = (agent: Agent) => {
  const faults: string[] = [];
  let calls = 0;
  let slowestMs = 0;
  let over = false;
  const loop = async (): Promise<void> => {
    while (!over) {
      const before = performance.now();
      calls += 1;
      try {
        const said = await agent.run(`return [await calm.echo({ text: 'beside ${calls}' })]`);
        if (!isDeepStrictEqual(said, [`beside ${calls}`])) faults.push(`call ${calls} got ${JSON.stringify(said)}`);
      } catch (error) {
        faults.push(`call ${calls} failed: ${String(error).slice(0, 300)}`);
      }
      slowestMs = Math.max(slowestMs, performance.now() - before);
    }
  };
  const done = loop();
  return {
    stop: async () => {
      over = true;
      await done;
      return { calls, slowestMs, faults };
    },
  };
};

/** @throws only where the run itself cannot be set up; what the daemon does wrong is in `faults`. */
export const fuzz = async ({
  count,
  seed,
  say,
  width = 6,
  restMs = 70_000,
  growth = GROWTH,
}: FuzzOptions): Promise<FuzzReport> => {
  const begun = performance.now();
  await using home = temporaryHome({
    mcpServers: {
      lab: { ...fixtureServer('e2e-lab.mjs'), sharing: 'user' },
      mortal: { ...fixtureServer('e2e-lab.mjs'), sharing: 'user' },
      calm: { ...fixtureServer('e2e-lab.mjs'), sharing: 'user' },
    },
  });
  const faults: string[] = [];
  const fault = (text: string): void => {
    if (faults.length < MOST_FAULTS) faults.push(text);
  };
  const ran: Record<Kind, number> = { valid: 0, broken: 0, hostile: 0 };
  const failed: Record<Kind, number> = { valid: 0, broken: 0, hostile: 0 };
  const agents: Agent[] = [];
  try {
    for (let at = 0; at < width; at += 1) agents.push(await connectAgent({ home: home.home, name: `fuzz-${at}` }));
    const [first] = agents;
    await first?.text('list_tools');

    const throwAt = async (random: Random, left: { count: number }, agent: Agent): Promise<void> => {
      while (left.count > 0) {
        left.count -= 1;
        const script = generate(random);
        if (left.count % 1000 === 0) say(`${left.count} scripts left`);
        ran[script.kind] += 1;
        try {
          const verdict = await judge(agent, script);
          if (verdict.failed) failed[script.kind] += 1;
          if (verdict.fault !== undefined) fault(`${script.kind} (${script.name}): ${verdict.fault}\n${script.text}`);
        } catch (error) {
          fault(
            `${script.kind} (${script.name}) got no answer: ${String(error).slice(0, 300)}\n${script.text.slice(0, 2000)}`,
          );
        }
      }
    };
    const wave = async (scripts: number, from: number): Promise<void> => {
      const left = { count: scripts };
      await Promise.all(agents.map((agent, at) => throwAt(randomOf(from + at), left, agent)));
    };

    say('warming up');
    await wave(Math.min(WARM_UP, count), seed * 1000 + 500);
    const pid = (await home.daemonPid()) ?? 0;
    const before = await settled(pid, restMs);
    say(`${count} scripts at a daemon of ${(before / MEGABYTE).toFixed(0)} MB`);
    await using calm = await connectAgent({ home: home.home, name: 'beside' });
    const beside = callBeside(calm);
    await wave(count, seed * 1000);
    const { calls, slowestMs, faults: missed } = await beside.stop();
    for (const text of missed) fault(`the session beside: ${text}`);

    const now = await home.daemonPid();
    if (now !== pid) fault(`the daemon is ${now ?? 'gone'}, and was ${pid}`);
    say('waiting for the memory to be given back');
    const after = await settled(pid, restMs);
    if (!(after <= before + growth))
      fault(`its memory grew from ${(before / MEGABYTE).toFixed(1)} to ${(after / MEGABYTE).toFixed(1)} MB`);
    return {
      seed,
      seconds: Math.round((performance.now() - begun) / 1000),
      ran,
      failed,
      beside: { calls, slowestMs },
      pss: { before, after },
      faults,
    };
  } finally {
    await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
  }
};

/** The daemon's memory once it has not fallen by a megabyte for `restMs`. */
const settled = async (pid: number, restMs: number): Promise<number> => {
  const size = () => pssOf(pid) ?? Number.NaN;
  const end = performance.now() + SETTLE_MS;
  let lowest = size();
  let since = performance.now();
  while (performance.now() < Math.min(end, since + restMs)) {
    await sleep(Math.min(LOOK_MS, restMs)); // reading it makes the kernel walk all of it
    const now = size();
    if (now >= lowest - MEGABYTE) continue;
    lowest = now;
    since = performance.now();
  }
  return size();
};

export const toText = ({ seed, seconds, ran, failed, beside, pss, faults }: FuzzReport): string => {
  const kinds = (Object.keys(ran) as Kind[]).map(
    (kind) => `${ran[kind]} ${kind} (${failed[kind]} ended with an error)`,
  );
  return [
    `seed ${seed}, ${seconds} s: ${kinds.join(', ')}`,
    `beside them ${beside.calls} calls of another session, the slowest ${beside.slowestMs.toFixed(0)} ms`,
    `the daemon's memory: ${(pss.before / MEGABYTE).toFixed(1)} MB before, ${(pss.after / MEGABYTE).toFixed(1)} MB after`,
    ...(faults.length === 0 ? ['no fault'] : faults.map((text, at) => `fault ${at + 1}: ${text}`)),
  ].join('\n');
};

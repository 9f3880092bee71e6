// Predicates that are programs: `shell(…)` and plugins' own. Run beside the loop, with a limit; the answer is kept.
import { spawn } from 'node:child_process';
import type { Log } from '../log.ts';
import type { Offer } from './offer.ts';
import { type Predicate, predicateText } from './predicate/predicate.ts';
import { programOf } from './program.ts';

export interface CommandsOptions {
  /** The folder in which they run: the root. */
  readonly cwd: string;
  /** What they get as variables. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** An answer came in: whoever asked may ask again. */
  readonly onAnswer: () => void;
  readonly log: Log;
  /** ms that one may take. Default 5 s. */
  readonly limitMs?: number;
}

export interface Commands extends Disposable {
  /** What the last run said, or why there is none yet. Starts it where it never ran. */
  ran(leaf: Predicate, customs: Offer['customs']): boolean | string;
  /** What was found no longer counts: the workspace has changed. The old answers stand until the new ones are there. */
  again(): void;
  /** Resolves when none of those that run now runs any more; undefined where none does. */
  running(): Promise<unknown> | undefined;
}

interface Known {
  answer: boolean | undefined;
  isFresh: boolean;
  isRunning: boolean;
}

export const createCommands = (options: CommandsOptions): Commands => {
  const { cwd, environment, onAnswer, log, limitMs = 5000 } = options;
  const scope = new AbortController();
  const known = new Map<string, Known>();
  const running = new Set<Promise<void>>();

  const run = (text: string, entry: Known, [program, ...args]: readonly [string, ...string[]]): void => {
    let ended = (): void => {};
    const ending = new Promise<void>((resolve) => {
      ended = resolve;
    });
    running.add(ending);
    entry.isRunning = true;
    entry.isFresh = true;
    // In a group of its own, so that what it starts ends with it.
    const child = spawn(program, args, { cwd, env: { ...environment() }, stdio: 'ignore', detached: true });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {} // it has ended
    };
    const timer = setTimeout(end, limitMs);
    scope.signal.addEventListener('abort', end, { once: true });
    const done = (answer: boolean, reason: string): void => {
      if (!entry.isRunning) return;
      clearTimeout(timer);
      scope.signal.removeEventListener('abort', end);
      entry.isRunning = false;
      running.delete(ending);
      ended();
      const isNew = entry.answer !== answer;
      entry.answer = answer;
      log('predicate', { text, answer, reason });
      if (isNew && !scope.signal.aborted) onAnswer();
    };
    child.once('error', (error) => done(false, error.message));
    child.once('exit', (code, signal) => {
      end();
      done(code === 0, signal === null ? `exit ${code}` : `${signal}, perhaps since it took over ${limitMs / 1000} s`);
    });
  };

  return {
    ran: (leaf, customs) => {
      const program = programOf(leaf, customs);
      if (typeof program === 'string') return program;
      const text = predicateText(leaf);
      const key = JSON.stringify([text, program]);
      const entry = known.get(key) ?? { answer: undefined, isFresh: false, isRunning: false };
      known.set(key, entry);
      if (!entry.isFresh && !entry.isRunning && !scope.signal.aborted) run(text, entry, program);
      return entry.answer ?? 'its command has not ended yet';
    },
    again: () => {
      for (const entry of known.values()) entry.isFresh = false;
    },
    running: () => (running.size === 0 ? undefined : Promise.all(running)),
    [Symbol.dispose]: () => scope.abort(),
  };
};

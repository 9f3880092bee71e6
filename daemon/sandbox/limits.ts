// The limits of a run as its script's author hears of them: names, sentences, places.
import type { RunError } from './sandbox.ts';
import { STOP, type Stop } from './shared.ts';

/** A place in a script; both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What the guest says of a thrown value. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** The file name of scripts in stacks. */
export const SCRIPT_FILE = 'script';

const seconds = (ms: number): string => `${ms / 1000} s`;
const mebibytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MiB`;

/** Where a limit is set. */
const ruled = (key: string): string => `execute.${key} in config.json`;

export const timeoutError = (timeoutMs: number): RunError => ({
  name: 'TimeoutError',
  message:
    `The script computed for more than ${seconds(timeoutMs)}; time spent waiting for tools is not counted ` +
    `(timeout_seconds of the call, else ${ruled('timeoutSeconds')})`,
});

export const totalError = (totalMs: number): RunError => ({
  name: 'TimeoutError',
  message: `The run took more than ${seconds(totalMs)} in all, waiting for tools included (${ruled('totalSeconds')})`,
});

export const cancelledError = (): RunError => ({ name: 'CancelledError', message: 'The run was cancelled' });

export const memoryError = (memoryBytes: number): RunError => ({
  name: 'MemoryError',
  message: `The script needed more memory than the ${mebibytes(memoryBytes)} that it may have (${ruled('memoryMiB')})`,
});

export const callsRefusal = (maxCalls: number): string =>
  `this run has made the ${maxCalls} tool calls that it may (${ruled('maxCalls')})`;

export const argumentsRefusal = (characters: number): string =>
  `its arguments have ${characters} characters, more than the script's memory lets through (${ruled('memoryMiB')})`;

export const stackError = (): RunError => ({
  name: 'StackOverflowError',
  message: `The script nested calls or data too deeply for its stack (${ruled('stackKiB')})`,
});

export const logsNote = (maxCharacters: number): string =>
  `metad: console output beyond ${maxCharacters} characters is left out (${ruled('maxLogCharacters')})`;

export const deadlockError = (): RunError => ({
  name: 'DeadlockError',
  message: 'The script waits for a promise that nothing will ever settle: no tool call and no timer is open',
});

export const stopError = (stop: Stop, totalMs: number): RunError =>
  stop === STOP.total ? totalError(totalMs) : cancelledError();

/** The first place of the script itself in a stack as QuickJS writes it: `at name (script:3:9)` or `at script:3:9`. */
export const placeIn = (stack: string): Position | undefined => {
  const found = /^\s*at (?:.*\()?script:(\d+):(\d+)\)?$/m.exec(stack);
  return found === null ? undefined : { line: Number(found[1]), column: Number(found[2]) };
};

/** The engine's own words for its limits become ours; everything else is told as it was thrown. */
export const toRunError = (
  thrown: Thrown,
  memoryBytes: number,
  original: (place: Position) => Position,
  script: string,
): RunError => {
  const { name, message, stack } = thrown;
  const place = placeIn(stack);
  const where = place === undefined ? {} : original(place);
  const engine = name === 'InternalError' || name === 'SyntaxError';
  const exhausted = /^(out of memory|string too long)$/.test(message);
  if (engine && exhausted) return { ...memoryError(memoryBytes), ...where };
  if (engine && message === 'stack overflow') return { ...stackError(), ...where };
  return { name, message: place === undefined ? message : explained(message, original(place), script), ...where };
};

/** QuickJS says of no call what was called; the place tells: it is where the arguments begin. */
const explained = (message: string, { line, column }: Position, script: string): string => {
  if (message !== 'not a function') return message;
  const before = script.split('\n')[line - 1]?.slice(0, column - 1) ?? '';
  const callee = /[\p{ID_Continue}$.?[\]"']+$/u.exec(before)?.[0];
  return callee === undefined ? message : `${callee} is not a function`;
};

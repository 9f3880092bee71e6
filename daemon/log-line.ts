// One log line: an event and its fields as JSON, whatever the fields hold.
import type { Fields } from './log.ts';

const MOST_CHARACTERS = 32_768;

const errorFields = (error: Error): Fields => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(cause === undefined ? {} : { cause }),
  };
};

/** What JSON cannot tell becomes text; a value inside itself becomes `[circular]`. */
const tellable = () => {
  const above: { readonly told: object; readonly value: object }[] = [];
  return function replace(this: unknown, _key: string, value: unknown): unknown {
    if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    // `this` is the object that holds the value: what lies behind it on the stack is no longer above.
    while (above.length > 0 && above.at(-1)?.told !== this) above.pop();
    if (above.some((one) => one.value === value)) return '[circular]';
    const told = value instanceof Error ? errorFields(value) : value;
    above.push({ told, value });
    return told;
  };
};

/** Ends with a newline; never throws. Too long a line keeps its event and the beginning of its fields, as text. */
export const toLine = (now: number, pid: number, event: string, fields: Fields = {}): string => {
  const head = { time: new Date(now).toISOString(), pid, event };
  let line: string;
  try {
    // Twice, so that the order is head first and no field replaces it.
    line = JSON.stringify({ ...head, ...fields, ...head }, tellable());
  } catch (error) {
    line = JSON.stringify({ ...head, unprintable: String(error) });
  }
  if (line.length > MOST_CHARACTERS) line = JSON.stringify({ ...head, cut: line.slice(0, MOST_CHARACTERS / 2) });
  return `${line}\n`;
};

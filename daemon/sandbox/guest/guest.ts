// All that a script finds beside the language itself; the text that is evaluated in each fresh context.

import { nearNames } from '../../../schema/near.ts';
import { PART_LIMITS, partLabel } from '../../../schema/part.ts';
import { guestParts, type PartHost } from './parts.ts';
import { type GuestServices, guestServices } from './services.ts';
import { type GuestTools, guestTools, type ToolHost } from './tools.ts';
import { type GuestValues, guestValues } from './values.ts';

/** Functions that the worker gives to the guest. Texts cross the border as JSON: others lose NULs and half pairs. */
export interface GuestHost extends ToolHost, PartHost {
  /** `json` is a JSON text; false: no more is kept. */
  log(json: string): boolean;
  /** The script is over: its value as JSON (left out for undefined), or `GuestValues.describe` of what it threw. */
  done(ok: boolean, json?: string): void;
  /** Starts a timer; `fire` is called with its number. */
  timer(ms: number): number;
  cancel(timer: number): void;
}

/** What the worker calls in the guest. */
export interface Guest extends GuestTools {
  /** Runs the script's function; `host.done` is called once. */
  run(main: () => unknown, callResult: boolean): void;
  fire(timer: number): void;
}

/** Self-contained: its text is evaluated in the guest. */
const guest = (host: GuestHost, values: GuestValues, tools: GuestTools, services: GuestServices): Guest => {
  const { stringify } = JSON;
  const { defineProperty } = Object;
  const GuestPromise = Promise;
  const timers: Record<number, () => void> = { __proto__: null } as never;
  const ambient = (name: string, value: unknown): void => {
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  };

  let kept = true;
  const logger =
    (prefix: string) =>
    (...args: unknown[]): void => {
      if (!kept) return;
      let line = prefix;
      for (let at = 0; at < args.length; at++) line += (at === 0 ? '' : ' ') + values.show(args[at]);
      kept = host.log(stringify(line));
    };
  const log = logger('');
  const warn = logger('warn: ');
  const error = logger('error: ');
  ambient('console', { log, info: log, debug: log, trace: log, dir: log, table: log, warn, error });

  const later = (what: () => void, ms: unknown): number => {
    const id = host.timer(Number(ms) || 0);
    timers[id] = what;
    return id;
  };
  ambient('setTimeout', (what: unknown, ms?: unknown, ...args: unknown[]): number => {
    if (typeof what !== 'function') throw new TypeError('setTimeout takes a function');
    return later(() => what(...args), ms);
  });
  ambient('clearTimeout', (id: unknown): void => {
    if (typeof id !== 'number' || timers[id] === undefined) return;
    delete timers[id];
    host.cancel(id);
  });
  ambient('sleep', (ms: unknown): Promise<void> => new GuestPromise((resolve) => void later(resolve, ms)));
  ambient('queueMicrotask', (what: () => void): void => void GuestPromise.resolve().then(what).catch(error));

  ambient('emit', (value: unknown): void => values.emit(value));
  ambient('store', services.store);
  ambient('metad', services.metad);

  return {
    open: tools.open,
    settle: (text) => (text[0] === '-' ? services : tools).settle(text),
    run: (main, callResult) => {
      const whole = async (): Promise<void> => {
        try {
          let value = await main();
          if (callResult && typeof value === 'function') value = await value();
          host.done(true, values.encode(value));
        } catch (thrown) {
          host.done(false, values.describe(thrown));
        }
      };
      whole();
    },
    fire: (id) => {
      const what = timers[id];
      delete timers[id];
      try {
        what?.();
      } catch (thrown) {
        host.done(false, values.describe(thrown));
      }
    },
  };
};

/**
 * An expression: a function of the host functions that gives the `Guest`.
 * `__name` is what esbuild writes around functions where it keeps their names, as when run from source.
 */
export const GUEST_SOURCE = `(host) => {
  const __name = (value) => value;
  const values = (${guestValues})((${guestParts})(host, ${partLabel}, ${JSON.stringify(PART_LIMITS)}));
  return (${guest})(host, values, (${guestTools})(host, ${nearNames}), (${guestServices})(host));
}`;

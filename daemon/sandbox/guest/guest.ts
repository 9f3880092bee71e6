// All that a script finds beside the language itself; the text that is evaluated in each fresh context.

import { nearNames } from '../../../schema/near.ts';
import { PART_LIMITS, partLabel } from '../../../schema/part.ts';
import type { WebHost } from './lazy/host.ts';
import { LAZY_GLOBALS } from './lazy/lazy.ts';
import { guestParts, type PartHost } from './parts.ts';
import { type GuestServices, guestServices } from './services.ts';
import { type GuestTools, guestTools, type ToolHost } from './tools.ts';
import { unknownMember } from './unknown.ts';
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
  /** A promise that nobody awaits was rejected: `GuestValues.describe` of it. */
  lost(json: string): void;
  /** The source of a library of lazy globals. */
  library(name: string): string;
  /** `[operation, ...args]` as JSON, and JSON back: see worker/web.ts. */
  web(json: string): string;
}

/** What the worker calls in the guest. */
export interface Guest extends GuestTools {
  /** Runs the script's function, which is given what notes promises that it does not await; `host.done` is called once. */
  run(main: (unawaited: (value: unknown) => unknown) => unknown, callResult: boolean): void;
  fire(timer: number): void;
}

/** What the other texts made. */
interface Made {
  readonly values: GuestValues;
  readonly tools: GuestTools;
  readonly services: GuestServices;
  readonly lazy: typeof LAZY_GLOBALS;
}

/** Self-contained: its text is evaluated in the guest. */
const guest = (host: GuestHost, { values, tools, services, lazy }: Made): Guest => {
  const { parse, stringify } = JSON;
  const { defineProperty, keys } = Object;
  const { apply } = Reflect;
  const { then } = Promise.prototype;
  // Called by another name it is the global one, which sees nothing of this scope.
  // biome-ignore lint/security/noGlobalEval: the guest's own, for metad's own text
  const evaluate = eval;
  const GuestPromise = Promise;
  const timers: Record<number, () => unknown> = { __proto__: null } as never;
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

  const later = (what: () => unknown, ms: unknown): number => {
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
  ambient('sleep', (ms: unknown): Promise<void> => new GuestPromise((resolve) => void later(() => resolve(), ms)));
  const failed = (thrown: unknown): void => host.done(false, values.describe(thrown));
  ambient('queueMicrotask', (what: unknown): void => {
    if (typeof what !== 'function') throw new TypeError('queueMicrotask takes a function');
    apply(then, apply(then, GuestPromise.resolve(), [() => void what()]), [undefined, failed]);
  });

  const web: WebHost = (operation, args) => parse(host.web(stringify([operation, ...args])));
  for (const library of keys(lazy)) {
    let made: Record<string, unknown> | undefined;
    const names = lazy[library] as readonly string[];
    const make = (name: string): unknown => {
      made ??= evaluate(host.library(library))(web) as Record<string, unknown>;
      return made[name];
    };
    for (const name of names) {
      const get = (): unknown => {
        const value = make(name);
        // A script that has frozen its globals asks again each time.
        try {
          ambient(name, value);
        } catch {}
        return value;
      };
      const set = (value: unknown): void => ambient(name, value);
      defineProperty(globalThis, name, { get, set, configurable: true, enumerable: false });
    }
  }

  const unawaited = (value: unknown): unknown => {
    if (value !== null && typeof value === 'object') {
      try {
        apply(then, value, [undefined, (thrown: unknown) => host.lost(values.describe(thrown))]);
      } catch {} // it is no promise
    }
    return value;
  };

  ambient('emit', (value: unknown): void => values.emit(value));
  ambient('store', services.store);
  ambient('metad', services.metad);

  return {
    open: tools.open,
    settle: (text) => (text[0] === '-' ? services : tools).settle(text),
    run: (main, callResult) => {
      const whole = async (): Promise<void> => {
        try {
          let value = await main(unawaited);
          if (callResult && typeof value === 'function') value = await value();
          host.done(true, values.encode(value));
        } catch (thrown) {
          failed(thrown);
        }
      };
      whole();
    },
    fire: (id) => {
      const what = timers[id];
      delete timers[id];
      try {
        const given: unknown = what?.();
        if (given instanceof GuestPromise) apply(then, given, [undefined, failed]);
      } catch (thrown) {
        failed(thrown);
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
  const tools = (${guestTools})(host, ${nearNames}, ${unknownMember});
  const services = (${guestServices})(host);
  return (${guest})(host, { values, tools, services, lazy: ${JSON.stringify(LAZY_GLOBALS)} });
}`;

// The namespaces of a script: globals whose members call tools. Runs inside the guest.
import type { nearNames } from '../../../schema/near.ts';
import type { unknownMember } from './unknown.ts';

/** What the worker gives the guest for calling. Numbers are places in the run's view, checked by the daemon. */
export interface ToolHost {
  /** Starts the call of `id,namespace,tool,arguments` (one text is the cheapest way over the border); false: no more. */
  call(text: string): boolean;
  /** JSON `[[script, raw], …, [removed], …]` of one namespace. */
  table(ns: number): string;
  /** JSON `[place, script name, raw name]` of the tool that a name (as JSON) means; an empty text where there is none. */
  find(ns: number, name: string): string;
  /** Why `call` said no, where `characters` is the length of the arguments. */
  refusal(characters: number): string;
}

export interface GuestTools {
  /** Defines the globals instead of those defined before; `names` is JSON `[[global, server, open], …]`. */
  open(names: string): void;
  /** `id,1,result` or `id,0,failure`, the last as JSON; an empty result is undefined. */
  settle(text: string): void;
}

/** Self-contained: its text is evaluated in the guest. */
export const guestTools = (host: ToolHost, nearest: typeof nearNames, unknown: typeof unknownMember): GuestTools => {
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, hasOwn } = Object;
  const { isArray } = Array;
  const GuestPromise = Promise;
  const GuestProxy = Proxy;
  const GuestError = Error;
  const GuestTypeError = TypeError;
  type Pending = {
    resolve(value: unknown): void;
    reject(error: unknown): void;
    failure: Error;
    server: string;
    raw: string;
  };
  const pending: Record<number, Pending> = { __proto__: null } as never;

  let lastCall = 0;

  /** A tool of one of these names would be called by `await`, JSON or a template without the script's doing. */
  const SILENT = ['then', 'toJSON', 'toString', 'valueOf'];
  /** What the language and its tools ask of any object: undefined where there is no such member, and no error. */
  const PROBES = [...SILENT, 'constructor', 'prototype', '__proto__', 'catch', 'finally', 'length', 'name', 'inspect'];
  const refuseOn = (what: string) => (): never => {
    throw new GuestTypeError(`${what} is read-only`);
  };

  /**
   * A read-only object of names whose members are made when first used. Reading what it does not have is an error that
   * names near ones, except for what the language itself asks of any object.
   * @param place where a name stands, also one that is not listed; kept once it is known
   */
  const lookup = (
    what: string,
    kind: string,
    place: (key: string) => number | undefined,
    list: () => [names: string[], removed: string[]],
    make: (at: number) => unknown,
  ): object => {
    let names: string[] | undefined;
    let removed: string[] = [];
    const shown: Record<string, true> = { __proto__: null } as never;
    const listed = (): string[] => {
      if (names !== undefined) return names;
      [names, removed] = list();
      for (const name of names) shown[name] = true;
      return names;
    };
    const places: Record<string, number> = { __proto__: null } as never;
    const made: unknown[] = [];
    const placeOf = (key: string | symbol): number | undefined => {
      if (typeof key !== 'string') return undefined;
      const known = places[key] ?? place(key);
      if (known !== undefined) places[key] = known;
      return known;
    };
    const memberAt = (key: string | symbol): unknown => {
      const at = placeOf(key);
      if (at === undefined) return undefined;
      made[at] ??= make(at);
      return made[at];
    };
    const refuse = refuseOn(what);
    return new GuestProxy(
      { __proto__: null } as object,
      {
        __proto__: null,
        get: (_: object, key: string | symbol) => {
          const member = memberAt(key);
          if (member !== undefined || typeof key === 'symbol' || PROBES.includes(key)) return member;
          throw new GuestTypeError(unknown(key, kind, what, listed(), removed, nearest));
        },
        has: (_: object, key: string | symbol) => placeOf(key) !== undefined,
        ownKeys: listed,
        getOwnPropertyDescriptor: (_: object, key: string | symbol) => {
          const value = memberAt(key);
          if (value === undefined) return undefined;
          listed();
          return { value, enumerable: shown[key as string] === true, configurable: true, writable: false };
        },
        set: refuse,
        defineProperty: refuse,
        deleteProperty: refuse,
        setPrototypeOf: refuse,
        preventExtensions: refuse,
      } as ProxyHandler<object>,
    );
  };

  const kindOf = (value: unknown): string => {
    if (value === null) return 'null';
    return isArray(value) ? 'an array' : `a ${typeof value}`;
  };
  const argumentsOf = (label: string, args: unknown): string => {
    if (args === undefined) return '{}';
    if (typeof args === 'string') {
      // Some models write the object down as JSON.
      try {
        const value = parse(args) as unknown;
        if (typeof value === 'object' && value !== null && !isArray(value)) return stringify(value) as string;
      } catch {}
    }
    if (args === null || typeof args !== 'object' || isArray(args)) {
      throw new GuestTypeError(`${label} takes one object of named arguments; it was given ${kindOf(args)}`);
    }
    let json: string | undefined;
    try {
      json = stringify(args);
    } catch (error) {
      throw new GuestTypeError(`The arguments of ${label} cannot be written as JSON: ${(error as Error).message}`);
    }
    if (typeof json === 'string' && json[0] === '{') return json;
    throw new GuestTypeError(`The arguments of ${label} are not an object when written as JSON`);
  };

  interface Target {
    readonly ns: number;
    readonly at: number;
    readonly server: string;
    readonly raw: string;
    /** What goes over the border for these arguments. */
    readonly wrap: (args: string) => string;
  }
  const toolOf = (label: string, script: string, { ns, at, server, raw, wrap }: Target): object => {
    const tool = (args?: unknown): Promise<unknown> =>
      new GuestPromise((resolve, reject) => {
        // Made here, so that its stack is the place in the script that called.
        const failure = new GuestError();
        const given = argumentsOf(label, args);
        const call = lastCall + 1;
        if (host.call(`${call},${ns},${at},${wrap(given)}`)) {
          lastCall = call;
          pending[call] = { resolve, reject, failure, server, raw };
          return;
        }
        defineProperty(failure, 'name', { value: 'LimitError', configurable: true, writable: true });
        failure.message = `${label} was not called: ${host.refusal(given.length)}`;
        reject(failure);
      });
    defineProperty(tool, 'name', { value: script });
    return freeze(tool);
  };

  const member = (name: string): string =>
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${stringify(name)}]`;
  /** A namespace whose tools are unknown as yet: any name is a tool, and the daemon answers for it. */
  const openNamespace = (ns: number, name: string, server: string): object =>
    new GuestProxy(
      { __proto__: null } as object,
      {
        __proto__: null,
        get: (_: object, key: string | symbol) => {
          if (typeof key === 'symbol' || PROBES.includes(key)) return undefined;
          const wrap = (args: string): string => `[${stringify(key)},${args}]`;
          return toolOf(`${name}${member(key)}`, key, { ns, at: 0, server, raw: key, wrap });
        },
        set: refuseOn(name),
        defineProperty: refuseOn(name),
      } as ProxyHandler<object>,
    );
  const namespaceOf = (ns: number, name: string, server: string): object => {
    let rows: [script: string, raw: string][] = [];
    return lookup(
      name,
      'tool',
      (key) => {
        const found = host.find(ns, stringify(key));
        if (found === '') return undefined;
        const [at, script, raw] = parse(found) as [number, string, string];
        rows[at] = [script, raw];
        return at;
      },
      () => {
        const table = parse(host.table(ns)) as [string, string?][];
        rows = table.filter((row): row is [string, string] => row.length === 2);
        return [rows.map(([script]) => script), table.filter((row) => row.length === 1).map(([gone]) => gone)];
      },
      (at) => {
        const [script, raw] = rows[at] as [string, string];
        return toolOf(`${name}${member(script)}`, script, { ns, at, server, raw, wrap: (args) => args });
      },
    );
  };

  let defined: string[] = [];
  return {
    open: (json) => {
      for (const name of defined) delete (globalThis as Record<string, unknown>)[name];
      defined = [];
      const names = parse(json) as [string, string, 0 | 1][];
      const made: object[] = [];
      const at = (ns: number): object => {
        const [name, server, open] = names[ns] as [string, string, 0 | 1];
        made[ns] ??= open === 1 ? openNamespace(ns, name, server) : namespaceOf(ns, name, server);
        return made[ns];
      };
      const servers = names.map(([, server]) => server);
      const globals = names.map(([name]) => name);
      const placeOf = (key: string): number | undefined => {
        if (key === 'then') return undefined;
        const ns = servers.lastIndexOf(key) >= 0 ? servers.lastIndexOf(key) : globals.indexOf(key);
        return ns < 0 || (SILENT.includes(key) && !servers.includes(key)) ? undefined : ns;
      };
      const all = lookup('tools', 'server', placeOf, () => [servers, []], at);
      const define = (name: string, get: () => object): void => {
        if (hasOwn(globalThis, name)) return; // the first one wins, and built-ins before all
        const set = (): never => {
          throw new GuestTypeError(`${name} holds tools and cannot be assigned; take another name`);
        };
        defineProperty(globalThis, name, { get, set, enumerable: true, configurable: true });
        defined.push(name);
      };
      names.forEach(([name], ns) => {
        define(name, () => at(ns));
      });
      define('tools', () => all);
    },
    settle: (text) => {
      const comma = text.indexOf(',');
      const call = Number(text.slice(0, comma));
      const ok = text[comma + 1] === '1';
      const json = text.slice(comma + 3);
      const waiting = pending[call];
      if (waiting === undefined) return;
      delete pending[call];
      const { resolve, reject, failure, server, raw } = waiting;
      try {
        if (ok) {
          resolve(json === '' ? undefined : parse(json));
          return;
        }
        const { message, code, content } = parse(json) as { message: string; code?: string; content?: unknown };
        const hidden = (key: string, value: unknown): void => {
          if (value !== undefined) defineProperty(failure, key, { value, configurable: true, writable: true });
        };
        hidden('name', 'ToolError');
        hidden('message', message);
        Object.assign(
          failure,
          { server, tool: raw },
          code === undefined ? {} : { code },
          content === undefined ? {} : { content },
        );
        reject(failure);
      } catch (error) {
        reject(error);
      }
    },
  };
};

// The namespaces of a script: globals whose members call tools. Runs inside the guest.
import type { nearNames } from '../../../schema/near.ts';

/** What the worker gives the guest for calling. Numbers are places in the run's view, checked by the daemon. */
export interface ToolHost {
  /** Starts the call of `id,namespace,tool,arguments` (one text is the cheapest way over the border); false: no more. */
  call(text: string): boolean;
  /** JSON `[[script, raw], …, [removed], …]` of one namespace. */
  table(ns: number): string;
}

export interface GuestTools {
  /** Defines the globals instead of those defined before; `names` is JSON `[[global, server], …]`. */
  open(names: string): void;
  /** `id,1,result` or `id,0,failure`, the last as JSON; an empty result is undefined. */
  settle(text: string): void;
}

/** Self-contained: its text is evaluated in the guest. */
export const guestTools = (host: ToolHost, nearest: typeof nearNames): GuestTools => {
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
   * A read-only object of `names`, and of `aliases` beside them, whose members are made when first used. Reading
   * what it does not have is an error that names near ones, except for what the language itself asks of any object.
   */
  const lookup = (
    what: string,
    kind: string,
    names: string[],
    aliases: string[],
    removed: string[],
    make: (at: number) => unknown,
  ): object => {
    const places: Record<string, number> = { __proto__: null } as never;
    const made: unknown[] = [];
    for (let at = 0; at < aliases.length; at++) {
      const alias = aliases[at] as string;
      if (!SILENT.includes(alias)) places[alias] ??= at;
    }
    for (let at = 0; at < names.length; at++) places[names[at] as string] = at;
    delete places['then'];
    const memberAt = (key: string | symbol): unknown => {
      const at = typeof key === 'string' ? places[key] : undefined;
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
          const like = nearest(key, names);
          const hint = like.length > 0 ? `near: ${like.join(', ')}` : `Object.keys(${what}) lists them`;
          const why = removed.includes(key) ? 'was removed by its server and is no longer' : 'is not';
          throw new GuestTypeError(`${key} ${why} a ${kind} of ${what}; ${hint}`);
        },
        has: (_: object, key: string | symbol) => typeof key === 'string' && places[key] !== undefined,
        ownKeys: () => [...names],
        getOwnPropertyDescriptor: (_: object, key: string | symbol) => {
          const value = memberAt(key);
          if (value === undefined) return undefined;
          return { value, enumerable: names.includes(key as string), configurable: true, writable: false };
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
        const why =
          given.length > 1_000_000
            ? `its arguments have ${given.length} characters, more than the script's memory lets through`
            : 'this run has made all the tool calls that it may';
        failure.message = `${label} was not called: ${why}`;
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
    const rows = parse(host.table(ns)) as [string, string?][] | null;
    if (rows === null) return openNamespace(ns, name, server);
    const table = rows.filter((row): row is [string, string] => row.length === 2);
    const removed = rows.filter((row) => row.length === 1).map(([gone]) => gone);
    return lookup(
      name,
      'tool',
      table.map(([script]) => script),
      table.map(([, raw]) => raw),
      removed,
      (at) => {
        const [script, raw] = table[at] as [string, string];
        return toolOf(`${name}${member(script)}`, script, { ns, at, server, raw, wrap: (args) => args });
      },
    );
  };

  let defined: string[] = [];
  return {
    open: (json) => {
      for (const name of defined) delete (globalThis as Record<string, unknown>)[name];
      defined = [];
      const names = parse(json) as [string, string][];
      const made: object[] = [];
      const at = (ns: number): object => {
        const [name, server] = names[ns] as [string, string];
        made[ns] ??= namespaceOf(ns, name, server);
        return made[ns];
      };
      const servers = names.map(([, server]) => server);
      const all = lookup(
        'tools',
        'server',
        servers,
        names.map(([name]) => name),
        [],
        at,
      );
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

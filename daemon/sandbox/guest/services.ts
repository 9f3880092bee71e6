// metad's own functions in scripts: `store`, and results that are kept. Runs inside the guest.

export interface ServiceHost {
  /** Asks for `-id,-1,0,["name", …]`; false: no more. Numbers below 0 tell services from tools. */
  call(text: string): boolean;
}

export interface GuestServices {
  readonly store: object;
  readonly metad: object;
  /** `-id,1,result` or `-id,0,failure`, the last as JSON; an empty result is undefined. */
  settle(text: string): void;
}

/** Self-contained: its text is evaluated in the guest. What the script may have replaced is taken at the start. */
export const guestServices = (host: ServiceHost): GuestServices => {
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, getPrototypeOf, keys } = Object;
  const { isArray } = Array;
  const { isFinite: finite } = Number;
  const text = String;
  const GuestPromise = Promise;
  const GuestError = Error;
  const GuestTypeError = TypeError;
  const objectPrototype = Object.prototype;
  type Pending = { resolve(value: unknown): void; reject(error: unknown): void; failure: Error };
  const pending: Record<string, Pending> = { __proto__: null } as never;
  const deepest = 200;
  let last = 0;

  const ask = (label: string, ...args: readonly string[]): Promise<unknown> =>
    new GuestPromise((resolve, reject) => {
      // Made here, so that its stack is the place in the script that asked.
      const failure = new GuestError();
      if (host.call(`${last - 1},-1,0,${stringify(args)}`)) {
        last -= 1;
        pending[text(last)] = { resolve, reject, failure };
        return;
      }
      defineProperty(failure, 'name', { value: 'LimitError', configurable: true, writable: true });
      failure.message = `${label}: this run has used store and metad.result as often as it may`;
      reject(failure);
    });

  /** What of a value is no JSON, by its place; undefined where all is. */
  const flaw = (value: unknown, place: string, parents: readonly object[]): string | undefined => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return undefined;
      case 'number':
        return finite(value) ? undefined : `${place} is ${text(value)}`;
      case 'bigint':
        return `${place} is a BigInt`;
      case 'object':
        break;
      default:
        return `${place} is ${typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`}`;
    }
    if (value === null) return undefined;
    for (const parent of parents) if (parent === value) return `${place} contains itself`;
    if (parents.length >= deepest) return `${place} lies deeper than ${deepest} levels`;
    const above = [...parents, value];
    if (isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const found = flaw(value[at], `${place}[${at}]`, above);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return undefined;
    const prototype = getPrototypeOf(value);
    if (prototype !== null && prototype !== objectPrototype) {
      const name: unknown = (prototype as object).constructor?.name;
      return `${place} is a ${typeof name === 'string' && name !== '' ? name : 'class instance'}`;
    }
    for (const key of keys(value)) {
      const field = (value as Record<string, unknown>)[key];
      // Left out, as JSON does.
      if (field === undefined) continue;
      const inside = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${stringify(key)}]`;
      const found = flaw(field, `${place}${inside}`, above);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  const keyOf = (label: string, key: unknown): string => {
    if (typeof key === 'string') return key;
    throw new GuestTypeError(`${label} takes a key as a string; it was given ${key === null ? 'null' : typeof key}`);
  };
  const jsonOf = (key: string, value: unknown): string => {
    const label = `store.set(${stringify(key.slice(0, 100))})`;
    const found = flaw(value, 'value', []);
    if (found !== undefined) throw new GuestTypeError(`${label} keeps JSON alone, and ${found}`);
    const json = stringify(value) as string | undefined;
    if (typeof json !== 'string') throw new GuestTypeError(`${label} keeps JSON alone, and value has none`);
    return json;
  };

  const store = freeze({
    get: async (key: unknown) => ask('store.get', 'store.get', keyOf('store.get', key)),
    set: async (key: unknown, value: unknown) => {
      const name = keyOf('store.set', key);
      if (value === undefined) return void (await ask('store.set', 'store.delete', name));
      return void (await ask('store.set', 'store.set', name, jsonOf(name, value)));
    },
    delete: async (key: unknown) => ask('store.delete', 'store.delete', keyOf('store.delete', key)),
    keys: async (prefix: unknown = '') => ask('store.keys', 'store.keys', keyOf('store.keys', prefix)),
  });
  const metad = freeze({
    result: async (handle: unknown) => {
      if (typeof handle === 'string') return ask('metad.result', 'result', handle);
      throw new GuestTypeError('metad.result takes the name of a run as a string, such as "r12"');
    },
  });

  return {
    store,
    metad,
    settle: (answer) => {
      const comma = answer.indexOf(',');
      const id = answer.slice(0, comma);
      const waiting = pending[id];
      if (waiting === undefined) return;
      delete pending[id];
      const { resolve, reject, failure } = waiting;
      const json = answer.slice(comma + 3);
      try {
        if (answer[comma + 1] === '1') return resolve(json === '' ? undefined : parse(json));
        const { message, code } = parse(json) as { message: string; code?: string };
        defineProperty(failure, 'message', { value: message, configurable: true, writable: true });
        if (code !== undefined) defineProperty(failure, 'code', { value: code, configurable: true, writable: true });
        reject(failure);
      } catch (error) {
        reject(error);
      }
    },
  };
};

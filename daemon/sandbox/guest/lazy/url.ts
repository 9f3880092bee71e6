// `URL` and `URLSearchParams`: the host's own parser, and only texts between it and the guest. Made at first use.
import type { WebHost } from './host.ts';

/** Self-contained: its text is evaluated in the guest. */
export const guestUrl = (web: WebHost) => {
  type Parts = Record<string, string>;
  type Pair = [string, string];
  const text = (value: unknown): string => (`${value}` as string & { toWellFormed(): string }).toWellFormed();
  const lists = new WeakMap<object, Pair[]>();
  /** Told when the pairs of a URL's own parameters have changed. */
  const owners = new WeakMap<object, () => void>();
  const listOf = (params: object): Pair[] => {
    const list = lists.get(params);
    if (list === undefined) throw new TypeError('this is no URLSearchParams');
    return list;
  };
  const changed = (params: object): void => owners.get(params)?.();
  const needs = (given: number, least: number): void => {
    if (given < least) throw new TypeError(`${least} argument${least === 1 ? '' : 's'} required; ${given} given`);
  };
  const parse = (query: string): Pair[] => web('params', [query]) as Pair[];

  class URLSearchParams {
    constructor(init: unknown = '') {
      let list: Pair[] = [];
      if (init !== null && (typeof init === 'object' || typeof init === 'function')) {
        if (Symbol.iterator in init) {
          for (const one of init as Iterable<unknown>) {
            const pair = [...(one as Iterable<unknown>)];
            if (pair.length !== 2) throw new TypeError('Each pair of URLSearchParams has a name and a value');
            list.push([text(pair[0]), text(pair[1])]);
          }
        } else for (const key of Object.keys(init)) list.push([text(key), text((init as Parts)[key])]);
      } else list = parse(text(init));
      lists.set(this, list);
    }
    get size(): number {
      return listOf(this).length;
    }
    append(name: unknown, value: unknown): void {
      // biome-ignore lint/complexity/noArguments: undefined is a value too
      needs(arguments.length, 2);
      listOf(this).push([text(name), text(value)]);
      changed(this);
    }
    delete(name: unknown, value?: unknown): void {
      const [key, only] = [text(name), value === undefined ? undefined : text(value)];
      const list = listOf(this);
      const kept = list.filter((pair) => pair[0] !== key || (only !== undefined && pair[1] !== only));
      list.splice(0, list.length, ...kept);
      changed(this);
    }
    get(name: unknown): string | null {
      const key = text(name);
      return listOf(this).find((pair) => pair[0] === key)?.[1] ?? null;
    }
    getAll(name: unknown): string[] {
      const key = text(name);
      return listOf(this)
        .filter((pair) => pair[0] === key)
        .map((pair) => pair[1]);
    }
    has(name: unknown, value?: unknown): boolean {
      const [key, only] = [text(name), value === undefined ? undefined : text(value)];
      return listOf(this).some((pair) => pair[0] === key && (only === undefined || pair[1] === only));
    }
    set(name: unknown, value: unknown): void {
      // biome-ignore lint/complexity/noArguments: undefined is a value too
      needs(arguments.length, 2);
      const key = text(name);
      const list = listOf(this);
      const first = list.find((pair) => pair[0] === key);
      if (first === undefined) list.push([key, text(value)]);
      else {
        first[1] = text(value);
        const kept = list.filter((pair) => pair === first || pair[0] !== key);
        list.splice(0, list.length, ...kept);
      }
      changed(this);
    }
    sort(): void {
      listOf(this).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      changed(this);
    }
    forEach(each: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
      for (const [name, value] of this) each.call(self, value, name, this);
    }
    *entries(): IterableIterator<Pair> {
      const list = listOf(this);
      for (let at = 0; at < list.length; at += 1) yield [...(list[at] as Pair)];
    }
    *keys(): IterableIterator<string> {
      for (const [name] of this.entries()) yield name;
    }
    *values(): IterableIterator<string> {
      for (const [, value] of this.entries()) yield value;
    }
    [Symbol.iterator](): IterableIterator<Pair> {
      return this.entries();
    }
    toString(): string {
      return web('query', [listOf(this)]) as string;
    }
  }

  class URL {
    #parts: Parts;
    #params: URLSearchParams | undefined;

    static #read(url: unknown, base: unknown): Parts | null {
      return web('url', base === undefined ? [text(url)] : [text(url), text(base)]) as Parts | null;
    }
    static canParse(url: unknown, base?: unknown): boolean {
      return URL.#read(url, base) !== null;
    }
    static parse(url: unknown, base?: unknown): URL | null {
      return URL.canParse(url, base) ? new URL(url, base) : null;
    }

    constructor(url: unknown, base?: unknown) {
      const parts = URL.#read(url, base);
      if (parts === null) {
        throw Object.assign(new TypeError(`Invalid URL: ${text(url).slice(0, 200)}`), { code: 'ERR_INVALID_URL' });
      }
      this.#parts = parts;
    }
    get searchParams(): URLSearchParams {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams(this.#parts['search']);
        const own = this.#params;
        owners.set(own, () => this.#change('search', own.toString()));
      }
      return this.#params;
    }
    toString(): string {
      return this.#parts['href'] as string;
    }
    toJSON(): string {
      return this.toString();
    }
    #change(part: string, value: unknown): void {
      this.#parts = web('change', [this.#parts['href'], part, text(value)]) as Parts;
    }
    static part(url: URL, name: string): string {
      return url.#parts[name] as string;
    }
    static change(url: URL, name: string, value: unknown): void {
      if (name === 'href') url.#parts = new URL(value).#parts;
      else url.#change(name, value);
      const { searchParams } = url;
      const list = listOf(searchParams);
      if (name === 'href' || name === 'search') list.splice(0, list.length, ...parse(url.#parts['search'] ?? ''));
    }
  }
  const { part, change } = URL;
  // They were the way in for the lines below alone.
  for (const name of ['part', 'change']) delete (URL as unknown as Parts)[name];
  const define = (name: string, set: ((this: URL, value: unknown) => void) | undefined): void => {
    const get = function (this: URL): string {
      return part(this, name);
    };
    const accessor: PropertyDescriptor = { get, enumerable: true, configurable: true };
    if (set !== undefined) accessor.set = set;
    Object.defineProperty(URL.prototype, name, accessor);
  };
  for (const name of 'href protocol username password host hostname port pathname search hash'.split(' ')) {
    define(name, function (value) {
      change(this, name, value);
    });
  }
  define('origin', undefined);
  for (const [name, made] of Object.entries({ URL, URLSearchParams })) {
    Object.defineProperty(made, 'name', { value: name, configurable: true });
    Object.defineProperty(made.prototype, Symbol.toStringTag, { value: name, configurable: true });
  }
  return { URL, URLSearchParams };
};

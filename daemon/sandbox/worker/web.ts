// What the worker computes for the guest's URL, base64 and crypto. Texts in, texts out: never an object of the host.
import { randomBytes, randomUUID } from 'node:crypto';

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;
type Part = (typeof PARTS)[number];

const partsOf = (url: URL): Record<string, string> => Object.fromEntries(PARTS.map((part) => [part, url[part]]));

const readUrl = (url: string, base?: string): Record<string, string> | null => {
  try {
    return partsOf(new URL(url, base));
  } catch {
    return null;
  }
};

const changeUrl = (href: string, part: string, value: string): Record<string, string> => {
  const url = new URL(href);
  if (part !== 'origin' && PARTS.includes(part as Part)) url[part as Exclude<Part, 'origin'>] = value;
  return partsOf(url);
};

const tried = (what: () => string): string | null => {
  try {
    return what();
  } catch {
    return null;
  }
};

const text = (value: unknown): string => String(value);

const OPERATIONS: Readonly<Record<string, (args: readonly unknown[]) => unknown>> = {
  url: ([url, base]) => readUrl(text(url), base === undefined ? undefined : text(base)),
  change: ([href, part, value]) => changeUrl(text(href), text(part), text(value)),
  params: ([query]) => [...new URLSearchParams(text(query))],
  query: ([pairs]) => new URLSearchParams(pairs as [string, string][]).toString(),
  atob: ([data]) => tried(() => atob(text(data))),
  btoa: ([data]) => tried(() => btoa(text(data))),
  uuid: () => randomUUID(),
  random: ([bytes]) => [...randomBytes(Math.min(Number(bytes), 65_536))],
};

/** @param json `[operation, ...args]`. @returns JSON; `null` where it cannot be done. */
export const web = (json: string): string => {
  try {
    const [operation, ...args] = JSON.parse(json) as [string, ...unknown[]];
    const compute = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
    return JSON.stringify(compute?.(args) ?? null);
  } catch {
    // A script that has replaced what the guest's side uses asks for anything.
    return 'null';
  }
};

// What changed between two configs, by meaning: white space, comments and the order of keys are no change.
import type { Config, Definition } from '../../schema/config.ts';

export interface DefinitionDiff {
  /** Names in the order of the file. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

export interface ConfigDiff {
  readonly servers: DefinitionDiff;
  /** Top-level keys beside mcpServers whose value changed. */
  readonly settings: readonly string[];
}

/** Equal as JSON values: the order of keys counts for nothing, the order of a list does; undefined is no key. */
const same = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => same(item, b[at]));
  const entries = (value: object) => Object.entries(value).filter(([, child]) => child !== undefined);
  const others = new Map(entries(b));
  const mine = entries(a);
  return mine.length === others.size && mine.every(([key, child]) => others.has(key) && same(child, others.get(key)));
};

/** Pure; a server that was renamed is one removed and one added. */
export const diffDefinitions = (
  before: ReadonlyMap<string, Definition>,
  after: ReadonlyMap<string, Definition>,
): DefinitionDiff => {
  const names = [...after.keys()];
  const kept = names.filter((name) => before.has(name));
  const unchanged = kept.filter((name) => same(before.get(name), after.get(name)));
  return {
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: kept.filter((name) => !unchanged.includes(name)),
    unchanged,
  };
};

export const diffConfig = (before: Config, after: Config): ConfigDiff => {
  const { servers: _, ...old } = before;
  const { servers: __, ...next } = after;
  const keys = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  return {
    servers: diffDefinitions(before.servers, after.servers),
    settings: keys.filter((key) => !same(old[key as keyof typeof old], next[key as keyof typeof next])),
  };
};

/** Whether anything but the order of the servers changed. */
export const isEmpty = ({ servers, settings }: ConfigDiff): boolean =>
  servers.added.length + servers.removed.length + servers.changed.length + settings.length === 0;

// What tools return that publish no outputSchema: learned from their results, for as long as their definition stays.
import type { Detail } from '../../schema/declare/declare.ts';
import type { Json, Listing, Tool } from '../../schema/tool.ts';
import { bounded } from './shapes/bound.ts';
import { decode, encode } from './shapes/code.ts';
import { isSame, merge } from './shapes/merge.ts';
import { printShape } from './shapes/print.ts';
import { isHeld, shapeOf } from './shapes/sample.ts';
import { NOTHING, type Shape } from './shapes/shape.ts';

/** One learned shape as it is kept. */
export interface ShapeRow {
  /** Of the listing. */
  readonly key: string;
  /** Raw name. */
  readonly tool: string;
  /** Of the tool's definition; a shape counts for this definition alone. */
  readonly hash: string;
  /** The encoded shape: keys and kinds, no values. */
  readonly body: string;
}

export interface ShapesOptions {
  /** `learnReturnTypes`: where it is off, nothing is learned and nothing shown. */
  readonly isOn: () => boolean;
  readonly hashOf: (tool: Tool) => string;
  /** What is kept of one listing. */
  readonly load: (key: string) => readonly ShapeRow[];
  readonly save: (row: ShapeRow) => void;
  readonly remove: (key: string, tool: string) => void;
}

export interface Shapes {
  /** Counts one successful result, a plain text or not; whether it is to be learned from. */
  isDue(key: string, tool: Tool, isText: boolean): boolean;
  learn(key: string, tool: Tool, value: Json): void;
  /** Drops what is known of tools that are gone or no longer the same. */
  forget(key: string, tools: readonly string[]): void;
  /** Return types by raw name: the same map until one of them changes. Undefined where there are none. */
  observed(listing: Listing, detail: Detail): ReadonlyMap<string, string> | undefined;
}

/** Results that are learned from one by one; after them only every so-manieth. */
const FIRST = 20;
const EVERY = 50;

/** Longest type that is shown, in UTF-16 units. */
const TEXT_LIMITS: Readonly<Record<Detail, number>> = { names: 0, signatures: 600, full: 4000 };

const isNews = ({ anything, scalars, items, object }: Shape = NOTHING, isText: boolean): boolean =>
  !anything && (isText ? !scalars.includes('string') : items === undefined && object === undefined);

interface Entry {
  readonly hash: string;
  seen: number;
  shape: Shape | undefined;
}

export const createShapes = ({ isOn, hashOf, load, save, remove }: ShapesOptions): Shapes => {
  const learned = new Map<string, Map<string, Entry>>();
  const hashes = new WeakMap<Tool, string>();
  /** Printed types by key, as long as no shape of it changes. */
  const printed = new Map<string, WeakMap<Listing, Map<Detail, ReadonlyMap<string, string> | undefined>>>();

  const hash = (tool: Tool): string => {
    const known = hashes.get(tool) ?? hashOf(tool);
    hashes.set(tool, known);
    return known;
  };

  const entriesOf = (key: string): Map<string, Entry> => {
    let entries = learned.get(key);
    if (entries === undefined) {
      entries = new Map();
      for (const row of load(key)) {
        const shape = decode(row.body);
        if (shape !== undefined) entries.set(row.tool, { hash: row.hash, seen: 0, shape });
      }
      learned.set(key, entries);
    }
    return entries;
  };

  const entryOf = (key: string, tool: Tool): Entry => {
    const entries = entriesOf(key);
    const known = entries.get(tool.name);
    if (known?.hash === hash(tool)) return known;
    const entry: Entry = { hash: hash(tool), seen: 0, shape: undefined };
    entries.set(tool.name, entry);
    return entry;
  };

  const hasOwnType = ({ outputSchema }: Tool): boolean => outputSchema !== undefined && outputSchema !== null;

  const print = (listing: Listing, detail: Detail): ReadonlyMap<string, string> | undefined => {
    const entries = entriesOf(listing.key);
    if (entries.size === 0 || detail === 'names') return undefined;
    const types = new Map<string, string>();
    for (const tool of listing.tools) {
      const entry = entries.get(tool.name);
      if (entry?.shape === undefined || hasOwnType(tool) || entry.hash !== hash(tool)) continue;
      const text = printShape(entry.shape, TEXT_LIMITS[detail]);
      // `any` lets a script go on; `unknown` would say nothing and be in its way.
      if (text !== 'unknown') types.set(tool.name, text);
    }
    return types.size === 0 ? undefined : types;
  };

  return {
    isDue: (key, tool, isText) => {
      if (!isOn() || hasOwnType(tool)) return false;
      const entry = entryOf(key, tool);
      entry.seen += 1;
      // A text where there was none before, or the other way round, is never passed over: it is what breaks scripts.
      return entry.seen <= FIRST || (entry.seen - FIRST) % EVERY === 0 || isNews(entry.shape, isText);
    },
    learn: (key, tool, value) => {
      const entry = entryOf(key, tool);
      if (entry.shape !== undefined && isHeld(entry.shape, value)) return;
      const shape = bounded(merge(entry.shape ?? NOTHING, shapeOf(value)));
      if (entry.shape !== undefined && isSame(entry.shape, shape)) return;
      entry.shape = shape;
      printed.delete(key);
      save({ key, tool: tool.name, hash: entry.hash, body: encode(shape) });
    },
    forget: (key, tools) => {
      if (tools.length === 0) return;
      const entries = entriesOf(key);
      for (const tool of tools) if (entries.delete(tool)) remove(key, tool);
      printed.delete(key);
    },
    observed: (listing, detail) => {
      if (!isOn()) return undefined;
      const ofKey = printed.get(listing.key) ?? new WeakMap();
      printed.set(listing.key, ofKey);
      const details = ofKey.get(listing) ?? new Map<Detail, ReadonlyMap<string, string> | undefined>();
      ofKey.set(listing, details);
      if (!details.has(detail)) details.set(detail, print(listing, detail));
      return details.get(detail);
    },
  };
};

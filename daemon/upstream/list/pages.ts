// All pages of tools/list, and what is wrong with them.

import { messageOf } from '../../../schema/errors.ts';
import type { Tool } from '../../../schema/tool.ts';

export interface Pages {
  readonly tools: readonly Tool[];
  readonly warnings: readonly string[];
  /** Why a page is missing; undefined where the list is complete. */
  readonly failure: unknown;
}

/** Far over any real server; ends one that invents cursors for ever. */
const PAGE_LIMIT = 1000;
/** Pages in a row that bring no new tool before the rest is given up. */
const BARREN_LIMIT = 3;

const nameOf = (tool: unknown): string | undefined => {
  const name = typeof tool === 'object' && tool !== null ? (tool as { name?: unknown }).name : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
};

/** Levels of JSON in one tool; real ones have fewer than 50, and thousands end the stack of whoever reads them. */
const DEPTH_LIMIT = 200;

const nestsOver = (value: unknown, limit: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (limit === 0 || Object.values(value).some((inner) => nestsOver(inner, limit - 1)));

const listOf = (names: ReadonlySet<string>): string => [...names].slice(0, 10).join(', ');

/**
 * Walks all pages. `fetchPage` gives one result of `tools/list` as sent, or throws.
 *
 * A missing `nextCursor` is the end (2025-11-25, server/utilities/pagination). So is an empty string: several servers
 * send one on the last page, and asking with it would begin again at the first. A cursor that comes again, or pages
 * without anything new, end the walk with a warning. A page that fails ends it too; what came before is kept, and
 * `failure` says why.
 */
export const walkPages = async (fetchPage: (cursor: string | undefined) => Promise<unknown>): Promise<Pages> => {
  const tools = new Map<string, Tool>();
  const warnings: string[] = [];
  const seen = new Set<string>();
  const doubled = new Set<string>();
  const deep = new Set<string>();
  let nameless = 0;
  let barren = 0;
  let failure: unknown;
  let cursor: string | undefined;

  for (let page = 1; ; page += 1) {
    let entries: unknown;
    let nextCursor: unknown;
    try {
      const result = await fetchPage(cursor);
      ({ tools: entries, nextCursor } = (result ?? {}) as { tools?: unknown; nextCursor?: unknown });
      if (!Array.isArray(entries)) throw new Error('its `tools` is no array');
    } catch (error) {
      failure = new Error(`page ${page} failed: ${messageOf(error)}`, { cause: error });
      break;
    }
    const before = tools.size;
    for (const entry of entries as unknown[]) {
      const name = nameOf(entry);
      if (name === undefined) nameless += 1;
      else if (tools.has(name)) doubled.add(name);
      else if (nestsOver(entry, DEPTH_LIMIT)) deep.add(name);
      else tools.set(name, entry as Tool);
    }
    barren = tools.size === before ? barren + 1 : 0;
    if (typeof nextCursor !== 'string' || nextCursor === '') break;
    if (seen.has(nextCursor)) {
      warnings.push(
        `The tool list repeats the cursor of an earlier page after page ${page}; the rest was not asked for.`,
      );
      break;
    }
    if (barren >= BARREN_LIMIT || page >= PAGE_LIMIT) {
      warnings.push(`The tool list goes on without end after page ${page}; the rest was not asked for.`);
      break;
    }
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  if (nameless > 0) warnings.push(`${nameless} tools without a name were left out.`);
  if (doubled.size > 0) warnings.push(`Tools listed twice, the first one counts: ${listOf(doubled)}.`);
  if (deep.size > 0) warnings.push(`Tools that nest deeper than ${DEPTH_LIMIT} levels were left out: ${listOf(deep)}.`);
  return { tools: [...tools.values()], warnings, failure };
};

// How much of the declarations fits a number of tokens, and what to say of the rest.
import { type Declared, type DeclareInput, type Detail, declareServer } from './declare.ts';

/** One server as `fit` gets it. */
export interface FitServer extends Omit<DeclareInput, 'detail'> {
  /** The name that `list_tools` takes; shown in the calls that get what was left out. */
  readonly server: string;
  /** Declarations from a cache; without it they are made here. */
  readonly declare?: ((detail: Detail) => Declared) | undefined;
}

export interface FitOptions {
  /** The richest detail to give. Default `full`. */
  readonly most?: Detail;
  /** The caller named these servers and this detail already: what is left out takes fewer tools, not the same call. */
  readonly isAsked?: boolean;
  /** Tokens of a text. */
  readonly estimate?: (text: string) => number;
}

export interface Fitted {
  readonly text: string;
  /** By server: what of it is in the text. `count`: its number of tools alone. */
  readonly details: ReadonlyMap<string, Detail | 'count'>;
  readonly tokens: number;
  readonly isWhole: boolean;
}

const OTHERS = /[^\t-~]+/g;
const PIECES = /[A-Za-z][a-z]*|[0-9]{1,3}|[!-/:-@[-`{-~]+/g;

/**
 * Tokens (o200k) of a text without a tokenizer: 0.96 for each word part, up to three digits or run of punctuation, and
 * 0.7 for each character that is not ASCII. Over the corpus it is within 16 % for 19 servers of 20 (test/schema/declare).
 */
export const estimateTokens = (text: string): number => {
  let pieces = 0;
  for (const _ of text.matchAll(PIECES)) pieces += 1;
  const others = [...text.matchAll(OTHERS)].reduce((sum, [run]) => sum + run.length, 0);
  return Math.ceil(0.96 * pieces + 0.7 * others);
};

const NOTE_TOKENS = 150;

/** Least tokens that one declared tool takes; saves making declarations that cannot fit. */
const LEAST = { count: 0, names: 1, signatures: 8, full: 8 } as const;

const NAMES_SHOWN = 8;

const call = (servers: readonly string[], detail: Detail, isAsked: boolean): string =>
  `list_tools({ servers: ${JSON.stringify(servers)}, ${isAsked ? 'tools: ["some*"], ' : ''}detail: "${detail}" })`;

const countLine = ({ namespace, tools }: FitServer): string =>
  `// ${namespace}: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}\n`;

/**
 * The richest declarations of `servers` (in their order) within `budgetTokens`, in this order of preference:
 * 1. everything at the richest detail, from `most` downwards, at which all of it fits;
 * 2. names of all, and then `signatures` for one server after the other, smallest first, while they fit;
 * 3. the number of tools of each server, and then names for one after the other, smallest first, while they fit.
 * The last lines say what was left out and the exact call that gets it.
 */
export const fit = (
  servers: readonly FitServer[],
  budgetTokens: number,
  { most = 'full', isAsked = false, estimate = estimateTokens }: FitOptions = {},
): Fitted => {
  // What is less than everything has lines at its end that say so.
  const room = budgetTokens - Math.min(NOTE_TOKENS, budgetTokens / 4);
  const made = new Map<string, { text: string; tokens: number }>();
  const make = (server: FitServer, detail: Detail | 'count'): { text: string; tokens: number } => {
    const key = `${detail} ${server.server}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const text =
      detail === 'count' ? countLine(server) : (server.declare?.(detail) ?? declareServer({ ...server, detail })).text;
    const result = { text, tokens: estimate(text) };
    made.set(key, result);
    return result;
  };

  const toolCount = servers.reduce((sum, server) => sum + server.tools.length, 0);
  /** Tokens of all at one detail, or undefined as soon as it is over the budget. */
  const total = (detail: Detail | 'count'): number | undefined => {
    const budget = detail === most ? budgetTokens : room;
    if (toolCount * LEAST[detail] > budget) return undefined;
    let tokens = 0;
    for (const server of servers) {
      tokens += make(server, detail).tokens;
      if (tokens > budget) return undefined;
    }
    return tokens;
  };

  const result = (details: ReadonlyMap<string, Detail | 'count'>): Fitted => {
    const text = servers.map((server) => make(server, details.get(server.server) ?? 'count').text).join('');
    const note = leftOut(servers, details, most, isAsked);
    const whole = note === '' ? text : `${text}${note}`;
    return { text: whole, details, tokens: estimate(whole), isWhole: note === '' };
  };

  const uniform = (detail: Detail | 'count'): Map<string, Detail | 'count'> =>
    new Map(servers.map(({ server }) => [server, detail]));

  const steps = (['full', 'signatures', 'names'] as const).slice(most === 'full' ? 0 : most === 'signatures' ? 1 : 2);
  for (const detail of steps) {
    const tokens = total(detail);
    if (tokens === undefined) continue;
    if (detail !== 'names' || most === 'names') return result(uniform(detail));
    return result(raised(servers, uniform('names'), tokens, room, 'signatures', make));
  }
  return result(raised(servers, uniform('count'), total('count') ?? 0, room, 'names', make));
};

/** Servers, smallest first, at the richer detail while that fits. */
const raised = (
  servers: readonly FitServer[],
  details: Map<string, Detail | 'count'>,
  used: number,
  budget: number,
  richer: Detail,
  make: (server: FitServer, detail: Detail | 'count') => { tokens: number },
): Map<string, Detail | 'count'> => {
  let tokens = used;
  const bySize = [...servers].sort((a, b) => a.tools.length - b.tools.length || (a.server < b.server ? -1 : 1));
  for (const server of bySize) {
    const now = make(server, details.get(server.server) ?? 'count').tokens;
    if (tokens - now + server.tools.length * LEAST[richer] > budget) break;
    const then = make(server, richer).tokens;
    if (tokens - now + then > budget) continue;
    tokens += then - now;
    details.set(server.server, richer);
  }
  return details;
};

const leftOut = (
  servers: readonly FitServer[],
  details: ReadonlyMap<string, Detail | 'count'>,
  most: Detail,
  isAsked: boolean,
): string => {
  const line = (what: string, at: Detail | 'count', detail: Detail): string => {
    const left = servers.filter(({ server }) => details.get(server) === at).map(({ server }) => server);
    if (left.length === 0) return '';
    if (left.length <= NAMES_SHOWN)
      return `// Left out: ${what} of ${left.join(', ')}; ${call(left, detail, isAsked)} shows them.\n`;
    return `// Left out: ${what} of ${left.length} servers; ${call(left.slice(0, 1), detail, isAsked)} shows one of them.\n`;
  };
  return [
    line('the tools', 'count', 'names'),
    most === 'names' ? '' : line('the types', 'names', 'signatures'),
    most === 'full' ? line('the parameter texts', 'signatures', 'full') : '',
  ].join('');
};

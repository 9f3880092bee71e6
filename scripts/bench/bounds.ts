// The bounds that the numbers are held against. Rows in ms alone are printed and not asserted.
import type { Row } from './harness.ts';

export interface Bound {
  readonly text: string;
  /** Reports whether the row keeps it; absent where a number is only printed. */
  readonly holds?: (row: Row & { readonly value: number }) => boolean;
  /** Milliseconds that a row which is only printed should keep to. */
  readonly milliseconds?: number;
  /** Why the number is over the bound as yet; said only where it is. */
  readonly reason?: string;
}

const ratio = ({ value, base = Number.NaN }: { value: number; base?: number }): number => value / base;

const atMost = (bound: number): Bound => ({ text: `≤ ${bound} ×`, holds: (row) => ratio(row) <= bound });
const atLeast = (bound: number): Bound => ({ text: `≥ ${bound} ×`, holds: (row) => ratio(row) >= bound });
const count = (bound: number, unit = ''): Bound => ({
  text: `≤ ${bound}${unit}`,
  holds: ({ value }) => value <= bound,
});

/** Four times the tools: six times the work is an exponent of 1.3, where a quadratic step would take sixteen times. */
const LINEAR = atMost(6);
const GROWING = [
  'contact',
  'cold',
  'listFirst',
  'list',
  'serverFirst',
  'server',
  'tool',
  'searchFirst',
  'search',
  'executeFirst',
  'execute',
  'memory',
];

export const BOUNDS: Readonly<Record<string, Bound>> = {
  'start-warm': atMost(1.5),
  'start-cold': atMost(9),
  'native-small': atMost(2.5),
  'execute-small': atMost(9),
  'large-native': atMost(4),
  'burst-native': atLeast(0.25),
  'chain-worker': {
    ...atMost(2),
    reason:
      'each call crosses two threads and two pipes in turn, so their wake-ups add up; the SDK client and the guest’s JSON take the rest',
  },
  'chain-1000': atMost(2),
  'runs-waiting': count(6, ' s'),
  'chain-trips': { text: '< 0.5 ×', holds: (row) => ratio(row) < 0.5 },
  'processes-20': count(32),
  'memory-20': { text: '≤ 0.12 ×', holds: (row) => ratio(row) <= 0.12 },
  'memory-daemon': count(110, ' MB'),
  'types-warm-500': { text: '150 ms', milliseconds: 150 },
  'types-memory-500': count(100, ' MB'),
  'tokens-50': count(600),
  'tokens-full': count(1_100),
  'tokens-tools': { text: 'the same', holds: ({ value, base }) => value === base },
  'declare-signatures': atMost(0.2),
  'declare-signatures-median': count(30, ' %'),
  'declare-full': atMost(0.75),
  'declare-lost': atMost(0.01),
  'search-recall-held-out-index': {
    text: '≥ 0.85',
    holds: ({ value }) => value >= 0.85,
    reason: 'words and their synonyms do not reach a task that says the same with words that nobody foresaw',
  },
  'search-10000': {
    text: '≤ 10 ms in the daemon',
    milliseconds: 10,
    reason: 'a query of many words that were never asked for reads each of them from the index',
  },
  'list-cold': { text: '≤ 5 ms in the daemon', milliseconds: 5 },
  'scale-start-cold': atMost(9),
  'scale-start-warm': atMost(1.3),
  ...Object.fromEntries(GROWING.map((step) => [`scale-${step}`, LINEAR])),
  'lock-first': { text: '≤ 300 ms off the loop', milliseconds: 300 },
  'change-pushed': { text: '≤ 500 ms', milliseconds: 500 },
  watches: { text: '< 200', holds: ({ value }) => value < 200 },
  'start-known': atMost(1.5),
  'sandbox-many': {
    text: '≤ 1.5 ms',
    milliseconds: 1.5,
    reason: 'reading the script (parse, scopes, last expression) and two messages between threads',
  },
};

/** Why a row is over its bound, where it is. */
export const reasonOf = (row: Row): string => {
  const bound = BOUNDS[row.id];
  const isOver = bound?.milliseconds !== undefined && row.value !== null && row.value > bound.milliseconds;
  return isOver || verdictOf(row) === 'missed' ? (bound?.reason ?? '') : '';
};

/** `met`, `missed`, or an empty text where nothing is asserted or nothing was measured. */
export const verdictOf = (row: Row): 'met' | 'missed' | '' => {
  const holds = BOUNDS[row.id]?.holds;
  if (holds === undefined || row.value === null) return '';
  return holds({ ...row, value: row.value }) ? 'met' : 'missed';
};

// From an agent's text to the text that the engine gets, and from places in the one to places in the other.
import type { Position } from '../limits.ts';
import type { Survey } from './survey.ts';

/** Text put into a line of the script, so that places behind it can be told as the agent wrote them. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

export interface Prepared {
  /** An expression: the async function that is the script; it is given a function for promises that nobody awaits. */
  readonly source: string;
  /** The script's value is called if it is a function (`export default`). */
  readonly callResult: boolean;
  readonly survey: Survey;
  /** From a place in `source` to the place in the script. */
  original(place: Position): Position;
  /** From a place of the survey to the place in the script. */
  originalAt(at: number): Position;
}

/** Both from 1. */
export const placeOf = (code: string, at: number): Position => {
  const before = code.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
};

/** The engine counts columns in characters; agents and editors count halves of surrogate pairs. */
const inUnits = (line: string, column: number): number => {
  let units = 0;
  for (let left = column - 1; left > 0 && units < line.length; left -= 1) {
    units += (line.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return Math.max(units + 1, column);
};

/** In the source: notes the promise that it is given, and gives it back. */
export const UNAWAITED = '$metadUnawaited';
const HEAD = `(async (${UNAWAITED}) => {`;

/** Where each insertion stands; they are in order, and the code is read once. */
const placed = (code: string, insertions: readonly Insertion[]): (Position & { readonly length: number })[] => {
  let line = 1;
  let begins = 0;
  let end = code.indexOf('\n');
  return insertions.map(({ at, text }) => {
    for (; end >= 0 && end < at; end = code.indexOf('\n', begins)) {
      line += 1;
      begins = end + 1;
    }
    return { line, column: at - begins + 1, length: text.length };
  });
};

/** `tail` goes on a line of its own behind the script: a comment at its end must not take it in. */
export const wrap = (
  code: string,
  inserted: readonly Insertion[],
  { tail = '', callResult = false, survey }: { tail?: string; callResult?: boolean; survey: Survey },
): Prepared => {
  const insertions = inserted.toSorted((one, other) => one.at - other.at);
  let body = '';
  let from = 0;
  for (const { at, text } of insertions) {
    body += code.slice(from, at) + text;
    from = at;
  }
  const shifts = placed(code, [{ at: 0, text: HEAD }, ...insertions]);
  const source = `${HEAD}${body}${code.slice(from)}\n${tail}\n})`;
  return {
    source,
    callResult,
    survey,
    original: ({ line, column }) => {
      let there = inUnits(source.split('\n')[line - 1] ?? '', column);
      for (const shift of shifts) {
        if (shift.line === line && there > shift.column) there = Math.max(shift.column, there - shift.length);
      }
      return { line, column: there };
    },
    originalAt: (at) => placeOf(code, at),
  };
};

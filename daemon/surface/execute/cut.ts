// Texts and values cut to a length at a place where what is left can be read.
import { isObject, type Json, type JsonObject } from '../../../schema/tool.ts';

export interface Cut {
  readonly text: string;
  /** Of all that there was, in words: `266 of 1,500 items`. */
  readonly shown: string;
}

const number = (value: number): string => value.toLocaleString('en');

/** The start of a text, never half of a surrogate pair. */
const head = (text: string, length: number): string =>
  text.slice(0, length > 0 && /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : Math.max(0, length));

/** Cut at a line end where one is near. */
export const cutText = (text: string, room: number): Cut => {
  const start = head(text, room);
  const lineEnd = start.lastIndexOf('\n');
  const kept = lineEnd > room * 0.8 ? start.slice(0, lineEnd) : start;
  return { text: kept, shown: `${number(kept.length)} of ${number(text.length)} characters` };
};

/** Beginning and end of a text: where it broke off is told last. */
export const cutMiddle = (text: string, room: number): string => {
  if (text.length <= room) return text;
  const lines = text.split('\n').length;
  const note = `\n… ${number(text.length)} characters in ${number(lines)} lines; the middle is cut\n`;
  const each = Math.floor((room - note.length) / 2);
  if (each < 20) return head(text, room);
  const start = cutText(text, each).text;
  const tail = text.slice(text.length - each).replace(/^[\uDC00-\uDFFF]/, '');
  const lineEnd = tail.indexOf('\n');
  return `${start}${note}${lineEnd >= 0 && lineEnd < each * 0.2 ? tail.slice(lineEnd + 1) : tail}`;
};

/** Room for the line that says how much more there is. */
const NOTE = 60;
/** In less no part of a value is worth showing. */
const LEAST = 24;

/** A share of `room` for each demand: small ones get all they want, the others as much as each other. */
export const shares = (demands: readonly number[], room: number): readonly number[] => {
  const order = demands.map((demand, at) => ({ demand, at })).sort((one, other) => one.demand - other.demand);
  const given = demands.map(() => 0);
  let left = Math.max(0, room);
  order.forEach(({ demand, at }, place) => {
    const share = Math.min(demand, Math.floor(left / (order.length - place)));
    given[at] = share;
    left -= share;
  });
  return given;
};

const cutString = (value: string, room: number): string => {
  const note = `… ${number(value.length)} characters`;
  // What is escaped takes more than one character.
  let kept = head(value, room - note.length - 2);
  for (let json = JSON.stringify(kept); json.length + note.length > room && kept !== ''; json = JSON.stringify(kept))
    kept = head(kept, Math.min(kept.length - 1, kept.length - (json.length + note.length - room)));
  return JSON.stringify(kept).replace(/"$/, `${note}"`);
};

/** Characters of a value's JSON, or more than `room` as soon as it is more: a value may be a thousand times larger. */
const lengthWithin = (value: Json, room: number): number => {
  if (typeof value === 'string' && value.length + 2 > room) return value.length + 2;
  if (value === null || typeof value !== 'object') return JSON.stringify(value).length;
  let length = 2;
  const add = (more: number, commas: boolean): boolean => {
    length += more + (commas ? 1 : 0);
    return length <= room;
  };
  if (!isObject(value)) {
    for (const [at, item] of (value as readonly Json[]).entries())
      if (!add(lengthWithin(item, room - length), at > 0)) break;
    return length;
  }
  let first = true;
  for (const [key, field] of Object.entries(value)) {
    if (!add(JSON.stringify(key).length + 1 + lengthWithin(field, room - length), !first)) break;
    first = false;
  }
  return length;
};

const cutArray = (items: readonly Json[], room: number): { text: string; count: number } => {
  const lines: string[] = [];
  let left = room - NOTE;
  for (const item of items) {
    const size = lengthWithin(item, left) + 2;
    if (size > left) {
      if (lines.length === 0 && left > LEAST) lines.push(fitted(item, left - 2));
      break;
    }
    lines.push(JSON.stringify(item));
    left -= size;
  }
  const more = items.length - lines.length;
  const note = more === 0 ? '' : `\n… ${number(more)} more of ${number(items.length)} items`;
  return { text: `[\n${lines.join(',\n')}${note}\n]`, count: lines.length };
};

/** Short fields are shown whole, wherever they stand; the long ones share what is left. */
const cutObject = (value: JsonObject, room: number): string => {
  const all = Object.entries(value);
  const most = room - NOTE;
  // No more than these could be shown in any case.
  const entries = all.slice(0, Math.ceil(room / 6)).map(([key, field]) => ({ key: JSON.stringify(key), field }));
  const sizes = entries.map(({ key, field }) => key.length + 3 + lengthWithin(field, most));
  const given = shares(sizes, most);
  const lines: string[] = [];
  entries.forEach(({ key, field }, at) => {
    const share = given[at] ?? 0;
    if (share >= (sizes[at] ?? 0)) lines.push(`${key}:${JSON.stringify(field)}`);
    else if (share - key.length - 3 >= LEAST) lines.push(`${key}:${fitted(field, share - key.length - 3)}`);
  });
  const more = all.length - lines.length;
  const note = more === 0 ? '' : `\n… ${number(more)} more of ${number(all.length)} fields`;
  return `{\n${lines.join(',\n')}${note}\n}`;
};

/** JSON where it fits; else its beginning, one element a line, with lines that say what is missing. */
const fitted = (value: Json, room: number): string => {
  if (lengthWithin(value, room) <= room) return JSON.stringify(value);
  if (typeof value === 'string') return cutString(value, room);
  if (value === null || typeof value !== 'object') return head(JSON.stringify(value), room);
  const text = isObject(value) ? cutObject(value, room) : cutArray(value as readonly Json[], room).text;
  return text.length <= room ? text : head(text, room);
};

/** The value of a script in at most `room` characters; `text` is all of it. */
export const cutValue = (value: Json, text: string, room: number): Cut => {
  if (value === null || typeof value !== 'object') return cutText(text, room);
  if (isObject(value)) {
    const kept = head(cutObject(value, room), room);
    return { text: kept, shown: `${number(kept.length)} of ${number(text.length)} characters` };
  }
  const items = value as readonly Json[];
  const { text: kept, count } = cutArray(items, room);
  return {
    text: head(kept, room),
    shown: `${number(count)} of ${number(items.length)} items (${number(text.length)} characters)`,
  };
};

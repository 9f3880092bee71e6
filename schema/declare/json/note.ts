// What a schema says that a type cannot: its description, then its constraints in a few words.
import { cleanText, oneLine } from '../../text.ts';
import type { Json, JsonObject } from '../../tool.ts';
import { get } from './deref.ts';

/** Longest text of one schema node that is shown, in UTF-16 units. */
export const NOTE_LIMIT = 8000;
const VALUE_LIMIT = 200;

export interface Note {
  readonly text: string;
  /** Characters removed and cut, see schema/text.ts. */
  readonly removed: number;
  readonly cut: number;
}

const number = (schema: JsonObject, key: string): number | undefined => {
  const value = get(schema, key);
  // The bounds that generators write for "an integer" say nothing.
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
};

const text = (schema: JsonObject, key: string): string | undefined => {
  const value = get(schema, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const range = (least: number | undefined, most: number | undefined): string | undefined => {
  if (least === undefined) return most === undefined ? undefined : `≤ ${most}`;
  if (most === undefined) return `≥ ${least}`;
  return least === most ? `${least}` : `${least}–${most}`;
};

/** A JSON value on one line, short. */
const brief = (value: Json): string => oneLine(cleanText(JSON.stringify(value), VALUE_LIMIT).text);

const bounds = (schema: JsonObject): (string | undefined)[] => {
  const [over, under] = [number(schema, 'exclusiveMinimum'), number(schema, 'exclusiveMaximum')];
  const length = range(number(schema, 'minLength'), number(schema, 'maxLength'));
  const items = range(number(schema, 'minItems') || undefined, number(schema, 'maxItems'));
  const properties = range(number(schema, 'minProperties') || undefined, number(schema, 'maxProperties'));
  const multiple = number(schema, 'multipleOf');
  const [format, pattern] = [text(schema, 'format'), text(schema, 'pattern')];
  return [
    get(schema, 'type') === 'integer' ? 'integer' : undefined,
    range(number(schema, 'minimum'), number(schema, 'maximum')),
    over === undefined ? undefined : `> ${over}`,
    under === undefined ? undefined : `< ${under}`,
    multiple === undefined ? undefined : `multiple of ${multiple}`,
    length === undefined ? undefined : `length ${length}`,
    // Generators add the long pattern of a format that has a name.
    pattern === undefined || (format !== undefined && pattern.length > 60)
      ? undefined
      : `pattern ${brief(pattern).slice(1, -1)}`,
    items === undefined ? undefined : `${items} items`,
    get(schema, 'uniqueItems') === true ? 'unique items' : undefined,
    properties === undefined ? undefined : `${properties} properties`,
  ];
};

/** Whether a description tells a range itself. */
const tells = (description: string, fact: string): boolean => {
  const [, least, most] = /^(-?[\d.]+)–(-?[\d.]+)$/.exec(fact) ?? [];
  return (
    least !== undefined &&
    new RegExp(`(?<![\\d.])${least}\\s*(?:-|–|to|and|\\.\\.+)\\s*${most}(?![\\d.]\\d)`).test(description)
  );
};

const values = (schema: JsonObject, description: string): (string | undefined)[] => {
  const fallback = get(schema, 'default');
  const shown = fallback === undefined ? undefined : brief(fallback);
  const isSaid =
    shown !== undefined && /default/i.test(description) && description.includes(shown.replace(/^"(.*)"$/, '$1'));
  const examples = get(schema, 'examples');
  const all = [get(schema, 'example'), ...(Array.isArray(examples) ? (examples as Json[]) : [])];
  const some = all.filter((value) => value !== undefined).slice(0, 3);
  return [
    shown === undefined || isSaid || shown === 'null' ? undefined : `default ${shown}`,
    some.length === 0 ? undefined : `e.g. ${some.map(brief).join(', ')}`,
  ];
};

const plain = (words: string): string => words.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * The note of a normalized schema; `name` is what it stands under. Of results (`isInput` false) the bounds are left out:
 * nobody has to keep to them.
 */
export const noteOf = (schema: JsonObject, name: string, isInput: boolean): Note => {
  const title = text(schema, 'title') ?? '';
  const said = text(schema, 'description') ?? (plain(title) === plain(name) ? '' : title);
  const { text: whole, removed, cut } = cleanText(said, NOTE_LIMIT);
  // Line by line: a pattern for trailing space is quadratic on long runs of it.
  const description = whole
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  const format = text(schema, 'format');
  const facts = [
    ...(isInput ? bounds(schema).filter((fact) => fact === undefined || !tells(description, fact)) : []),
    format === undefined ? undefined : oneLine(cleanText(format, VALUE_LIMIT).text),
    ...values(schema, description),
    get(schema, 'deprecated') === true ? 'deprecated' : undefined,
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return { text: description, removed, cut };
  return { text: description === '' ? facts.join(', ') : `${description} (${facts.join(', ')})`, removed, cut };
};

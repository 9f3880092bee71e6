// Reading parsed documents whose shape nobody promised: nothing here throws, and only own keys are looked at.

export type Table = Readonly<Record<string, unknown>>;

const NOTHING: Table = Object.freeze(Object.create(null));

export const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What lies under the keys, one inside the other; undefined where any is missing. */
export const at = (value: unknown, ...keys: readonly string[]): unknown => {
  let found = value;
  for (const key of keys) {
    if (!isTable(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
};

/** The table under the keys; an empty one where there is none. */
export const tableAt = (value: unknown, ...keys: readonly string[]): Table => {
  const found = at(value, ...keys);
  return isTable(found) ? found : NOTHING;
};

/** The list under the keys; an empty one where there is none. */
export const listAt = (value: unknown, ...keys: readonly string[]): readonly unknown[] => {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found : [];
};

/** The text under the keys, if it is text and not empty. */
export const textAt = (value: unknown, ...keys: readonly string[]): string | undefined => {
  const found = at(value, ...keys);
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** Of a list, what is text. */
export const textsAt = (value: unknown, ...keys: readonly string[]): readonly string[] =>
  listAt(value, ...keys).filter((item) => typeof item === 'string');

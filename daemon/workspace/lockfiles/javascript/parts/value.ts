// Parsed JSON and YAML, looked at without trust: only own keys count, so that a package named `constructor` is a package.

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined unless `value` is an object with that key of its own. */
export const fieldOf = (value: unknown, key: string): unknown =>
  isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** As `fieldOf`, for texts. */
export const textOf = (value: unknown, key: string): string | undefined => {
  const text = fieldOf(value, key);
  return typeof text === 'string' ? text : undefined;
};

/** The entries of an object; none for anything else. */
export const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isFields(value) ? Object.entries(value) : [];

/** The texts of an array; none for anything else. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Names and ranges of a field such as `dependencies`. What is no text is no dependency. */
export const rangesOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(entriesOf(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

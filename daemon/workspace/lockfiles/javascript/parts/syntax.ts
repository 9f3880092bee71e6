// From the text of a manifest or lockfile to values; what is broken is said with its file, line and column.
import { FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

const broken = (file: string, text: string, offset: number, why: string): Error => {
  const before = text.slice(0, offset).split('\n');
  return new Error(`${file} is broken at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${why}.`);
};

/**
 * The text without a byte order mark.
 * @throws Error where it holds the marks of an unresolved merge: some formats would parse with both sides in them
 */
export const clean = (file: string, text: string): string => {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const at = plain.startsWith('<<<<<<<') ? 0 : plain.indexOf('\n<<<<<<<') + 1;
  if (at > 0 || plain.startsWith('<<<<<<<')) throw broken(file, plain, at, 'a merge conflict is not resolved there');
  return plain;
};

const worded = (code: string): string => code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** JSON with comments and trailing commas. @throws Error with the place of the first mistake */
export const jsonc = (file: string, text: string): unknown => {
  const plain = clean(file, text);
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(plain, errors, { allowTrailingComma: true });
  } catch {
    throw new Error(`${file} is broken: it is nested too deep.`); // the parser calls itself
  }
  const [first] = errors;
  if (first !== undefined) throw broken(file, plain, first.offset, worded(printParseErrorCode(first.error)));
  return value;
};

/** JSON proper. @throws as `jsonc` */
export const json = (file: string, text: string): unknown => {
  const plain = clean(file, text);
  try {
    return JSON.parse(plain);
  } catch (error) {
    jsonc(file, plain); // knows the place
    throw new Error(`${file} is no valid JSON: ${(error as Error).message}.`);
  }
};

/**
 * All documents of a YAML file. Scalars stay texts: lockfiles have versions such as `1.10` that are no numbers.
 * @throws as `jsonc`
 */
export const yaml = (file: string, text: string): readonly unknown[] => {
  const plain = clean(file, text);
  try {
    return loadAll(plain, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark === undefined ? '' : ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    throw new Error(`${file} is broken${place}: ${error.reason}.`);
  }
};

/**
 * The text with blank lines for those that nobody asks for, so that places in messages stay right: a parser of YAML cold
 * from its start needs half a second for a megabyte, most of it for hashes.
 * @param isNeeded is asked line by line, in order
 * @throws Error where the last line is cut off, which the rest of a YAML file would not show
 */
export const thinned = (file: string, text: string, isNeeded: (line: string) => boolean): string => {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  const isCut = last.trim() !== '' && (!/:(?:\s|$)|^\s*[-#]/.test(last) || (last.includes('{') && !last.includes('}')));
  if (isCut) throw broken(file, text, text.length, 'the file ends in the middle of a line');
  return lines.map((line) => (isNeeded(line) ? line : '')).join('\n');
};

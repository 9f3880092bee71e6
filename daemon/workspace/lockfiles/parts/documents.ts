// Files of a workspace as parsed documents; what is wrong with one is a sentence with its name and line.
import { parseXml, type XmlDocument, XmlError } from '@rgrove/parse-xml';
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml';
import { parse, TomlError } from 'smol-toml';
import { messageOf } from '../../../../schema/errors.ts';
import type { Files } from '../reader.ts';

/** The error of a broken file: `Cargo.lock line 3: a sentence.` */
export const broken = (file: string, problem: string, options: { line?: number; cause?: unknown } = {}): Error => {
  const { line, cause } = options;
  return new Error(`${file}${line === undefined ? '' : ` line ${line}`}: ${problem}`, { cause });
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/**
 * The text of a file with neither BOM nor CR; undefined where there is none.
 * @throws Error when the file holds the conflict markers of an unfinished merge
 */
export const readText = (files: Files, path: string): string | undefined => {
  const raw = files.text(path);
  if (raw === undefined) return undefined;
  const text = raw.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const conflict = /^<{7} /m.exec(text);
  if (conflict === null) return text;
  throw broken(path, 'holds conflict markers (<<<<<<<): finish the merge.', { line: lineOf(text, conflict.index) });
};

/** What becomes of a line: it stays, goes, or begins a list of which all goes up to the line `]`. */
export type Thinning = (line: string) => 'keep' | 'line' | 'list';

/**
 * The text without what no reader looks at: checksums and lists of archives are most of a lockfile, and of the time that
 * parsing takes. Lines keep their numbers.
 * @throws Error where a list is never closed
 */
const thinned = (path: string, text: string, thinning: Thinning): string => {
  let isInList = false;
  const lines = text.split('\n').map((line) => {
    if (isInList) {
      isInList = line.trimEnd() !== ']';
      return '';
    }
    const fate = thinning(line);
    isInList = fate === 'list' && !line.trimEnd().endsWith(']');
    return fate === 'keep' ? line : '';
  });
  if (isInList) throw broken(path, 'ends in the middle of a list: not wholly written?');
  return lines.join('\n');
};

/**
 * @param thinning for what a program writes, one key a line
 * @throws Error with file and line when it is no TOML
 */
export const readToml = (files: Files, path: string, thinning?: () => Thinning): unknown => {
  const text = readText(files, path);
  if (text === undefined) return undefined;
  const needed = thinning === undefined ? text : thinned(path, text, thinning());
  try {
    return parse(needed);
  } catch (error) {
    const [problem] = messageOf(error).split('\n');
    throw broken(path, `${problem}.`, { ...(error instanceof TomlError && { line: error.line }), cause: error });
  }
};

/** @throws Error with the file's name when it is no JSON */
export const readJson = (files: Files, path: string): unknown => {
  const text = readText(files, path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const offset = /at position (\d+)/.exec(messageOf(error))?.[1];
    const line = offset === undefined ? text.split('\n').length : lineOf(text, Number(offset));
    throw broken(path, 'is not valid JSON, or not wholly written.', { line, cause: error });
  }
};

/** All scalars are texts: a version `1.10` stays `1.10`. @throws Error with file and line when it is no YAML */
export const readYaml = (files: Files, path: string): unknown => {
  const text = readText(files, path);
  if (text === undefined) return undefined;
  try {
    return load(text, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw broken(path, `${messageOf(error)}.`, { cause: error });
    const line = error.mark?.line;
    throw broken(path, `is not valid YAML: ${error.reason}.`, {
      ...(line !== undefined && { line: line + 1 }),
      cause: error,
    });
  }
};

/** @throws Error with file and line when it is no XML */
export const readXml = (files: Files, path: string): XmlDocument | undefined => {
  const text = readText(files, path);
  if (text === undefined) return undefined;
  try {
    // Entities that a DTD defines are left as they stand: nothing is expanded.
    return parseXml(text.trimStart(), { ignoreUndefinedEntities: true });
  } catch (error) {
    const [problem = ''] = messageOf(error).split(' (line ');
    throw broken(path, `${problem.split('\n')[0]}.`, {
      ...(error instanceof XmlError && { line: error.line }),
      cause: error,
    });
  }
};

// From what the checker complains of to the few lines that an agent is shown. Pure.
import { cleanText, oneLine } from '../../schema/text.ts';
import type { Documents } from './documents.ts';

/** As LSP has it: line and character from 0. */
export interface Diagnostic {
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  /** 1 is an error. */
  readonly severity?: number;
  readonly code?: number | string;
  readonly message: string;
  readonly relatedInformation?: readonly { readonly message: string }[];
}

const MOST_NOTES = 5;
const MOST_CHARACTERS = 300;

const keyOf = ({ code, range: { start } }: Diagnostic): string => `${start.line}:${start.character}:${code}`;

const short = (text: string, limit: number): string => {
  const line = oneLine(cleanText(text, 4 * limit).text);
  if (line.length <= limit) return line;
  // Names that are near stand at the end.
  const tail = /[.;] (Did you [^.?]{1,80}\?)$/.exec(line)?.[1] ?? '';
  const head = line.slice(0, limit - tail.length - 2);
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…${tail === '' ? '' : ` ${tail}`}`;
};

/** The first line says what is wrong, the last of a chain why; the ones between repeat the types. */
const textOf = ({ message, relatedInformation = [] }: Diagnostic): string => {
  const lines = message.split('\n');
  const why = lines.length > 1 ? lines.at(-1) : undefined;
  const hint = relatedInformation.find(({ message: said }) => /^Did you (?:forget|mean)/.test(said))?.message;
  const first = why === undefined ? (lines[0] ?? '') : short(lines[0] ?? '', MOST_CHARACTERS / 2);
  return short([first, why, hint].filter((part) => part !== undefined).join(' '), MOST_CHARACTERS);
};

/**
 * Errors that are there because of what the tools' types say, and would not be without: what is wrong with the script
 * anyway, or only a matter of style, is not told.
 * @param typed complaints about the script over the declarations
 * @param plain complaints about the same script over namespaces that may be anything
 */
export const notesOf = (
  typed: readonly Diagnostic[],
  plain: readonly Diagnostic[],
  { lines, original }: Pick<Documents, 'lines' | 'original'>,
): readonly string[] => {
  const anyway = new Set(plain.map(keyOf));
  const told = typed
    .filter((found) => (found.severity ?? 1) === 1 && found.range.start.line < lines && !anyway.has(keyOf(found)))
    .sort((a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character)
    .map((found) => {
      const { start } = found.range;
      const { line, column } = original({ line: start.line + 1, column: start.character + 1 });
      return `line ${line}, column ${column}: ${textOf(found)}`;
    });
  return [...new Set(told)].slice(0, MOST_NOTES);
};

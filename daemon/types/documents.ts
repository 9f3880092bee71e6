// What the checker is given to read of one script.

import type { Position } from '../sandbox/limits.ts';
import type { Stripped } from '../sandbox/script/prepare.ts';
import { prepare } from '../sandbox/script/prepare.ts';

export type Language = 'javascript' | 'typescript';

export interface Documents {
  readonly language: Language;
  /** The script as a module over the globals that the tools are. */
  readonly typed: string;
  /** The same, with namespaces of which nothing is known: what is wrong here too has nothing to do with the tools. */
  readonly plain: string;
  /** Lines that are the script's. */
  readonly lines: number;
  /** From a place in either to the agent's own. */
  readonly original: (place: Position) => Position;
}

const HEAD = '(async () => {';

/** What stands before an object literal, in code and in what `prepare` makes of it. */
const BEFORE_OBJECT = /^\s*(?=\{)/;
const RETURNED_OBJECT = /^[^{]*\{\s*return \(?\{/;

/** As long as what it stands for, so that columns stay. */
const withoutExports = (code: string): string =>
  code.replace(/^([ \t]*)(export default|export)(?=\s)/gm, (_, space: string, word: string) =>
    word === 'export' ? `${space}      ` : `${space}const $metad =`,
  );

/** With its types still on. */
const typedBody = (code: string, isObject: boolean): Pick<Documents, 'original'> & { readonly source: string } => {
  const at = isObject ? (BEFORE_OBJECT.exec(code)?.[0].length ?? 0) : 0;
  const before = isObject ? code.slice(0, at) : '';
  const inserted = isObject ? 'return ' : '';
  const line = before.split('\n').length;
  const column = before.length - before.lastIndexOf('\n');
  return {
    source: `${HEAD}${before}${inserted}${withoutExports(code.slice(at))}\n})`,
    original: (place) => {
      const own = place.line === 1 ? Math.max(1, place.column - HEAD.length) : place.column;
      const shifted = place.line === line && own > column ? Math.max(column, own - inserted.length) : own;
      return { line: place.line, column: shifted };
    },
  };
};

/**
 * Reads the script as the sandbox does: a fence, `return`, an object literal and TypeScript mean here what they mean there.
 * @param strip takes types off
 * @throws ScriptSyntaxError where the sandbox refuses it too
 */
export const documentsOf = (
  script: string,
  namespaces: readonly string[],
  strip: (code: string) => Stripped,
): Documents => {
  let asWritten: string | undefined;
  const prepared = prepare(script, (code) => {
    asWritten ??= code;
    return strip(code);
  });
  const { source, original } =
    asWritten === undefined
      ? prepared
      : typedBody(asWritten, BEFORE_OBJECT.test(asWritten) && RETURNED_OBJECT.test(prepared.source));
  const unknown = namespaces.length === 0 ? '' : `let ${namespaces.join(', ')};\n`;
  return {
    language: asWritten === undefined ? 'javascript' : 'typescript',
    typed: `${source}\nexport {};\n`,
    plain: `${source}\n${unknown}export {};\n`,
    lines: script.split('\n').length,
    original,
  };
};

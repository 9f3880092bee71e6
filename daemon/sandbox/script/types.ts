// TypeScript to JavaScript, for scripts that are no JavaScript as they stand. Loaded only then.
import { TraceMap, traceSegment } from '@jridgewell/trace-mapping';
import { transform } from 'sucrase';
import type { Position } from '../limits.ts';
import { ScriptSyntaxError } from './parse.ts';
import type { Stripped } from './prepare.ts';
import { placeOf } from './source.ts';

/**
 * Types are taken off; enums and parameter properties become code. Lines stay, columns are traced token by token.
 * A `namespace` is dropped by the library, also one with values in it: that is refused where its name is then used.
 * @throws ScriptSyntaxError
 */
export const withoutTypes = (code: string): Stripped => {
  try {
    const { code: text, sourceMap } = transform(code, {
      transforms: ['typescript'],
      disableESTransforms: true,
      filePath: 'script',
      sourceMapOptions: { compiledFilename: 'script' },
    });
    refuseNamespaces(code, text);
    if (sourceMap === undefined) return { code: text, original: (place) => place };
    const map = new TraceMap({ ...sourceMap, version: 3 });
    return { code: text, original: (place) => trace(map, place) };
  } catch (error) {
    if (error instanceof ScriptSyntaxError) throw error;
    const { message, loc } = error as { message: string; loc?: { line: number; column: number } };
    // Its line and column are both from 1.
    throw new ScriptSyntaxError(message.replace(/^Error transforming script: /, '').replace(/ \(\d+:\d+\)$/, ''), loc);
  }
};

const NAMESPACE = /\b(?:namespace|module)\s+([\w$]+)(?:\.[\w$]+)*\s*\{/g;

/** @param text the code without types */
const refuseNamespaces = (code: string, text: string): void => {
  const written = [...code.matchAll(NAMESPACE)];
  if (written.length === 0) return;
  // Those in a text or comment are still there.
  const standing = new Set(Array.from(text.matchAll(NAMESPACE), ([words]) => words));
  const used = new Set(Array.from(text.matchAll(/(?<![\w$.])[\w$]+/g), ([name]) => name));
  for (const { 0: words, 1: name = '', index } of written) {
    if (standing.has(words) || !used.has(name)) continue;
    throw new ScriptSyntaxError(
      `The namespace ${name} has values, and only types are taken off: write an object instead`,
      placeOf(code, index),
      true,
    );
  }
};

const trace = (map: TraceMap, { line, column }: Position): Position => {
  const segment = traceSegment(map, line - 1, column - 1);
  if (segment === null || segment.length === 1) return { line, column };
  const [from, , originalLine, originalColumn] = segment;
  return { line: originalLine + 1, column: originalColumn + (column - 1 - from) + 1 };
};

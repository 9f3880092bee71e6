// The one rule for what may be written: from an agent's text to the source of one async function.
import type { ModuleDeclaration, Program, Statement } from 'acorn';
import type { Position } from '../limits.ts';
import { withoutFence } from './fence.ts';
import type { Floating } from './floating.ts';
import { objectLiteral, parsed, ScriptSyntaxError } from './parse.ts';
import { type Insertion, type Prepared, placeOf, UNAWAITED, wrap } from './source.ts';
import { type Survey, survey } from './survey.ts';

export { ScriptSyntaxError };

/** A script that was TypeScript. */
export interface Stripped {
  readonly code: string;
  original(place: Position): Position;
}

/**
 * A script is the body of an async function (`await` and `return` anywhere, sloppy mode unless it says otherwise), and:
 * 1. a Markdown fence around all of it is taken off;
 * 2. a script that is one object literal is that object, never a block;
 * 3. a script that is one function declaration is called without arguments, and so is a function expression (an arrow
 *    too) that is the last statement;
 * 4. without a `return`, its value is that of the last statement if that is an expression, also inside a last block,
 *    `if` or `try`; empty statements and `var` without a value count for nothing;
 * 5. `export default` gives its value, or what it returns if it is a function; other `export`s mean nothing; `import`
 *    is refused;
 * 6. what is no JavaScript is read as TypeScript.
 * Lines and columns are the agent's own in all of these.
 * @param strip takes types off; without it (6) does not hold.
 * @throws ScriptSyntaxError
 */
export const prepare = (script: string, strip?: (code: string) => Stripped): Prepared => {
  const code = withoutFence(script);
  const nul = code.indexOf('\0');
  if (nul >= 0) throw new ScriptSyntaxError('A NUL character; write it as \\0', placeOf(code, nul), true);
  try {
    return fromCode(code);
  } catch (error) {
    if (strip === undefined || !(error instanceof ScriptSyntaxError) || error.final) throw error;
    return fromTypes(code, strip, error);
  }
};

const fromTypes = (code: string, strip: (code: string) => Stripped, asJavaScript: ScriptSyntaxError): Prepared => {
  let failure = asJavaScript;
  for (const reading of readingsOf(code)) {
    try {
      return fromReading(reading, strip);
    } catch (error) {
      if (!(error instanceof ScriptSyntaxError)) throw error;
      // Whoever read further has seen more of the script for what it is.
      if (error.final || isBehind(error.place, failure.place)) failure = error;
    }
  }
  throw failure;
};

/** An object literal has to be told from a block before its types are off: in parentheses. */
const readingsOf = (code: string): Stripped[] => {
  const asWritten: Stripped = { code, original: (place) => place };
  const text = code.trim().replace(/;$/, '').trimEnd();
  if (!text.startsWith('{') || !text.endsWith('}')) return [asWritten];
  const space = code.slice(0, code.length - code.trimStart().length);
  const { line: first, column: brace } = placeOf(code, space.length);
  const original = ({ line, column }: Position): Position =>
    line === first && column > brace ? { line, column: column - 1 } : { line, column };
  return [asWritten, { code: `${space}(${text})`, original }];
};

const fromReading = (reading: Stripped, strip: (code: string) => Stripped): Prepared => {
  const back = (error: unknown, original: Stripped['original']): unknown =>
    error instanceof ScriptSyntaxError && error.place !== undefined
      ? new ScriptSyntaxError(error.message, original(error.place), error.final)
      : error;
  let stripped: Stripped;
  try {
    stripped = strip(reading.code);
  } catch (error) {
    throw back(error, reading.original);
  }
  const original = (place: Position): Position => reading.original(stripped.original(place));
  try {
    const prepared = fromCode(stripped.code);
    return {
      ...prepared,
      original: (place) => original(prepared.original(place)),
      originalAt: (at) => original(prepared.originalAt(at)),
    };
  } catch (error) {
    throw back(error, original);
  }
};

const isBehind = (one: Position | undefined, other: Position | undefined): boolean =>
  one !== undefined &&
  (other === undefined || one.line > other.line || (one.line === other.line && one.column > other.column));

const fromCode = (code: string): Prepared => {
  const object = objectLiteral(code);
  if (object !== undefined) {
    return wrap(code, [{ at: object.start, text: 'return ' }], { survey: survey(object) });
  }
  const program = parsed(code);
  const found = survey(program);
  if (found.imports !== undefined) throw cannotImport(code, found.imports);
  const body = program.body.filter(saysSomething);
  const last = body.at(-1);
  if (program.sourceType === 'module') return fromModule(code, body, found);
  if (body.length === 1 && last?.type === 'FunctionDeclaration') {
    return wrap(code, noted(found.floating), { tail: `return ${last.id.name};`, callResult: true, survey: found });
  }
  const returns = returnsOf(last);
  return wrap(code, [...returns, ...noted(found.floating, returns)], { callResult: isFunction(last), survey: found });
};

/** The last statement is looked for among those that can have a value. */
const saysSomething = (node: Statement | ModuleDeclaration): boolean =>
  node.type !== 'EmptyStatement' &&
  !(node.type === 'VariableDeclaration' && node.kind === 'var' && node.declarations.every(({ init }) => !init));

const isFunction = (last: Statement | ModuleDeclaration | undefined): boolean =>
  last?.type === 'ExpressionStatement' && /^(?:Arrow)?FunctionExpression$/.test(last.expression.type);

/** `return ` before each expression whose value may be the script's. */
const returnsOf = (last: Statement | ModuleDeclaration | null | undefined): Insertion[] => {
  switch (last?.type) {
    case 'ExpressionStatement':
      return [{ at: last.start, text: 'return ' }];
    case 'BlockStatement':
      return returnsOf(last.body.filter(saysSomething).at(-1));
    case 'IfStatement':
      return [...returnsOf(last.consequent), ...returnsOf(last.alternate)];
    case 'TryStatement':
      return [...returnsOf(last.block), ...returnsOf(last.handler?.body)];
    default:
      return [];
  }
};

/** Calls whose promise nobody awaits are noted, so that what they reject with is not lost. */
const noted = (calls: readonly Floating[], returns: readonly Insertion[] = []): Insertion[] => {
  const returned = new Set(returns.map(({ at }) => at));
  return calls
    .filter(({ statement }) => !returned.has(statement))
    .flatMap(({ start, end }) => [
      { at: start, text: `${UNAWAITED}(` },
      { at: end, text: ')' },
    ]);
};

const cannotImport = (code: string, at: number): ScriptSyntaxError =>
  new ScriptSyntaxError(
    'A script cannot import: the tools are globals and nothing else can be loaded',
    placeOf(code, at),
    true,
  );

const fromModule = (code: string, body: Program['body'], found: Survey): Prepared => {
  const insertions: Insertion[] = [];
  let text = '';
  let read = 0;
  let tail = '';
  const blank = (from: number, to: number): void => {
    text += code.slice(read, from) + code.slice(from, to).replace(/[^\n]/g, ' ');
    read = to;
  };
  for (const node of body) {
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      ('source' in node && node.source)
    ) {
      throw cannotImport(code, node.start);
    }
    if (node.type === 'ExportNamedDeclaration') blank(node.start, node.declaration?.start ?? node.end);
    if (node.type !== 'ExportDefaultDeclaration') continue;
    const { declaration } = node;
    const named = 'id' in declaration && declaration.id !== null && declaration.id !== undefined;
    if (named && declaration.type.endsWith('Declaration') && declaration.id !== null && declaration.id !== undefined) {
      blank(node.start, declaration.start);
      tail = `return ${declaration.id.name};`;
    } else {
      blank(node.start, declaration.start);
      insertions.push({ at: declaration.start, text: 'const $metadDefault = ' });
      if (declaration.type.endsWith('Declaration')) insertions.push({ at: declaration.end, text: ';' });
      tail = 'return $metadDefault;';
    }
  }
  const last = body.at(-1);
  const returns = tail === '' ? returnsOf(last) : [];
  const callResult = tail !== '' || isFunction(last);
  const all = [...insertions, ...returns, ...noted(found.floating, returns)];
  return wrap(text + code.slice(read), all, { tail, callResult, survey: found });
};

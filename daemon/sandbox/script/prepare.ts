// The one rule for what may be written: from an agent's text to the source of one async function.
import {
  type ExpressionStatement,
  type ModuleDeclaration,
  type Options,
  type Program,
  parse,
  parseExpressionAt,
  type Statement,
} from 'acorn';
import type { Position } from '../limits.ts';
import { type Insertion, type Prepared, placeOf, wrap } from './source.ts';

/** A script that was TypeScript. */
export interface Stripped {
  readonly code: string;
  original(place: Position): Position;
}

/** The script cannot be read; the place is the agent's own. */
export class ScriptSyntaxError extends Error {
  override readonly name = 'SyntaxError';
  readonly place: Position | undefined;
  /** It was understood and is refused: no other reading may be tried. */
  readonly final: boolean;

  constructor(message: string, place: Position | undefined, final = false) {
    super(message);
    this.place = place;
    this.final = final;
  }
}

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowHashBang: false,
};

/**
 * A script is the body of an async function (`await` and `return` anywhere, sloppy mode unless it says otherwise), and:
 * 1. a Markdown fence around all of it is taken off;
 * 2. a script that is one object literal is that object, never a block;
 * 3. a script that is one function (an expression or a declaration) is called without arguments;
 * 4. without a `return`, its value is that of the last statement if that is an expression, also inside a last block,
 *    `if` or `try`;
 * 5. `export default` gives its value, or what it returns if it is a function; other `export`s mean nothing; `import`
 *    is refused.
 * 6. what is no JavaScript is read as TypeScript.
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
  let stripped: Stripped;
  try {
    stripped = strip(code);
  } catch (error) {
    // Whoever read further has seen more of the script for what it is.
    throw error instanceof ScriptSyntaxError && isBehind(error.place, asJavaScript.place) ? error : asJavaScript;
  }
  try {
    const prepared = fromCode(stripped.code);
    return { ...prepared, original: (place) => stripped.original(prepared.original(place)) };
  } catch (error) {
    if (!(error instanceof ScriptSyntaxError) || error.place === undefined) throw error;
    throw new ScriptSyntaxError(error.message, stripped.original(error.place));
  }
};

const isBehind = (one: Position | undefined, other: Position | undefined): boolean =>
  one !== undefined &&
  (other === undefined || one.line > other.line || (one.line === other.line && one.column > other.column));

const fromCode = (code: string): Prepared => {
  const object = objectLiteral(code);
  if (object !== undefined) return wrap(code, [{ at: object, text: 'return ' }], '');
  const program = parsed(code);
  const body = program.body.filter(({ type }) => type !== 'EmptyStatement');
  const only = body.length === 1 ? body[0] : undefined;
  if (only?.type === 'FunctionDeclaration') return wrap(code, [], `return ${only.id.name}();`);
  if (only?.type === 'ExpressionStatement' && isFunction(only)) {
    const end = code[only.end - 1] === ';' ? only.end - 1 : only.end;
    return wrap(
      code,
      [
        { at: only.start, text: 'return (' },
        { at: end, text: ')()' },
      ],
      '',
    );
  }
  if (program.sourceType === 'module') return fromModule(code, body);
  return wrap(code, returnsOf(body.at(-1)), '');
};

const withoutFence = (script: string): string => {
  const open = /^\s*(`{3,}|~{3,})[^\n`]*\n/.exec(script);
  if (open === null) return script;
  const close = new RegExp(`\\n?[ \\t]*${open[1]}\\s*$`).exec(script);
  if (close === null) return script;
  // The lines of the fence stay as empty lines: places count from the agent's own first line.
  return (
    '\n'.repeat(open[0].split('\n').length - 1) + script.slice(open[0].length, Math.max(close.index, open[0].length))
  );
};

/** Where the object literal begins that is all of the script. */
const objectLiteral = (code: string): number | undefined => {
  const start = /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*/.exec(code)?.[0].length ?? 0;
  if (code[start] !== '{') return undefined;
  try {
    const node = parseExpressionAt(code, start, OPTIONS);
    if (node.type !== 'ObjectExpression') return undefined;
    const rest = parse(code.slice(node.end), OPTIONS).body;
    return rest.every(({ type }) => type === 'EmptyStatement') ? node.start : undefined;
  } catch {
    return undefined;
  }
};

const parsed = (code: string): Program => {
  try {
    return parse(code, OPTIONS);
  } catch (error) {
    if (!/\b(?:import|export)\b/.test(code)) throw refused(code, error);
    try {
      return parse(code, { ...OPTIONS, sourceType: 'module' });
    } catch (second) {
      throw refused(code, /sourceType/.test(String(error)) ? second : error);
    }
  }
};

const refused = (code: string, error: unknown): ScriptSyntaxError => {
  const { message, pos, loc } = error as { message: string; pos?: number; loc?: { line: number; column: number } };
  // acorn recurses: source that is nested too deeply ends its stack, and it says so where it notices itself.
  if (loc === undefined || /stack space/.test(message))
    return new ScriptSyntaxError('The script is nested too deeply to be read', undefined);
  const text = message.replace(/ \(\d+:\d+\)$/, '');
  const found = /^\S{1,20}/.exec(code.slice(pos))?.[0];
  const near = /^Unexpected token$/.test(text)
    ? found === undefined
      ? ': the script ends too early'
      : ` ${found}`
    : '';
  return new ScriptSyntaxError(text + near, { line: loc.line, column: loc.column + 1 });
};

const isFunction = ({ expression: { type } }: ExpressionStatement): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

/** `return ` before each expression whose value may be the script's. */
const returnsOf = (last: Statement | ModuleDeclaration | null | undefined): Insertion[] => {
  switch (last?.type) {
    case 'ExpressionStatement':
      return [{ at: last.start, text: 'return ' }];
    case 'BlockStatement':
      return returnsOf(last.body.filter(({ type }) => type !== 'EmptyStatement').at(-1));
    case 'IfStatement':
      return [...returnsOf(last.consequent), ...returnsOf(last.alternate)];
    case 'TryStatement':
      return [...returnsOf(last.block), ...returnsOf(last.handler?.body)];
    default:
      return [];
  }
};

const fromModule = (code: string, body: Program['body']): Prepared => {
  const insertions: Insertion[] = [];
  let text = code;
  let tail = '';
  const blank = (from: number, to: number): void => {
    text = text.slice(0, from) + text.slice(from, to).replace(/[^\n]/g, ' ') + text.slice(to);
  };
  for (const node of body) {
    if (
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      ('source' in node && node.source)
    ) {
      throw new ScriptSyntaxError(
        'A script cannot import: the tools are globals and nothing else can be loaded',
        placeOf(code, node.start),
        true,
      );
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
  const last = tail === '' ? returnsOf(body.at(-1)) : [];
  return wrap(text, [...insertions, ...last], tail, tail !== '');
};

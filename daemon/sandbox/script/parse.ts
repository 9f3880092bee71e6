// A script's text read by acorn, and what is said where it cannot be read.
import { type Expression, type Options, type Program, parse, parseExpressionAt } from 'acorn';
import type { Position } from '../limits.ts';
import { placeOf } from './source.ts';

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

/** @throws ScriptSyntaxError */
export const parsed = (code: string): Program => {
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

/** Where the first token stands, behind spaces and comments. */
const firstToken = (code: string): number => {
  const skipped = /\s+|\/\/.*|\/\*[\s\S]*?\*\//y;
  let at = 0;
  while (skipped.test(code)) at = skipped.lastIndex;
  return at;
};

/** The object literal that is all of the script, `{ a: 1 }`: as a program it would be a block. */
export const objectLiteral = (code: string): Expression | undefined => {
  const start = firstToken(code);
  if (code[start] !== '{') return undefined;
  try {
    const node = parseExpressionAt(code, start, OPTIONS);
    if (node.type !== 'ObjectExpression') return undefined;
    const rest = parse(code.slice(node.end), OPTIONS).body;
    return rest.every(({ type }) => type === 'EmptyStatement') ? node : undefined;
  } catch {
    return undefined;
  }
};

const refused = (code: string, error: unknown): ScriptSyntaxError => {
  const { message, pos } = error as { message: string; pos?: number };
  // acorn recurses: source that is nested too deeply ends its stack, and it says so where it notices itself.
  if (pos === undefined || /stack space/.test(message))
    return new ScriptSyntaxError('The script is nested too deeply to be read', undefined);
  const text = message.replace(/ \(\d+:\d+\)$/, '');
  const found = /^\S{1,20}/.exec(code.slice(pos))?.[0];
  const near = /^Unexpected token$/.test(text)
    ? found === undefined
      ? ': the script ends too early'
      : ` ${found}`
    : '';
  // Not acorn's own place: it counts other line ends than editors and the engine do.
  return new ScriptSyntaxError(text + near, placeOf(code, pos));
};

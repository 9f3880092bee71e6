// One tool of a server: what it takes, what it gives, what is said of it.
import { cleanText, firstSentence, oneLine, suspiciousPart } from '../text.ts';
import { isObject, type Json, type Tool } from '../tool.ts';
import { resolverOf } from './json/deref.ts';
import { parse } from './json/parse.ts';
import { argumentsOf } from './type/arguments.ts';
import { ANY, OPEN_OBJECT, type Type } from './type/ast.ts';

export interface DeclaredTool {
  /** The name that goes to the server. */
  readonly raw: string;
  /** The name in scripts, from schema/identifier.ts. */
  readonly script: string;
  readonly tool: Tool;
}

/** Longest description of a tool that is shown, in UTF-16 units; in `signatures`, of its first sentence. */
export const DESCRIPTION_LIMIT = 50_000;
const LINE_LIMIT = 80;

/** A tool as the printer needs it; its types are not simplified yet. */
export interface ReadTool {
  readonly raw: string;
  readonly script: string;
  readonly note: string;
  readonly params: Type;
  readonly result: Type;
}

const STATES = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'];

const wordOf = (value: unknown): string =>
  value === undefined ? 'missing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads one tool; throws only where a bug of ours meets a schema nobody thought of. */
export const readTool = (
  entry: DeclaredTool,
  withNotes: boolean,
  warn: (problem: string) => void,
): ReadTool | { reason: string } => {
  const { raw, script, tool } = entry;
  if (typeof raw !== 'string' || raw === '') return { reason: 'it has no name' };
  let [removed, cut] = [0, 0];
  const cleaned = (more: number, gone: number): void => {
    removed += more;
    cut += gone;
  };
  const typeOf = (schema: Json | undefined, name: string, isInput: boolean): Type =>
    parse(schema, name, { resolve: resolverOf(schema ?? null), isInput, withNotes, warn, cleaned });

  if (!isObject(tool.inputSchema)) warn(`inputSchema is ${wordOf(tool.inputSchema)}; declared as taking anything`);
  const found = isObject(tool.inputSchema)
    ? argumentsOf(typeOf(tool.inputSchema, `${script}_params`, true))
    : { type: OPEN_OBJECT, note: '' };
  if ('reason' in found) return found;

  let result: Type = ANY;
  if (isObject(tool.outputSchema)) {
    if (!STATES.some((word) => Object.hasOwn(tool.outputSchema as object, word))) warn('outputSchema has no type');
    result = typeOf(tool.outputSchema, `${script}_result`, false);
  } else if (tool.outputSchema !== undefined) warn(`outputSchema is ${wordOf(tool.outputSchema)}; declared as any`);

  const said =
    textOf(tool.description) || textOf(tool.title) || textOf(isObject(tool.annotations) && tool.annotations.title);
  const description = cleanText(said, DESCRIPTION_LIMIT);
  cleaned(description.removed, description.cut);
  const name = withNotes && raw !== script ? `(raw name: ${oneLine(cleanText(raw, 200).text)})` : '';
  const own = withNotes && !description.text.includes(found.note) ? found.note : '';
  const order = suspiciousPart(description.text);
  if (order !== undefined) warn(`its text gives orders to the model: "${order}"`);
  if (removed > 0) warn(`${removed} control or invisible characters were removed from its texts`);
  if (cut > 0) warn(`its texts were cut by ${cut} characters`);
  return {
    raw,
    script,
    note: withNotes
      ? [description.text.trim(), own, name]
          .filter((part) => part !== '')
          .join(description.text.includes('\n') ? '\n' : ' ')
      : firstSentence(description.text, LINE_LIMIT),
    params: found.type,
    result,
  };
};

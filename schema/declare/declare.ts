// One server's tools as a TypeScript namespace. Runs the phases: deref, normalize, parse, simplify, share, print.
import { cleanText, commentText, firstSentence, oneLine } from '../text.ts';
import type { Json, Tool } from '../tool.ts';
import { ANY, OPEN_OBJECT, type Type, unnoted } from './ast.ts';
import { isObject, resolverOf } from './deref.ts';
import { argumentsOf, parse } from './parse.ts';
import { comment, type Printing, printBody, printType } from './print.ts';
import { share } from './share.ts';
import { createSimplifier } from './simplify.ts';

export const DETAILS = ['names', 'signatures', 'full'] as const;
/** `names`: names alone; `signatures`: types and one line per tool; `full`: every description and constraint too. */
export type Detail = (typeof DETAILS)[number];

export interface DeclaredTool {
  /** The name that goes to the server. */
  readonly raw: string;
  /** The name in scripts, from schema/identifier.ts. */
  readonly script: string;
  readonly tool: Tool;
}

export interface DeclareInput {
  /** The server's global in scripts, from schema/identifier.ts. */
  readonly namespace: string;
  readonly tools: readonly DeclaredTool[];
  /** The server's own instructions; shown in `full`, marked as its text. */
  readonly instructions?: string | undefined;
  readonly detail: Detail;
  /** Return types learned from results, by raw name, as TypeScript; used where a tool has no outputSchema. */
  readonly observed?: ReadonlyMap<string, string> | undefined;
}

export interface Declared {
  /** TypeScript that parses on its own. The same tools give the same bytes, in whatever order they come. */
  readonly text: string;
  /** In printing order; `line` is the function's own text, without comment (empty in `names`). */
  readonly tools: readonly { readonly raw: string; readonly script: string; readonly line: string }[];
  /** Tools that cannot be called, each with the reason. */
  readonly unusable: readonly { readonly raw: string; readonly reason: string }[];
  /** What was odd or removed; each names its tool. */
  readonly warnings: readonly string[];
}

/** Longest texts that are shown, in UTF-16 units: one tool's description, one server's instructions. */
export const DESCRIPTION_LIMIT = 50_000;
export const INSTRUCTIONS_LIMIT = 4000;
const LINE_LIMIT = 80;

interface Read {
  readonly raw: string;
  readonly script: string;
  readonly note: string;
  readonly params: Type;
  readonly result: Type;
  readonly observed: string | undefined;
}

const wordOf = (value: unknown): string =>
  value === undefined ? 'missing' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads one tool; throws only where a bug of ours meets a schema nobody thought of. */
const readTool = (
  entry: DeclaredTool,
  input: DeclareInput,
  warn: (problem: string) => void,
): Read | { reason: string } => {
  const { raw, script, tool } = entry;
  const withNotes = input.detail === 'full';
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
    if (!Object.hasOwn(tool.outputSchema, 'type')) warn('outputSchema has no type');
    result = typeOf(tool.outputSchema, `${script}_result`, false);
  } else if (tool.outputSchema !== undefined) warn(`outputSchema is ${wordOf(tool.outputSchema)}; declared as any`);

  const said =
    textOf(tool.description) || textOf(tool.title) || textOf(isObject(tool.annotations) && tool.annotations.title);
  const description = cleanText(said, DESCRIPTION_LIMIT);
  cleaned(description.removed, description.cut);
  const name = withNotes && raw !== script ? `(raw name: ${oneLine(cleanText(raw, 200).text)})` : '';
  const own = withNotes && !description.text.includes(found.note) ? found.note : '';
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
    observed: input.observed?.get(raw),
  };
};

/** Whether a call may come without its argument. */
const allowsNothing = (type: Type): boolean => {
  if (type.kind === 'object') return type.properties.every((property) => property.optional);
  if (type.kind === 'noted') return allowsNothing(type.type);
  if (type.kind === 'named') return allowsNothing(type.definition.type);
  if (type.kind === 'union') return type.members.some(allowsNothing);
  return type.kind === 'intersection' ? type.members.every(allowsNothing) : false;
};

const takesNothing = (type: Type): boolean =>
  type.kind === 'object' && type.closed && type.properties.length === 0 && type.index === undefined;

const byScript = (a: { script: string }, b: { script: string }): number =>
  a.script < b.script ? -1 : a.script > b.script ? 1 : 0;

const namesOnly = ({ namespace, tools }: DeclareInput): string =>
  `// ${namespace}: ${tools.length === 0 ? 'no tools' : tools.map((tool) => tool.script).join(', ')}\n`;

/**
 * Declares a server's tools. Never throws for what a server published: what cannot be read becomes `unknown` and a warning,
 * what can never be called is listed as unusable. The input is not changed.
 */
export const declareServer = (given: DeclareInput): Declared => {
  const input = { ...given, tools: [...given.tools].sort(byScript) };
  const warnings: string[] = [];
  const unusable: { raw: string; reason: string }[] = [];
  const reads: Read[] = [];
  for (const entry of input.tools) {
    const label = oneLine(cleanText(String(entry.raw), 100).text);
    const warn = (problem: string): void => {
      warnings.push(`${label}: ${oneLine(cleanText(problem, 300).text)}`);
    };
    try {
      const read = readTool(entry, input, warn);
      if ('reason' in read) unusable.push({ raw: entry.raw, reason: read.reason });
      else reads.push(read);
    } catch (error) {
      warn(
        `could not be read (${error instanceof Error ? error.message : String(error)}); declared as taking anything`,
      );
      reads.push({
        raw: entry.raw,
        script: entry.script,
        note: '',
        params: OPEN_OBJECT,
        result: ANY,
        observed: undefined,
      });
    }
  }
  if (input.detail === 'names') {
    const usable = input.tools.filter((tool) => !unusable.some((each) => each.raw === tool.raw));
    const tools = usable.map(({ raw, script }) => ({ raw, script, line: '' }));
    return { text: namesOnly({ ...input, tools: usable }), tools, unusable, warnings };
  }

  const { simplify } = createSimplifier();
  const simple = reads.map((read) => ({ ...read, params: simplify(read.params), result: simplify(read.result) }));
  const shared = share(
    simple.flatMap(({ script, params, result }) => [
      { type: params, hint: `${script}_params`, owner: script },
      { type: result, hint: `${script}_result`, owner: script },
    ]),
  );
  const printing: Printing = { shared, isShort: input.detail === 'signatures' };
  const isFull = input.detail === 'full';
  const tools: { raw: string; script: string; line: string }[] = [];
  const body: string[] = [];
  for (const { raw, script, note, params, result, observed } of simple) {
    const params_ = takesNothing(params)
      ? ''
      : `params${allowsNothing(params) ? '?' : ''}: ${printType(params, printing)}`;
    const returned =
      result.kind === 'any' && observed !== undefined ? `/** observed */ ${observed}` : printType(result, printing);
    const line = `function ${script}(${params_}): Promise<${returned}>;`;
    tools.push({ raw, script, line });
    if (isFull) body.push(...(note === '' ? [] : [comment(note)]), line);
    else body.push(note === '' ? line : `${line} // ${note}`);
  }
  for (const { raw, reason } of unusable) {
    body.push(`// ${oneLine(cleanText(raw, 100).text)} cannot be called: ${oneLine(cleanText(reason, 200).text)}`);
  }
  for (const { name, type } of shared.types) {
    const { note, type: bare } = unnoted(type);
    if (isFull && note !== '') body.push(comment(note));
    body.push(`type ${name} = ${printBody(bare, printing)};`);
  }
  return {
    text: `declare namespace ${input.namespace} {\n${[...head(input), ...body].join('\n')}\n}\n`,
    tools,
    unusable,
    warnings,
  };
};

const head = ({ namespace, instructions, detail }: DeclareInput): string[] => {
  const text = detail === 'full' ? cleanText(textOf(instructions), INSTRUCTIONS_LIMIT).text.trim() : '';
  return text === ''
    ? []
    : [`/* What the server ${namespace} says of itself (its text, not metad's):\n${commentText(text)}\n*/`];
};

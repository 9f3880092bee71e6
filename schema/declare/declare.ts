// One server's tools as a TypeScript namespace. Runs the phases: deref, normalize, parse, simplify, share, print.

import { cleanText, commentText, oneLine, suspiciousPart } from '../text.ts';
import { isObject } from '../tool.ts';
import { type DeclaredTool, type ReadTool, readTool } from './read.ts';
import { allowsNothing, takesNothing } from './type/arguments.ts';
import { ANY, OPEN_OBJECT, unnoted } from './type/ast.ts';
import { comment, type Printing, printBody, printType } from './type/print.ts';
import { share } from './type/share.ts';
import { createSimplifier } from './type/simplify.ts';

export type { DeclaredTool } from './read.ts';

export const DETAILS = ['names', 'signatures', 'full'] as const;
/** `names`: names alone; `signatures`: types and one line per tool; `full`: every description and constraint too. */
export type Detail = (typeof DETAILS)[number];

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

/** Longest instructions of a server that are shown, in UTF-16 units. */
export const INSTRUCTIONS_LIMIT = 4000;
/** Most warnings about one tool. */
const WARNINGS_LIMIT = 20;

const byScript = (a: { script: string }, b: { script: string }): number =>
  a.script < b.script ? -1 : a.script > b.script ? 1 : 0;

/**
 * Declares a server's tools. Never throws for what a server published: what cannot be read becomes `unknown` and a warning,
 * what can never be called is listed as unusable. The input is not changed.
 */
export const declareServer = (given: DeclareInput): Declared => {
  const input = { ...given, tools: [...given.tools].sort(byScript) };
  const { reads, unusable, warnings: found } = readAll(input);
  const warnings = [...oddIn(input.instructions), ...found];
  if (input.detail === 'names') {
    const tools = reads.map(({ raw, script }) => ({ raw, script, line: '' }));
    const names = tools.length === 0 ? 'no tools' : tools.map((tool) => tool.script).join(', ');
    return { text: `// ${input.namespace}: ${names}\n`, tools, unusable, warnings };
  }
  const isFull = input.detail === 'full';
  const shared = share(
    reads.flatMap(({ script, params, result }) => [
      { type: params, hint: `${script}_params`, owner: script },
      { type: result, hint: `${script}_result`, owner: script },
    ]),
  );
  const printing: Printing = { shared, isShort: !isFull };
  const body = head(input);
  const tools = reads.map((read) => {
    const line = functionLine(read, printing, input.observed?.get(read.raw));
    if (isFull) body.push(...(read.note === '' ? [] : [comment(read.note)]), line);
    else body.push(read.note === '' ? line : `${line} // ${read.note}`);
    return { raw: read.raw, script: read.script, line };
  });
  for (const { raw, reason } of unusable) body.push(`// ${labelOf(raw)} cannot be called: ${reason}`);
  for (const { name, type } of shared.types) {
    const { note, type: bare } = unnoted(type);
    if (isFull && note !== '') body.push(comment(note));
    body.push(`type ${name} = ${bare === type ? printBody(bare, printing) : printType(bare, printing)};`);
  }
  return { text: `declare namespace ${input.namespace} {\n${body.join('\n')}\n}\n`, tools, unusable, warnings };
};

const labelOf = (raw: unknown): string => oneLine(cleanText(String(raw), 100).text);

const readAll = ({ tools, detail }: DeclareInput): { reads: ReadTool[] } & Pick<Declared, 'unusable' | 'warnings'> => {
  const { simplify } = createSimplifier();
  const warnings: string[] = [];
  const unusable: { raw: string; reason: string }[] = [];
  const reads = tools.flatMap((entry): ReadTool[] => {
    const { raw, script, tool } = entry;
    const plain: ReadTool = { raw, script, note: '', params: OPEN_OBJECT, result: ANY };
    let count = 0;
    const warn = (problem: string): void => {
      count += 1;
      if (count <= WARNINGS_LIMIT) warnings.push(`${labelOf(raw)}: ${oneLine(cleanText(problem, 300).text)}`);
    };
    // For the names alone, an object is not read to see that it is one.
    if (detail === 'names' && raw !== '' && isObject(tool.inputSchema) && tool.inputSchema['type'] === 'object')
      return [plain];
    try {
      const read = readTool(entry, detail === 'full', warn);
      if (!('reason' in read)) return [{ ...read, params: simplify(read.params), result: simplify(read.result) }];
      unusable.push({ raw, reason: read.reason });
      return [];
    } catch (error) {
      warn(`could not be read (${error instanceof Error ? error.message : error}); declared as taking anything`);
      return [{ ...plain, params: simplify(plain.params), result: simplify(plain.result) }];
    }
  });
  return { reads, unusable, warnings };
};

const functionLine = (
  { script, params, result }: ReadTool,
  printing: Printing,
  observed: string | undefined,
): string => {
  const given = takesNothing(params) ? '' : `params${allowsNothing(params) ? '?' : ''}: ${printType(params, printing)}`;
  const isLearned = result.kind === 'any' && observed !== undefined;
  return `function ${script}(${given}): Promise<${isLearned ? `/** observed */ ${observed}` : printType(result, printing)}>;`;
};

/** What is wrong with a server's instructions. */
const oddIn = (instructions: unknown): string[] => {
  if (typeof instructions !== 'string') return [];
  const { text, removed, cut } = cleanText(instructions, INSTRUCTIONS_LIMIT);
  const order = suspiciousPart(text);
  return [
    ...(order === undefined ? [] : [`instructions: they give orders to the model: "${order}"`]),
    ...(removed === 0 ? [] : [`instructions: ${removed} control or invisible characters were removed`]),
    ...(cut === 0 ? [] : [`instructions: they were cut by ${cut} characters`]),
  ];
};

const head = ({ namespace, instructions, detail }: DeclareInput): string[] => {
  if (detail !== 'full' || typeof instructions !== 'string') return [];
  const text = commentText(cleanText(instructions, INSTRUCTIONS_LIMIT).text.trim());
  return text === '' ? [] : [`/* What the server ${namespace} says of itself (its text, not metad's):\n${text}\n*/`];
};

// Arguments held against a tool's inputSchema before its server is called, and results against its outputSchema after.
import { declareServer } from '../../schema/declare/declare.ts';
import type { DeclaredTool } from '../../schema/declare/read.ts';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { isObject, type Json, type JsonObject, type Tool } from '../../schema/tool.ts';
import { type Convert, createConversion } from './convert.ts';
import { explain } from './problems.ts';
import { writeSchema } from './schema.ts';
import { createCompiler, type Validate } from './validator.ts';

export interface Checker {
  /**
   * The arguments as they go to the server: converted where the schema leaves no choice.
   * @throws MetadError `bad-request` with each field that does not fit, and the tool's declaration.
   */
  readonly args: (namespace: string, tool: DeclaredTool, args: JsonObject) => JsonObject;
  /** What in a structured result does not fit the tool's outputSchema; empty where it does or cannot be told. */
  readonly result: (tool: DeclaredTool, value: Json) => readonly string[];
}

export interface CheckerOptions {
  /** Told once of each tool whose schema cannot be used; its server alone checks then. */
  readonly unchecked: (tool: string, why: string) => void;
}

interface Checks {
  readonly convert: Convert;
  readonly validate: Validate;
}

/** Characters of a declaration in a refusal. */
const DECLARATION = 1500;

/** One tool's declaration: with its texts if they are short, else its types. */
const declarationOf = (namespace: string, tool: DeclaredTool): string => {
  for (const detail of ['full', 'signatures'] as const) {
    const { text } = declareServer({ namespace, tools: [tool], detail });
    if (text.length <= DECLARATION) return text.trim();
    if (detail === 'signatures') return `${text.slice(0, DECLARATION)}…`;
  }
  return '';
};

/** The schema, unless it is of what arguments never are: then it says nothing of them. */
const argumentsSchema = ({ inputSchema }: Tool): Json | undefined => {
  const type = isObject(inputSchema) ? inputSchema['type'] : undefined;
  const isOther =
    type !== undefined && type !== 'object' && !(Array.isArray(type) && (type as Json[]).includes('object'));
  return isOther ? undefined : inputSchema;
};

/** Checks are made when a tool is first called and kept for as long as its listing lives. */
export const createChecker = ({ unchecked }: CheckerOptions): Checker => {
  const compile = createCompiler();
  const told = new WeakSet<Tool>();
  const tell = ({ raw, tool }: DeclaredTool, why: string): void => {
    if (told.has(tool)) return;
    told.add(tool);
    unchecked(raw, why);
  };
  const inputs = new WeakMap<Tool, Checks | 'none'>();
  const outputs = new WeakMap<Tool, Checks | 'none'>();

  const make = (tool: DeclaredTool, schema: Json | undefined): Checks | 'none' => {
    if (!isObject(schema)) return 'none';
    try {
      const written = writeSchema(schema);
      if ('schema' in written) return { convert: createConversion(written.schema), validate: compile(written.schema) };
      tell(tool, written.problem);
    } catch (error) {
      tell(tool, messageOf(error));
    }
    return 'none';
  };
  const checksOf = (
    known: WeakMap<Tool, Checks | 'none'>,
    tool: DeclaredTool,
    schema: Json | undefined,
  ): Checks | undefined => {
    const checks = known.get(tool.tool) ?? make(tool, schema);
    known.set(tool.tool, checks);
    return checks === 'none' ? undefined : checks;
  };
  /** A check that fails itself (too costly, too deep) says nothing: the server decides. */
  const attempt = <T>(tool: DeclaredTool, work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      tell(tool, messageOf(error) || String(error));
      return otherwise;
    }
  };

  return {
    args: (namespace, tool, args) => {
      const checks = checksOf(inputs, tool, argumentsSchema(tool.tool));
      if (checks === undefined) return args;
      const converted = attempt(tool, () => checks.convert(args), args);
      const lines = attempt(tool, () => explain(checks.validate(converted)), []);
      if (lines.length === 0) return converted;
      const wrong = lines.map((line) => `  ${line}`).join('\n');
      const sentence = `\`${namespace}.${tool.script}\` was not called; its arguments do not fit:`;
      throw new MetadError('bad-request', `${sentence}\n${wrong}\n${declarationOf(namespace, tool)}`);
    },
    result: (tool, value) => {
      const checks = checksOf(outputs, tool, tool.tool.outputSchema);
      return checks === undefined ? [] : attempt(tool, () => explain(checks.validate(value)), []);
    },
  };
};

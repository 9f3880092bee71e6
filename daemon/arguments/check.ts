// Arguments held against a tool's inputSchema before its server is called, and results against its outputSchema after.
import { declareServer } from '../../schema/declare/declare.ts';
import type { DeclaredTool } from '../../schema/declare/read.ts';
import { MetadError, messageOf } from '../../schema/errors.ts';
import { isObject, type Json, type JsonObject, type Tool } from '../../schema/tool.ts';
import { type Check, type Checks, createChecks } from './checks.ts';
import { createMeter } from './meter.ts';

export interface Checker {
  /**
   * The arguments as they go to the server: converted where the schema leaves no choice.
   * @throws MetadError `bad-request` with the fields that do not fit, and the tool's declaration.
   */
  readonly args: (namespace: string, tool: DeclaredTool, args: JsonObject) => JsonObject;
  /** What in a structured result does not fit the tool's outputSchema; empty where it does or cannot be told. */
  readonly result: (tool: DeclaredTool, value: Json) => readonly string[];
}

export interface CheckerOptions {
  /** Told once of each tool whose schema cannot be used; its server alone checks then. */
  readonly unchecked: (tool: string, why: string) => void;
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

/**
 * Checks are made when a tool is first called, and those of tools that are called again are kept. A check that fails
 * itself (too costly, too deep) says nothing: that tool is left to its server from then on.
 */
export const createChecker = ({ unchecked }: CheckerOptions): Checker & Pick<Checks, 'size'> => {
  const checks = createChecks(createMeter());
  const attempt = <T>({ raw }: DeclaredTool, schema: Json | undefined, work: (check: Check) => T, otherwise: T): T => {
    try {
      const check = checks.of(schema);
      return check === undefined ? otherwise : work(check);
    } catch (error) {
      checks.giveUp(schema);
      unchecked(raw, messageOf(error) || String(error));
      return otherwise;
    }
  };

  return {
    args: (namespace, tool, args) => {
      const work = ({ convert, problems }: Check) => {
        const converted = convert(args);
        return { converted, lines: problems(converted, 'all') };
      };
      const { converted, lines } = attempt(tool, argumentsSchema(tool.tool), work, { converted: args, lines: [] });
      if (lines.length === 0) return converted;
      const wrong = lines.map((line) => `  ${line}`).join('\n');
      const sentence = `\`${namespace}.${tool.script}\` was not called; its arguments do not fit:`;
      throw new MetadError('bad-request', `${sentence}\n${wrong}\n${declarationOf(namespace, tool)}`);
    },
    result: (tool, value) => attempt(tool, tool.tool.outputSchema, ({ problems }) => problems(value, 'first'), []),
    size: checks.size,
  };
};

// Reading the arguments of metad's own tools: what an agent sent, or a sentence on what is wrong with it.
import { MetadError } from '../../schema/errors.ts';
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';

const kindOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const wrong = (field: string, wanted: string, value: Json): MetadError =>
  new MetadError('bad-request', `\`${field}\` must be ${wanted}, not ${kindOf(value)}.`);

const parsedObject = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Typed access to one call's arguments; every reader gives undefined for a missing or null field. */
export const readArguments = (tool: string, args: JsonObject, known: readonly string[]) => {
  const unknown = Object.keys(args).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new MetadError('bad-request', `${tool} has no parameter \`${unknown[0]}\`. It takes: ${known.join(', ')}.`);
  }
  const field = (name: string): Json | undefined => args[name] ?? undefined;
  return {
    string: (name: string): string | undefined => {
      const value = field(name);
      if (value === undefined || typeof value === 'string') return value;
      throw wrong(name, 'a string', value);
    },
    /** One string counts as a list of one: models write it that way. */
    strings: (name: string): readonly string[] | undefined => {
      const value = field(name);
      if (value === undefined) return undefined;
      const list = typeof value === 'string' ? [value] : value;
      if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list as readonly string[];
      throw wrong(name, 'a list of strings', value);
    },
    number: (name: string): number | undefined => {
      const value = field(name);
      if (value === undefined || typeof value === 'number') return value;
      throw wrong(name, 'a number', value);
    },
    boolean: (name: string): boolean | undefined => {
      const value = field(name);
      if (value === undefined || typeof value === 'boolean') return value;
      throw wrong(name, 'true or false', value);
    },
    /** JSON of one counts: models write it that way. */
    object: (name: string): JsonObject | undefined => {
      const value = field(name);
      if (value === undefined) return undefined;
      const object = typeof value === 'string' ? parsedObject(value) : value;
      if (isObject(object)) return object;
      throw wrong(name, 'an object', value);
    },
    oneOf: <T extends string>(name: string, choices: readonly T[]): T | undefined => {
      const value = field(name);
      if (value === undefined) return undefined;
      const choice = choices.find((candidate) => candidate === value);
      if (choice !== undefined) return choice;
      throw new MetadError('bad-request', `\`${name}\` must be one of ${choices.join(', ')}.`);
    },
  };
};

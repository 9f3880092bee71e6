// What a failed check of a value reads like to a person. Never quotes a value of `env` or `headers`.
import type { Node } from 'jsonc-parser';
import { nearName } from '../near.ts';
import { pathText } from './problem.ts';

/** The parts of an issue of zod that are used here; its own messages are written for programmers. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly origin?: string;
  readonly message: string;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text in double quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in [ ]',
  object: 'an object in { }',
  record: 'an object in { }',
};

/** What is there instead, without saying its value. */
export const kindOf = (node: Node): string =>
  ({
    string: 'text',
    number: Number.isFinite(node.value) ? 'a number' : 'out of range',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
    null: 'null',
  })[node.type as string] ?? 'something else';

/** The way out of mistakes that are made often. */
const hint = (path: readonly PropertyKey[], expected: string, node: Node): string => {
  const key = path.at(-1);
  if (key === 'command' && node.type === 'array') return ' Put the program in "command" and the rest in "args".';
  if (expected === 'array' && node.type === 'string') return ' Put it in [ ].';
  if (expected === 'string' && (node.type === 'number' || node.type === 'boolean')) return ' Put it in double quotes.';
  if (node.type === 'string' && /^(true|false|-?\d+(\.\d+)?)$/.test(String(node.value)) && expected !== 'object')
    return ' Leave the quotes away.';
  if (key === 'env' && node.type === 'array') return ' Write { "NAME": "value" }.';
  return '';
};

/**
 * One sentence for one issue.
 * @param path the whole path from the top of the file, for the reader
 * @param node what stands at the path, or above it where nothing does
 */
export const sentenceOf = (issue: Issue, path: readonly PropertyKey[], node: Node): string => {
  const name = pathText(path) || 'The file';
  switch (issue.code) {
    case 'invalid_type': {
      const expected = issue.expected ?? '';
      const is = expected === 'int' && Number.isFinite(node.value) ? 'a fraction' : kindOf(node);
      return `${name} must be ${EXPECTED[expected] ?? expected}, but is ${is}.${hint(path, expected, node)}`;
    }
    case 'invalid_value': {
      const values = (issue.values ?? []).map(String);
      const near = typeof node.value === 'string' ? nearName(node.value, values) : undefined;
      const choice = values.map((value) => JSON.stringify(value)).join(', ');
      return `${name} must be one of ${choice}.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return `${name} must not be empty.`;
      return `${name} must be ${issue.inclusive === false ? 'greater than' : 'at least'} ${issue.minimum}.`;
    case 'too_big':
      return `${name} must be at most ${issue.maximum}.`;
    default:
      return `${name} is not valid: ${issue.message}.`;
  }
};

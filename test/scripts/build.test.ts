// What `npm run build` leaves: a shim that needs nothing, and one version everywhere.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import { expect, test } from 'vitest';
import { VERSION } from '../../schema/wire.ts';
import { programPath, ROOT } from '../helpers/program.ts';

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== 'object' || value === null || !('type' in value)) return [];
  return [value as Node, ...Object.values(value).flatMap(nodesOf)];
};

/** Everything that a CommonJS text asks for; `undefined` for a target that is computed. */
const requiredBy = (text: string): (string | undefined)[] =>
  nodesOf(parse(text, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: true })).flatMap((node) => {
    const literal = (from: unknown) => {
      const { type, value } = Object(from);
      return type === 'Literal' && typeof value === 'string' ? value : undefined;
    };
    if (node.type === 'ImportExpression') return [literal(node['source'])];
    const callee = Object(node['callee']);
    if (node.type !== 'CallExpression' || callee.type !== 'Identifier' || callee.name !== 'require') return [];
    return [literal(Object(node['arguments'])[0])];
  });

test('the launcher requires built-ins and its own cli.js, nothing else', () => {
  const required = requiredBy(readFileSync(programPath(), 'utf8'));
  expect(required).toContain('./cli.js');
  const foreign = required.filter(
    (name) => name !== './cli.js' && !name?.startsWith('node:') && !builtinModules.includes(name ?? ''),
  );
  expect(foreign).toEqual([]);
});

test('requiredBy() sees require, import() and what is computed', () => {
  expect(requiredBy("const a = require('x'); import('./y.js'); require(a)")).toEqual(['x', './y.js', undefined]);
});

test('the version in schema/wire.ts is the one of package.json', () => {
  expect(VERSION).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version);
});

import { expect, test } from 'vitest';
import { withoutTypes } from '../../../daemon/sandbox/script/types.ts';
import { documentsOf } from '../../../daemon/types/documents.ts';

const read = (script: string) => documentsOf(script, ['files', 'web'], withoutTypes);

/** Where a mark of the script is found by way of its document. */
const placeOf = (script: string, mark: string) => {
  const { typed, original } = read(script);
  const before = typed.slice(0, typed.indexOf(mark)).split('\n');
  return original({ line: before.length, column: (before.at(-1) ?? '').length + 1 });
};
const written = (script: string, mark: string) => {
  const before = script.slice(0, script.indexOf(mark)).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
};

test.each([
  ['a statement', 'const a = 1; here();', 'javascript'],
  ['a return', 'const a = 1;\n  return here;', 'javascript'],
  ['an expression on the first line', 'here.b', 'javascript'],
  ['a fence', '```js\nreturn here\n```', 'javascript'],
  ['an object literal', '  { a: 1, b: here }', 'javascript'],
  ['an arrow', 'async () => { return here }', 'javascript'],
  ['export default', 'export default async () => { return here }', 'javascript'],
  ['types', 'const a: string = "x"; here();', 'typescript'],
  ['types below', 'const a: string = "x";\n  return here;', 'typescript'],
  ['types in a fence', '```ts\nconst a: number = here;\n```', 'typescript'],
  ['types in an object literal', '\n  { b: here as string }', 'typescript'],
  ['types and export default', 'export default async (a: number) => here', 'typescript'],
  ['types and exports', 'export const a: number = 1;\nexport default here as any', 'typescript'],
] as const)('documentsOf() reads %s, with places as they are written', (_, script, language) => {
  expect(read(script).language).toBe(language);
  expect(placeOf(script, 'here')).toEqual(written(script, 'here'));
});

test('documentsOf() gives types as they stand, and namespaces of which nothing is known', () => {
  const { typed, plain } = read('const a: number = 1; return a');
  expect(typed).toContain('const a: number = 1');
  expect(typed).not.toContain('let files');
  expect(plain).toContain('let files, web;');
});

test('documentsOf() refuses what the sandbox refuses', () => {
  for (const script of ['return (', 'import fs from "fs"', 'const a: = 1'])
    expect(() => read(script)).toThrow(expect.objectContaining({ name: 'SyntaxError' }));
});

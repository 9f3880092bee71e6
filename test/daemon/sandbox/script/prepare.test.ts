import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { prepare, ScriptSyntaxError } from '../../../../daemon/sandbox/script/prepare.ts';
import { withoutTypes } from '../../../../daemon/sandbox/script/types.ts';

const run = async (script: string): Promise<unknown> => {
  const { source, callResult } = prepare(script);
  const value = await runInThisContext(source)((promise: unknown) => promise);
  return callResult && typeof value === 'function' ? await value() : value;
};

const refusal = (script: string): ScriptSyntaxError => {
  try {
    prepare(script, withoutTypes);
  } catch (error) {
    if (error instanceof ScriptSyntaxError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('prepare() gives the value of', () => {
  const cases: [string, unknown][] = [
    ['5', 5],
    ['5;', 5],
    ['5 // done', 5],
    ['5 /* done */', 5],
    ['"text"', 'text'],
    ['(5)', 5],
    ['1, 5', 5],
    ['const n = 5', undefined],
    ['', undefined],
    ['// nothing', undefined],
    ['{ five: 5 }', { five: 5 }],
    ['{ five: 5 };', { five: 5 }],
    ['// first\n{ five: 5 }', { five: 5 }],
    ['{}', {}],
    ['{ const n = 5; n }', 5],
    ['if (true) 5; else 6', 5],
    ['if (false) { 5 } else { 6 }', 6],
    ['try { throw 1 } catch { 5 } finally { 6 }', 5],
    ['() => 5', 5],
    ['async () => 5;', 5],
    ['function () { return 5 }'.replace('function', 'async function main'), 5],
    ['(function () { return 5 })', 5],
    ['```js\n5\n```', 5],
    ['\n```\n5```\n', 5],
    ['~~~ts\n5\n~~~', 5],
    ['```js 5```', 5],
    ['````js\n"```"\n````', '```'],
    ['```\n```', undefined],
    ['export default 5', 5],
    ['export const n = 4; export default n + 1', 5],
    ['export const n = 4;\nn + 1', 5],
  ];
  test.each(cases)('%j', async (script, expected) => {
    expect(await run(script)).toEqual(expected);
  });
});

test('prepare() marks what export default gave as to be called', () => {
  expect(prepare('export default async () => 5').callResult).toBe(true);
  expect(prepare('export default function main() { return 5 }').callResult).toBe(true);
  expect(prepare('export default class {}').callResult).toBe(true);
  expect(prepare('5').callResult).toBe(false);
});

describe('prepare() refuses with the place as it was written:', () => {
  const cases: [string, number, number][] = [
    ['1 +\n  ) 2', 2, 3],
    ['1 +', 1, 4],
    ['```js\nconst a = 1;\nconst a = 2;\n```', 3, 7],
    ['const a: number = 1;\nconst b: number = );', 2, 19],
    ['const a: number = 1; const a = 2;', 1, 28],
    ['import fs from "fs"', 1, 1],
    ['await lab.a();\nconst fs = await import("fs")', 2, 18],
    ['5;\nexport * from "fs"', 2, 1],
    ['"a\0"', 1, 3],
  ];
  test.each(cases)('%j', (script, line, column) => {
    expect(refusal(script).place).toEqual({ line, column });
  });
  test('nesting without end', () => {
    expect(refusal('['.repeat(200_000)).message).toMatch(/nested too deeply/);
  });
});

test('prepare().original() takes off what it put into a line', () => {
  const { source, original } = prepare('const a = 1;\na.b.c');
  const lines = source.split('\n');
  expect(original({ line: 1, column: lines[0]?.indexOf('a =') ?? 0 })).toEqual({ line: 1, column: 6 });
  expect(original({ line: 2, column: (lines[1]?.indexOf('.c') ?? 0) + 1 })).toEqual({ line: 2, column: 4 });
});

test('prepare().original() finds places before types were taken off', () => {
  const script = 'const a: Array<number> = [1]; (a as any).b.c';
  const { source, original } = prepare(script, withoutTypes);
  expect(original({ line: 1, column: source.indexOf('.c') + 1 })).toEqual({
    line: 1,
    column: script.indexOf('.c') + 1,
  });
});

test('prepare() reads any text in time that grows with its length', () => {
  const size = 200_000;
  const fill = (text: string): string => text.repeat(Math.ceil(size / text.length));
  const measured = (script: string): number => {
    const before = performance.now();
    try {
      prepare(script, withoutTypes);
    } catch (error) {
      if (!(error instanceof ScriptSyntaxError)) throw error;
    }
    return performance.now() - before;
  };
  const plain = `let n: number = 1;\n${fill('f(1);\n')}`;
  measured(plain); // warm
  const base = measured(plain);
  const hostile: Record<string, string> = {
    'braces before spaces': `{}${fill(' ')}@`,
    'many braces': `{${fill('} ')}@`,
    spaces: `${fill(' ')}@`,
    'open comments': fill('/*'),
    comments: `${fill('/* */')}(`,
    'a long name of a namespace': `let x: number = 1; // namespace ${fill('a')}`,
    'dots in the name of a namespace': `let x: number = 1; // namespace ${fill('a.')}`,
    namespaces: `let x: number = 1;\n${Array.from({ length: size / 20 }, (_, at) => `namespace a${at} {}`).join('\n')}`,
    'spaces of a namespace': `let x: number = 1; // namespace${fill(' ')}`,
    backticks: `${fill('`')} x`,
    'a fence of backticks': `\`\`\`\n${fill('`')} x`,
    fences: `\`\`\`\n${fill('``` ')}x`,
    'a fence of tildes': `${fill('~')} x`,
    'calls that nobody awaits': `async function f() {}\n${fill('f();\n')}`,
    exports: Array.from({ length: size / 25 }, (_, at) => `export const a${at} = ${at};`).join('\n'),
    'long paths': fill(`lab${'.b'.repeat(1500)};\n`),
    'long paths that are asked for': fill(`lab${'?.b'.repeat(1000)};\n`),
  };
  const slow = Object.entries(hostile).flatMap(([name, script]) => {
    const ms = measured(script);
    return ms > 6 * base + 500 ? [`${name}: ${ms} ms, the plain text took ${base} ms`] : [];
  });
  expect(slow).toEqual([]);
}, 60_000);

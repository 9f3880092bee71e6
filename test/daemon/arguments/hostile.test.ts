// Schemas of servers that mean harm: no check holds the daemon up for long, and none is paid for twice.
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../daemon/arguments/check.ts';
import { longestFor } from '../../../daemon/arguments/pattern.ts';
import type { Json } from '../../../schema/tool.ts';
import { checking, toolOf } from './checking.ts';

const listOf = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));

/** The least of three tries: the machine may be busy. */
const millisecondsOf = (work: () => void): number =>
  Math.min(
    ...[1, 2, 3].map(() => {
      const before = performance.now();
      work();
      return performance.now() - before;
    }),
  );

describe('what a hostile server publishes', () => {
  test.each([
    '^(a+)+$',
    '^(a|a)*$',
    '(a*)*b',
    '^(a|ab)(c|bcd)+$',
    '^(?=a+)b',
    '(.)\\1+',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
  ])('the pattern %s is left to it', (pattern) => {
    const { check } = checking({ properties: { a: { type: 'string', pattern } } });
    const args = { a: `${'a'.repeat(60)}!` };
    expect(millisecondsOf(() => expect(check(args)).toEqual(args))).toBeLessThan(500);
  });

  test('a pattern is tried on texts of which it is quickly through, and on no longer ones', () => {
    const pattern = 'a*a*a*b';
    const { check } = checking({ properties: { a: { type: 'string', pattern } } });
    expect(check({ a: 'c' })).toEqual(['a: must match /a*a*a*b/ (was "c")']);
    const long = { a: 'a'.repeat(5000) };
    expect(millisecondsOf(() => expect(check(long)).toEqual(long))).toBeLessThan(500);
    expect(longestFor(pattern)).toBeLessThan(100);
    expect(longestFor('^\\d{4}-\\d{2}-\\d{2}$')).toBeGreaterThan(100_000);
    expect(longestFor('^[a-z0-9_-]{1,64}$')).toBeGreaterThan(10_000);
  });

  test('a schema whose paths multiply is given up, and the call goes through', () => {
    const $defs: Record<string, Json> = { D30: { type: 'number' } };
    for (let at = 0; at < 30; at += 1) $defs[`D${at}`] = { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/D${at + 1}` })) };
    const { check, unchecked } = checking({ properties: { a: { $ref: '#/$defs/D0' } }, $defs });
    expect(millisecondsOf(() => expect(check({ a: 'x' })).toEqual({ a: 'x' }))).toBeLessThan(3000);
    expect(unchecked).toHaveLength(1);
  });

  test('a long list against a schema with many choices is given up, and the call goes through', () => {
    const items = { anyOf: Array.from({ length: 100 }, (_, at) => ({ const: `v${at}` })) };
    const { check } = checking({ properties: { a: { type: 'array', items } } });
    const args = { a: Array.from({ length: 100_000 }, () => 'v99') };
    expect(millisecondsOf(() => expect(check(args)).toBe(args))).toBeLessThan(3000);
  });

  test('a check that was given up once is not made again', () => {
    const items = { type: 'object', properties: { n: { enum: listOf(9000, (at) => at) } } };
    const { check, unchecked } = checking({ properties: { a: { type: 'array', items } } });
    expect(check({ a: [{ n: -1 }] })).toEqual([expect.stringMatching(/^a\[0\]\.n: must be one of/)]);
    const many = { a: listOf(9000, () => ({ n: 8999 })) };
    expect(millisecondsOf(() => expect(check(many)).toBe(many))).toBeLessThan(500);
    expect(unchecked).toEqual(['list-rows: a check took too long']);
    expect(check({ a: [{ n: -1 }] })).toEqual({ a: [{ n: -1 }] });
    expect(unchecked).toHaveLength(1);
  });

  test('very many problems in one value are told by the first of them', () => {
    const $defs = { N: { type: 'number', minimum: 5, exclusiveMinimum: 5, multipleOf: 7, enum: [7] } };
    const { check, unchecked } = checking({
      properties: { a: { type: 'array', items: { $ref: '#/$defs/N' } } },
      $defs,
    });
    const args = { a: listOf(40_000, () => 1) };
    expect(millisecondsOf(() => expect(check(args)).toEqual(['a[0]: must be 7 (was 1)']))).toBeLessThan(500);
    expect(check({ a: [1, 7] })).toContain('a[0]: must be a multiple of 7 (was 1)');
    expect(unchecked).toEqual([]);
  });

  test('a large value is shown in part, however many problems it has', () => {
    const large = { list: listOf(200_000, (at) => at) };
    const allOf = listOf(300, (at) => ({ enum: [`v${at}`] }));
    const { check } = checking({ properties: { a: { allOf } } });
    const lines = ['a: must be "v0" (was {…})', ...listOf(4, () => expect.any(String)), 'and 295 more'];
    expect(millisecondsOf(() => expect(check({ a: large })).toEqual(lines))).toBeLessThan(500);
  });

  test('near names are looked for within the budget', () => {
    const names = listOf(350, (at) => `${'x'.repeat(58)}${at}`);
    const { check } = checking({
      properties: Object.fromEntries(names.map((name) => [name, true])),
      additionalProperties: false,
    });
    const args = Object.fromEntries(listOf(900, (at) => [`${'y'.repeat(57)}${at}`, 1]));
    const lines = [expect.stringMatching(/^y+0: is not a parameter/)];
    expect(millisecondsOf(() => expect(check(args)).toEqual(lines))).toBeLessThan(1500);
  });

  test('a long text in very many forms is given up', () => {
    const anyOf = listOf(390, () => ({ type: 'string', maxLength: 9 }));
    const { check, unchecked } = checking({ properties: { a: { anyOf } } });
    const args = { a: 'é'.repeat(1_000_000) };
    expect(millisecondsOf(() => expect(check(args)).toBe(args))).toBeLessThan(500);
    expect(unchecked).toHaveLength(1);
  });

  test('names that depend on each other are no way to endless code', () => {
    const names = listOf(300, (at) => `n${at}`);
    const { check, unchecked } = checking({ dependencies: Object.fromEntries(names.map((name) => [name, names])) });
    expect(millisecondsOf(() => expect(check({ n1: 1 })).toEqual({ n1: 1 }))).toBeLessThan(300);
    expect(unchecked).toHaveLength(1);
  });

  test('checks of many tools are kept within a bound, and made again when they are needed', () => {
    const checker = createChecker({ unchecked: () => {} });
    const tools = listOf(12, (tool) =>
      toolOf({ properties: { a: { enum: listOf(4000, (at) => `${tool}-value-${at}`) } } }),
    );
    const refused = (at: number): boolean => {
      try {
        checker.args('fx', tools[at] as ReturnType<typeof toolOf>, { a: 'other' });
        return false;
      } catch {
        return true;
      }
    };
    for (const at of [...tools.keys(), 0, 11]) {
      expect(refused(at)).toBe(true);
      expect(checker.size()).toBeGreaterThan(0);
      expect(checker.size()).toBeLessThanOrEqual(400_000);
    }
  });

  test('a check that others displace again and again is left to the server', () => {
    const unchecked: string[] = [];
    const checker = createChecker({ unchecked: (tool) => unchecked.push(tool) });
    const tools = listOf(3, (tool) =>
      toolOf({ properties: { a: { enum: listOf(9000, (at) => `${tool}-value-${at}`) } } }),
    );
    for (let turn = 0; turn < 10; turn += 1)
      for (const [at, tool] of tools.entries()) checker.args('fx', tool, { a: `${at}-value-1` });
    // The others then have room enough.
    expect(unchecked).toHaveLength(1);
  });
});

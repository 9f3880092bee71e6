import { expect, test } from 'vitest';
import type { Dependency } from '../../../../daemon/workspace/dependency.ts';
import { evaluate, type Facts } from '../../../../daemon/workspace/predicate/evaluate.ts';
import { isFreeName, parseGate, parsePredicate } from '../../../../daemon/workspace/predicate/parse.ts';
import { predicateText } from '../../../../daemon/workspace/predicate/predicate.ts';

const dependency = (name: string, version: string | null, more: Partial<Dependency> = {}): Dependency => ({
  ecosystem: 'npm',
  name,
  version,
  direct: true,
  member: '',
  ...more,
});

const facts: Facts = {
  dependencies: [
    dependency('next', '15.1.0', { member: 'apps/web' }),
    dependency('react', '19.0.0', { direct: false }),
    dependency('sqlx', '0.7.4', { ecosystem: 'cargo' }),
    dependency('serde_json', '1.0.1', { ecosystem: 'cargo' }),
    dependency('zope.interface', '7.0', { ecosystem: 'pypi' }),
    dependency('@scope/lib', null),
    dependency('org.slf4j:slf4j-api', null, { ecosystem: 'maven' }),
    dependency('github.com/gin-gonic/gin', 'v1.10.0', { ecosystem: 'go' }),
  ],
  environment: { CI: '', MODE: 'a=b' },
  isMember: false,
  pathExists: (path) => path === '.git',
  ran: (leaf) => (leaf.kind === 'shell' ? leaf.command === 'true' : 'no such predicate'),
};

const HOLDS = [
  'depends-on(next)',
  'depends-on(next>=15)',
  'depends-on(npm:next >= 15)',
  'depends-on(cargo:sqlx)',
  'depends-on(crates:sqlx 0.7)',
  'depends-on(serde-json)',
  'depends-on(pip:Zope_Interface)',
  'depends-on(@scope/lib ^3)',
  'depends-on(maven:org.slf4j:slf4j-api)',
  'depends-on(github.com/gin-gonic/gin >= 1.9)',
  'depends-on(*)',
  'path_exists(.git)',
  'env(CI)',
  'env(CI=)',
  'env(MODE=a=b)',
  'shell(true)',
  'not(workspace-member())',
  'any(env(NO), all(env(CI), path_exists(.git)))',
];
const FAILS = [
  'depends-on(next<15)',
  'depends-on(cargo:next)',
  'depends-on(react)',
  'depends-on(nextjs)',
  'path_exists(x)',
  'env(MODE=a)',
  'env(toString)',
  'workspace-member()',
  'shell(false)',
  'mine(x)',
  'all(env(CI), env(NO))',
  'not(env(CI))',
];

test.each(HOLDS)('%s holds', (text) => {
  expect(evaluate(parsePredicate(text), facts).holds).toBe(true);
});
test.each(FAILS)('%s does not hold', (text) => {
  expect(evaluate(parsePredicate(text), facts).holds).toBe(false);
});

test('evaluate() says which atoms decided, and why', () => {
  const verdictOf = (text: string) => evaluate(parsePredicate(text), facts);
  expect(verdictOf('all(env(CI), depends-on(next>=16), env(NO))')).toEqual({
    holds: false,
    atoms: [{ text: 'depends-on(next>=16)', holds: false, because: 'next 15.1.0 in apps/web' }],
  });
  expect(verdictOf('any(env(NO), depends-on(react), mine(x))').atoms.map(({ because }) => because)).toEqual([
    'the variable NO is not set',
    'react 19.0.0 comes with another dependency only',
    'no such predicate',
  ]);
  expect(verdictOf('not(any(env(CI), env(NO)))')).toEqual({
    holds: false,
    atoms: [{ text: 'env(CI)', holds: true, because: 'the variable CI is set' }],
  });
});

test('parseGate() joins both fields: any of depends-on, and all predicates', () => {
  const gate = parseGate(['sqlx', 'npm:next'], ['env(CI)']);
  expect(gate && predicateText(gate)).toBe('all(any(depends-on(sqlx), depends-on(npm:next)), env(CI))');
  expect(parseGate([], [])).toBeUndefined();
  expect(parseGate(['*'], [])).toEqual({ kind: 'depends-on', requirement: null });
});

test('arguments of leaves are taken as they stand', () => {
  expect(parsePredicate('shell(echo $(date), "x")')).toEqual({ kind: 'shell', command: 'echo $(date), "x"' });
  expect(parsePredicate(' battery_pack( cli>=0.3 ) ')).toEqual({
    kind: 'custom',
    name: 'battery_pack',
    argument: 'cli>=0.3',
  });
  const nested = 'any(all(env(A), not(env(B=(1)))), depends-on(x >= 1, < 2))';
  expect(predicateText(parsePredicate(nested))).toBe(nested);
});

test.each([
  ['depends-on(next >= latest)', '">= latest" in "next >= latest" is no version range'],
  ['depends-on(foo:bar)', '"foo" is no ecosystem that metad knows: npm, jsr, cargo'],
  ['depends-on()', 'depends-on() needs a package'],
  ['crate(serde)', 'crate(…) is now called depends-on(…).'],
  ['not(env(A), env(B))', 'not(…) takes one predicate.'],
  ['any()', 'any(…) takes predicates with commas between them'],
  ['workspace-member(x)', 'takes nothing between its parentheses'],
  ['env(A', '"env(A" is no predicate'],
  ['env(A))', 'is no predicate'],
  ['next', '"next" is no predicate: write one like'],
  [`${'not('.repeat(60)}env(A)${')'.repeat(60)}`, 'stands in more than 50 other predicates'],
])('parsePredicate(%s) is refused', (text, sentence) => {
  expect(() => parsePredicate(text)).toThrow(sentence);
});

test('isFreeName() keeps what is metad’s own', () => {
  expect(['battery_pack', 'my-own', 'shell', 'crate', '1x', ''].map(isFreeName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

import { expect, test } from 'vitest';
import type { Ecosystem } from '../../../../daemon/workspace/dependency.ts';
import { isRange, satisfies } from '../../../../daemon/workspace/predicate/version.ts';

/** Ecosystem, version, range, whether it is in it. */
const CASES: readonly (readonly [Ecosystem, string, string, boolean])[] = [
  // The traps: what a bare version means, commas, pre-releases, short versions.
  ['cargo', '1.5.0', '1.0', true],
  ['cargo', '2.0.0', '1.0', false],
  ['cargo', '1.5.0', '=1.0', true],
  ['cargo', '1.0.219', '==1.0.219', true],
  ['cargo', '1.0.220', '==1.0.219', false],
  ['cargo', '1.5.0', '>=1.0, <2.0', true],
  ['cargo', '2.0.0', '>=1.0, <2.0', false],
  ['cargo', '0.7.4', '^0.7', true],
  ['cargo', '0.8.0', '0.7', false],
  ['cargo', '0.9.0-alpha.1', '>=0.8', true],
  ['npm', '1.5.0', '1.0', false],
  ['npm', '1.0.7', '1.0', true],
  ['npm', '15.0.0-canary.3', '>= 15', true],
  ['npm', '15.1.2', '>=14 <16', true],
  ['npm', '15.1.2', '^13 || ^15', true],
  ['npm', '15.1.2', '15.x', true],
  ['npm', '2.0.0-beta.1', '<2', false],
  ['jsr', '1.2.3', '^1', true],
  ['go', 'v1.9.2', '>=1.9', true],
  ['go', 'v1.9.2', 'v1.5', true],
  ['go', 'v2.0.0', 'v1.5', false],
  ['go', 'v0.0.0-20240102150405-abcdef012345', '>=0', true],
  ['pypi', '2.0.1', '>=2,<3', true],
  ['pypi', '2.0.1', '~=2.0.0', true],
  ['pypi', '2.1.0', '~=2.0.0', false],
  ['pypi', '3.0rc1', '>=3.0a1', true],
  ['pypi', '1.2', '==1.*', true],
  ['pypi', '2024.10', '>=2024.1', true],
  ['pypi', '2.9.1', '^2.5', true],
  ['pypi', '1.0.post1', '>1.0', false],
  ['rubygems', '7.1.3.2', '~> 7.1', true],
  ['rubygems', '8.0.0', '~> 7.1', false],
  ['rubygems', '7.1.9', '~> 7.1.3', true],
  ['rubygems', '7.2.0', '~> 7.1.3', false],
  ['rubygems', '7.1.3.2', '7.1.3', true],
  ['hex', '1.7.10', '~> 1.7', true],
  ['hex', '2.0.0', '~> 1.7', false],
  ['composer', '1.9.0', '~1.2', true],
  ['composer', '2.0.0', '~1.2', false],
  ['composer', 'v11.3.0', '^10|^11', true],
  ['nuget', '8.0.1', '8.0', true],
  ['nuget', '9.0.0', '[8.0,9.0)', false],
  ['nuget', '8.5.0', '[8.0,9.0)', true],
  ['nuget', '1.2.3.4', '>=1.2.3', true],
  ['maven', '3.2', '[3.0,)', true],
  ['maven', '3.2.1.RELEASE', '>=3', true],
  ['pub', '2.1.0', '^2.0.0', true],
  ['swift', '1.2.0', '>=1.1.0 <2.0.0', true],
  ['npm', '1.2.3', '!=1.2.3', false],
  ['npm', '1.2.4', '>=1, !=1.2.3', true],
  ['npm', 'workspace', '>=1', false],
];

test.each(CASES)('satisfies(%s, %s, %s) is %s', (ecosystem, version, range, expected) => {
  expect(isRange(ecosystem, range)).toBe(true);
  expect(satisfies(ecosystem, version, range)).toBe(expected);
});

test('isRange() refuses what is no range', () => {
  for (const range of ['latest', '>=', '=>x y', '>= 1 <', '()', '[,]', 'file:../x'])
    expect(isRange(null, range)).toBe(false);
});

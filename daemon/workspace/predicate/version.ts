// Whether a version is in a range, by the rules of the ecosystem that it comes from.
import { satisfies as inPep440, validRange as isPep440 } from '@renovatebot/pep440';
import semver from 'semver';
import type { Ecosystem } from '../dependency.ts';

/** Pre-releases count: whoever runs `next` 16.0.0-canary.3 has what came with 15. */
const OPTIONS = { includePrerelease: true, loose: true } as const;

interface Comparison {
  /** Empty for a bare version. */
  readonly operator: string;
  readonly version: string;
}

const OPERATOR = /~>|~=|===?|!=|>=|<=|=>|=<|[<>^~=]/;
const COMPARISON = new RegExp(`^(${OPERATOR.source})?v?(\\d[\\w.*+-]*|[xX*])$`);

/** `[1.0,2.0)`, `(,3]`, `[1.5]`: NuGet's and Maven's. */
const INTERVAL = /^([[(])\s*([\w.+-]*)\s*(,?)\s*([\w.+-]*)\s*([\])])$/;

const intervalOf = (range: string): readonly Comparison[] | undefined => {
  const [, open, low = '', comma, high = '', close] = INTERVAL.exec(range) ?? [];
  if (open === undefined || low + high === '') return undefined;
  if (comma === '') return [{ operator: '=', version: low }];
  return [
    ...(low === '' ? [] : [{ operator: open === '[' ? '>=' : '>', version: low }]),
    ...(high === '' ? [] : [{ operator: close === ']' ? '<=' : '<', version: high }]),
  ];
};

/** All must hold; between them stand spaces or commas. Undefined where one cannot be read. */
const comparisonsOf = (range: string): readonly Comparison[] | undefined => {
  const interval = intervalOf(range.trim());
  if (interval !== undefined) return interval;
  const parts = range
    .replace(new RegExp(`(${OPERATOR.source})\\s+`, 'g'), '$1')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((part) => COMPARISON.exec(part));
  const read = parts.flatMap((found) =>
    found === null ? [] : [{ operator: found[1] ?? '', version: found[2] ?? '' }],
  );
  return read.length > 0 && read.length === parts.length ? read : undefined;
};

/** Of which one must do. */
const alternativesOf = (range: string): readonly (readonly Comparison[])[] | undefined => {
  const read = range.split(/\|\|?/).map(comparisonsOf);
  return read.includes(undefined) ? undefined : read.filter((one) => one !== undefined);
};

/** Semver knows three numbers; NuGet and Ruby write four. */
const threeOf = (version: string): string => /^[^.]*(?:\.[^.]*){0,2}/.exec(version)?.[0] ?? version;

const numbersOf = (version: string): readonly number[] =>
  (version.match(/^\d+(\.\d+)*/)?.[0] ?? '0').split('.').map(Number);

/** From a version to below the next one of its last number but one: `~> 1.2` up to 2, `~> 1.2.3` up to 1.3. */
const pessimistic = (version: string): string => {
  const numbers = numbersOf(version);
  const top = numbers.slice(0, Math.max(1, numbers.length - 1)).slice(0, 2);
  top.push((top.pop() ?? 0) + 1);
  return `>=${version} <${[...top, 0, 0].slice(0, 3).join('.')}-0`;
};

/** What an operator means beside semver's own, where the ecosystem differs; a bare version has the empty one. */
const MEANS: Readonly<Partial<Record<Ecosystem, Readonly<Record<string, (version: string) => string>>>>> = {
  // Cargo reads a bare version as `^`; Symposium reads `=1.0` so too, and writes `==` for exactly that one.
  cargo: { '': (version) => `^${version}`, '=': (version) => `^${version}` },
  // A requirement of go.mod is the least version of one major line.
  go: { '': (version) => `^${version}` },
  rubygems: { '': (version) => `=${version}` },
  composer: { '~': pessimistic },
  nuget: { '': (version) => `>=${version}` },
  maven: { '': (version) => `>=${version}` },
};

const COMMON: Readonly<Record<string, (version: string) => string>> = {
  '==': (version) => `=${version}`,
  '===': (version) => `=${version}`,
  '=>': (version) => `>=${version}`,
  '=<': (version) => `<=${version}`,
  '~>': pessimistic,
  '~=': pessimistic,
};

const holds = (ecosystem: Ecosystem, found: semver.SemVer, { operator, version }: Comparison): boolean => {
  const asked = threeOf(version);
  if (operator === '!=') return !semver.satisfies(found, asked, OPTIONS);
  const means = MEANS[ecosystem]?.[operator] ?? COMMON[operator];
  return semver.satisfies(found, means?.(asked) ?? `${operator}${asked}`, OPTIONS);
};

/** `1.2` and `2024.10` are versions in most places outside npm; `v1.2.3` is Go's. */
const parsed = (version: string): semver.SemVer | null => {
  const text = version.trim().replace(/^v/i, '');
  return semver.parse(text, OPTIONS) ?? semver.coerce(text, { includePrerelease: true });
};

/** Whether a range can be read, by the rules of that ecosystem or, for null, of any. */
export const isRange = (ecosystem: Ecosystem | null, range: string): boolean =>
  alternativesOf(range) !== undefined || ((ecosystem === null || ecosystem === 'pypi') && isPep440(range));

/** False too where the range cannot be read. A version that is none in its ecosystem is in no range. */
export const satisfies = (ecosystem: Ecosystem, version: string, range: string): boolean => {
  if (ecosystem === 'pypi' && isPep440(range)) return inPep440(version, range, { prereleases: true });
  const found = parsed(version);
  if (found === null) return false;
  return (alternativesOf(range) ?? []).some((comparisons) => comparisons.every((one) => holds(ecosystem, found, one)));
};

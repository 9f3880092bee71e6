// A dependency that is asked for: `sqlx`, `sqlx>=0.7, <0.9`, `npm:next >= 15`, `maven:org.slf4j:slf4j-api`.
import { type Dependency, ECOSYSTEMS, type Ecosystem } from '../dependency.ts';
import { isRange, satisfies } from './version.ts';

export interface Requirement {
  /** Null: of any ecosystem. */
  readonly ecosystem: Ecosystem | null;
  readonly name: string;
  /** Null: any version. */
  readonly range: string | null;
  /** As it was written. */
  readonly text: string;
}

/** Other words in use for the same. */
const ALIASES: Readonly<Record<string, Ecosystem>> = {
  crate: 'cargo',
  crates: 'cargo',
  node: 'npm',
  pip: 'pypi',
  python: 'pypi',
  gem: 'rubygems',
  golang: 'go',
  packagist: 'composer',
  gradle: 'maven',
};

const NAME = /^(@?[A-Za-z0-9][\w.~-]*(?:[/:][\w.~-]+)*)\s*(.*)$/s;

const isEcosystem = (word: string): word is Ecosystem => (ECOSYSTEMS as readonly string[]).includes(word);

/** @throws Error with a sentence on what is wrong and what would be right */
export const parseRequirement = (text: string): Requirement => {
  const trimmed = text.trim();
  const [, word = '', rest = ''] = /^([A-Za-z]+):(?=\S)(.*)$/s.exec(trimmed) ?? [];
  const ecosystem = isEcosystem(word) ? word : (ALIASES[word] ?? null);
  const found = NAME.exec(ecosystem === null ? trimmed : rest);
  if (found === null)
    throw new Error(`"${text}" names no package: write a name, perhaps with a version, like \`next >= 15\`.`);
  const [, name = '', range = ''] = found;
  if (ecosystem === null && name.includes(':'))
    throw new Error(
      `"${word || name.split(':', 1)[0]}" is no ecosystem that metad knows: ${ECOSYSTEMS.join(', ')}. Maven names are written \`maven:group:artifact\`.`,
    );
  const asked = range.trim();
  if (asked !== '' && asked !== '*' && !isRange(ecosystem, asked))
    throw new Error(`"${asked}" in "${text}" is no version range: write one like \`>= 15\`, \`^1.2\` or \`>=1, <3\`.`);
  return { ecosystem, name, range: asked === '' || asked === '*' ? null : asked, text: trimmed };
};

/** Names as their ecosystem compares them; `-` and `_` are one in Cargo's and Python's. */
const comparable = (name: string, ecosystem: Ecosystem): string => {
  if (ecosystem === 'cargo') return name.replaceAll('_', '-');
  if (ecosystem === 'pypi') return name.toLowerCase().replace(/[-_.]+/g, '-');
  return ['nuget', 'composer', 'swift'].includes(ecosystem) ? name.toLowerCase() : name;
};

export const isNamed = (dependency: Dependency, { ecosystem, name }: Requirement): boolean =>
  (ecosystem === null || dependency.ecosystem === ecosystem) &&
  comparable(dependency.name, dependency.ecosystem) === comparable(name, dependency.ecosystem);

/** A dependency without a known version has any: many manifests alone tell none. */
export const isVersion = ({ ecosystem, version }: Dependency, { range }: Requirement): boolean =>
  range === null || version === null || satisfies(ecosystem, version, range);

// Ruby: Gemfile.lock as Bundler writes it; without it the Gemfile and gemspecs. Also gems.locked and gems.rb.
import { broken, readText } from '../parts/documents.ts';
import { below } from '../parts/paths.ts';
import { createTally, type Tally, versionsOf } from '../parts/tally.ts';
import type { Files, Reader } from '../reader.ts';

const PAIRS = [
  { manifest: 'Gemfile', lock: 'Gemfile.lock' },
  { manifest: 'gems.rb', lock: 'gems.locked' },
] as const;

interface Spec {
  readonly name: string;
  readonly version: string;
  readonly needs: readonly string[];
  /** For gems of the repository: their folder. */
  readonly folder: string | undefined;
}
interface Lock {
  readonly specs: readonly Spec[];
  readonly dependencies: readonly string[];
}

/** @throws Error where the section DEPENDENCIES, which every lock has, is missing */
const parseLock = (file: string, text: string): Lock => {
  const specs: (Spec & { needs: string[] })[] = [];
  const dependencies: string[] = [];
  let section = '';
  let remote: string | undefined;
  for (const line of text.split('\n')) {
    const [, indent = '', name = ''] = /^( *)([^\s!(]+)/.exec(line) ?? [];
    if (indent === '' && name !== '') {
      section = name;
      remote = undefined;
    } else if (section === 'DEPENDENCIES' && indent.length === 2) {
      dependencies.push(name);
    } else if (name === 'remote:') {
      remote = line.trim().slice('remote:'.length).trim();
    } else if (indent.length === 4) {
      // A platform may be behind: `nokogiri (1.16.0-x86_64-linux)`.
      const [, version] = /\(([^()\s-]+)/.exec(line) ?? [];
      const folder = section === 'PATH' && remote !== undefined ? below('', remote) : undefined;
      if (version !== undefined) specs.push({ name, version, needs: [], folder });
    } else if (indent.length === 6) {
      specs.at(-1)?.needs.push(name);
    }
  }
  if (!/^DEPENDENCIES$/m.test(text)) throw broken(file, 'has no DEPENDENCIES: not wholly written?');
  return { specs, dependencies };
};

const tallyLock = (tally: Tally, { specs, dependencies }: Lock): void => {
  const versions = versionsOf(specs.map(({ name, version }) => [name, version]));
  const own = new Set(specs.filter(({ folder }) => folder !== undefined).map(({ name }) => name));
  const root = new Set(specs.filter(({ folder }) => folder === '').map(({ name }) => name));
  for (const name of dependencies) {
    // `gemspec` in a Gemfile makes the gem itself a dependency.
    if (!root.has(name)) tally.direct(name, '', versions.get(name));
  }
  for (const { folder, needs } of specs) {
    if (folder !== undefined) for (const name of needs) tally.direct(name, folder, versions.get(name));
  }
  for (const { name, version } of specs) if (!own.has(name)) tally.locked(name, version);
};

/** Names of `gem 'x'` and of `add_dependency 'x'`, which are code: those written in another way are missed. */
const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? []);

const GEM = /^\s*gem[\s(]+['"]([\w.-]+)['"]/;
const ADD = /^\s*\w+\.add(?:_runtime|_development)?_dependency[\s(]+['"]([\w.-]+)['"]/;

const readManifest = (files: Files, manifest: string): readonly string[] | undefined => {
  const text = readText(files, manifest);
  if (text === undefined) return undefined;
  const specs = /^[ \t]*gemspec\b/m.test(text) ? files.names('').filter((name) => name.endsWith('.gemspec')) : [];
  return [...namesIn(text, GEM), ...specs.flatMap((name) => namesIn(readText(files, name) ?? '', ADD))];
};

export const gemfile: Reader = {
  id: 'bundler',
  title: 'Bundler',
  ecosystems: ['rubygems'],
  files: [
    {
      file: 'Gemfile.lock, gems.locked',
      reads: 'direct dependencies, those of gems in the repository, versions, indirect dependencies',
    },
    {
      file: 'Gemfile, gems.rb, *.gemspec',
      reads: 'direct dependencies written as plain text, where there is no lockfile',
    },
  ],
  read: (files) => {
    const tally = createTally('rubygems');
    let isThere = false;
    for (const { manifest, lock } of PAIRS) {
      const text = readText(files, lock);
      const names = text === undefined ? readManifest(files, manifest) : [];
      if (names === undefined) continue;
      isThere = true;
      if (text !== undefined) tallyLock(tally, parseLock(lock, text));
      for (const name of names) tally.direct(name, '');
    }
    return isThere ? tally.list() : undefined;
  },
};

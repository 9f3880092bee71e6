// Swift: Package.resolved (version 1 to 3), and what Package.swift names. Names are identities: `swift-nio`.
import { broken, readJson, readText } from '../parts/documents.ts';
import { createTally, versionsOf } from '../parts/tally.ts';
import { at, listAt, textAt } from '../parts/values.ts';
import type { Reader } from '../reader.ts';

const MANIFEST = 'Package.swift';
const LOCK = 'Package.resolved';

/** A package is known by the last part of where it comes from: `https://github.com/apple/swift-nio.git`. */
const identityOf = (location: string): string =>
  location
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.replace(/\.git$/, '')
    .toLowerCase() ?? location;

/** `.package(url: "…"`, `.package(path: "…"`, `.package(id: "scope.name"`, also after `name:`; lines of comments left out. */
const DEPENDENCY = /\.package\(\s*(?:name:\s*"[^"]*"\s*,\s*)?(url|path|id):\s*"([^"]+)"/g;

const needsOf = (text: string): readonly string[] => {
  const code = text.replace(/^[ \t]*\/\/.*$/gm, '');
  return [...code.matchAll(DEPENDENCY)].map(([, kind, where = '']) =>
    kind === 'id' ? where.toLowerCase() : identityOf(where),
  );
};

export const swift: Reader = {
  id: 'swift',
  title: 'SwiftPM',
  ecosystems: ['swift'],
  files: [
    { file: MANIFEST, reads: 'direct dependencies written as plain text, by identity (`swift-nio`)' },
    { file: LOCK, reads: 'versions and indirect dependencies (version 1 to 3)' },
  ],
  read: (files) => {
    const manifest = readText(files, MANIFEST);
    const lock = readJson(files, LOCK);
    if (manifest === undefined && lock === undefined) return undefined;
    const pins = [...listAt(lock, 'pins'), ...listAt(lock, 'object', 'pins')];
    if (lock !== undefined && at(lock, 'pins') === undefined && at(lock, 'object', 'pins') === undefined)
      throw broken(LOCK, 'has no `pins`.');
    const packages = pins.flatMap((pin) => {
      const location = textAt(pin, 'repositoryURL');
      const name =
        textAt(pin, 'identity')?.toLowerCase() ?? (location === undefined ? undefined : identityOf(location));
      return name === undefined ? [] : [[name, textAt(pin, 'state', 'version') ?? null] as const];
    });
    const versions = versionsOf(packages);
    const tally = createTally('swift');
    for (const name of manifest === undefined ? [] : needsOf(manifest)) tally.direct(name, '', versions.get(name));
    for (const [name, version] of packages) tally.locked(name, version);
    return tally.list();
  },
};

// Dart and Flutter: pubspec.lock, pubspec.yaml of the root and of each workspace member.
import { broken, readYaml } from '../parts/documents.ts';
import { expand, inFolder } from '../parts/paths.ts';
import { createTally } from '../parts/tally.ts';
import { at, isTable, tableAt, textAt, textsAt } from '../parts/values.ts';
import type { Reader } from '../reader.ts';

const MANIFEST = 'pubspec.yaml';
const LOCK = 'pubspec.lock';

const needsOf = (manifest: unknown): readonly string[] =>
  ['dependencies', 'dev_dependencies'].flatMap((table) => Object.keys(tableAt(manifest, table)));

export const pub: Reader = {
  id: 'pub',
  title: 'Pub',
  ecosystems: ['pub'],
  files: [
    { file: MANIFEST, reads: 'direct dependencies of the root and of each workspace member' },
    { file: LOCK, reads: 'versions and indirect dependencies; none of what an SDK brings' },
  ],
  read: (files) => {
    const root = readYaml(files, MANIFEST);
    const lock = readYaml(files, LOCK);
    if (root === undefined && lock === undefined) return undefined;
    // It comes last but for a few lines.
    if (lock !== undefined && at(lock, 'sdks') === undefined) throw broken(LOCK, 'has no `sdks`: not wholly written?');
    const packages = new Map<string, string | null>();
    for (const [name, held] of Object.entries(tableAt(lock, 'packages'))) {
      // Flutter's own are "0.0.0" here.
      packages.set(name, at(held, 'source') === 'sdk' ? null : (textAt(held, 'version') ?? null));
    }
    const tally = createTally('pub');
    const own = new Set<string>();
    for (const folder of new Set(['', ...expand(files, textsAt(root, 'workspace'))])) {
      const manifest = folder === '' ? root : readYaml(files, inFolder(folder, MANIFEST));
      if (!isTable(manifest)) continue;
      own.add(textAt(manifest, 'name') ?? '');
      for (const name of needsOf(manifest)) tally.direct(name, folder, [packages.get(name) ?? null]);
    }
    for (const [name, version] of packages) if (!own.has(name)) tally.locked(name, version);
    return tally.list();
  },
};

// PHP: composer.json of the root and of packages in `path` repositories, composer.lock.
import { broken, readJson } from '../parts/documents.ts';
import { expand, inFolder } from '../parts/paths.ts';
import { createTally, versionsOf } from '../parts/tally.ts';
import { at, isTable, listAt, tableAt, textAt } from '../parts/values.ts';
import type { Reader } from '../reader.ts';

const MANIFEST = 'composer.json';
const LOCK = 'composer.lock';

/** Names without a vendor are PHP itself, its extensions and Composer's own. Names do not differ by case. */
const needsOf = (manifest: unknown): readonly string[] =>
  ['require', 'require-dev']
    .flatMap((table) => Object.keys(tableAt(manifest, table)))
    .filter((name) => name.includes('/'))
    .map((name) => name.toLowerCase());

/** `repositories` is a list, or a table with names. */
const pathsOf = (manifest: unknown): readonly string[] =>
  [...listAt(manifest, 'repositories'), ...Object.values(tableAt(manifest, 'repositories'))].flatMap((repository) =>
    at(repository, 'type') === 'path' ? (textAt(repository, 'url') ?? []) : [],
  );

export const composer: Reader = {
  id: 'composer',
  title: 'Composer',
  ecosystems: ['composer'],
  files: [
    { file: MANIFEST, reads: 'direct dependencies of the root and of packages in `path` repositories' },
    { file: LOCK, reads: 'versions and indirect dependencies' },
  ],
  read: (files) => {
    const root = readJson(files, MANIFEST);
    const lock = readJson(files, LOCK);
    if (root === undefined && lock === undefined) return undefined;
    if (lock !== undefined && !Array.isArray(at(lock, 'packages'))) throw broken(LOCK, 'has no list `packages`.');
    const packages = ['packages', 'packages-dev'].flatMap((list) =>
      listAt(lock, list).flatMap((entry) => {
        const name = textAt(entry, 'name')?.toLowerCase();
        return name === undefined ? [] : [[name, textAt(entry, 'version') ?? null] as const];
      }),
    );
    const versions = versionsOf(packages);
    const tally = createTally('composer');
    for (const folder of new Set(['', ...expand(files, pathsOf(root))])) {
      const manifest = folder === '' ? root : readJson(files, inFolder(folder, MANIFEST));
      if (isTable(manifest)) for (const name of needsOf(manifest)) tally.direct(name, folder, versions.get(name));
    }
    for (const [name, version] of packages) tally.locked(name, version);
    return tally.list();
  },
};

// uv: uv.lock (version 1), pyproject.toml of the project and of each workspace member.
import { broken, readToml } from '../parts/documents.ts';
import { expand } from '../parts/paths.ts';
import { createTally, groupBy } from '../parts/tally.ts';
import { at, listAt, tableAt, textAt } from '../parts/values.ts';
import type { Reader } from '../reader.ts';
import { normalize } from './parts/pypi.ts';
import { PYPROJECT, readProject } from './parts/pyproject.ts';
import { withoutArchives } from './parts/python-lock.ts';

const LOCK = 'uv.lock';

/** All that a package of the lock needs, in its extras and groups too; a version only where the lock holds several. */
const needsOf = (entry: unknown): readonly unknown[] => [
  ...listAt(entry, 'dependencies'),
  ...['optional-dependencies', 'dev-dependencies'].flatMap((table) =>
    Object.keys(tableAt(entry, table)).flatMap((group) => listAt(entry, table, group)),
  ),
];

export const uv: Reader = {
  id: 'uv',
  title: 'uv',
  ecosystems: ['pypi'],
  files: [
    { file: LOCK, reads: 'versions and indirect dependencies' },
    {
      file: PYPROJECT,
      reads: 'direct dependencies of the project and of each uv workspace member, with extras and groups',
    },
  ],
  read: (files) => {
    const lock = readToml(files, LOCK, withoutArchives);
    if (lock === undefined) return undefined;
    if (at(lock, 'version') === undefined) throw broken(LOCK, 'has no `version`: not wholly written?');
    const root = readProject(files, '');
    const folders = new Set(['', ...expand(files, root?.members ?? [], { exclude: root?.exclude ?? [] })]);
    const packages = listAt(lock, 'package').flatMap((entry) => {
      const name = textAt(entry, 'name');
      // A package whose version its build computes has none here.
      return name === undefined ? [] : [{ name: normalize(name), version: textAt(entry, 'version') ?? null, entry }];
    });
    const byName = groupBy(packages, ({ name }) => name);
    const tally = createTally('pypi');
    const own = new Set<string>();
    for (const folder of folders) {
      const project = folder === '' ? root : readProject(files, folder);
      if (project === undefined) continue;
      if (project.name !== undefined) own.add(project.name);
      const held = (byName.get(project.name ?? '') ?? []).flatMap(({ entry }) => needsOf(entry));
      const stated = groupBy(held, (one) => textAt(one, 'name'));
      const others = project.isDynamic ? [...stated.keys()].filter((name) => name !== undefined) : [];
      for (const need of new Set([...project.needs, ...others])) {
        const all = (byName.get(need) ?? []).map(({ version }) => version);
        // One version, or forks by platform or Python that each count.
        const versions = (stated.get(need) ?? []).flatMap((one) => textAt(one, 'version') ?? []);
        tally.direct(need, folder, versions.length > 0 ? versions : all);
      }
    }
    for (const { name, version } of packages) if (!own.has(name)) tally.locked(name, version);
    return tally.list();
  },
};

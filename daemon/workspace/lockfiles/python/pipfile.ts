// Pipenv: Pipfile.lock, Pipfile.
import { broken, readJson, readToml } from '../parts/documents.ts';
import { at, isTable, type Table, tableAt, textAt } from '../parts/values.ts';
import type { Reader } from '../reader.ts';
import { normalize } from './parts/pypi.ts';
import { PYPROJECT, readProject } from './parts/pyproject.ts';
import { withDirect } from './parts/python-lock.ts';

const MANIFEST = 'Pipfile';
const LOCK = 'Pipfile.lock';
/** All other tables of a Pipfile are categories of packages, and all but `_meta` of its lock. */
const NO_CATEGORY = new Set(['source', 'requires', 'pipenv', 'scripts', 'build-system']);

const categories = (document: unknown): readonly Table[] => {
  const names = Object.keys(tableAt(document)).filter((name) => !NO_CATEGORY.has(name) && name !== '_meta');
  return names.map((name) => tableAt(document, name));
};

export const pipfile: Reader = {
  id: 'pipfile',
  title: 'Pipenv',
  ecosystems: ['pypi'],
  files: [
    { file: LOCK, reads: 'versions and indirect dependencies of all categories' },
    { file: MANIFEST, reads: 'direct dependencies of all categories' },
    { file: PYPROJECT, reads: 'direct dependencies too, where there is a lockfile' },
  ],
  read: (files) => {
    const manifest = readToml(files, MANIFEST);
    const lock = readJson(files, LOCK);
    if (manifest === undefined && lock === undefined) return undefined;
    if (lock !== undefined && !isTable(at(lock, '_meta'))) throw broken(LOCK, 'has no `_meta`: is it a Pipfile.lock?');
    const packages = categories(lock).flatMap((category) =>
      Object.entries(category).map(([name, held]) => {
        const version = textAt(held, 'version')?.replace(/^===?/, '') ?? null;
        return [normalize(name), version] as const;
      }),
    );
    const needs = categories(manifest).flatMap((category) => Object.keys(category).map(normalize));
    const project = lock === undefined ? undefined : readProject(files, '');
    return withDirect(packages, new Set([...needs, ...(project?.needs ?? [])]));
  },
};

// Poetry: poetry.lock (all versions of its format), pyproject.toml with [tool.poetry] or [project].
import { broken, readToml } from '../parts/documents.ts';
import { at } from '../parts/values.ts';
import type { Reader } from '../reader.ts';
import { PYPROJECT, readProject } from './parts/pyproject.ts';
import { packagesIn, withDirect, withoutArchives } from './parts/python-lock.ts';

const LOCK = 'poetry.lock';

export const poetry: Reader = {
  id: 'poetry',
  title: 'Poetry',
  ecosystems: ['pypi'],
  files: [
    { file: LOCK, reads: 'versions and indirect dependencies' },
    { file: PYPROJECT, reads: 'direct dependencies of all groups and extras' },
  ],
  read: (files) => {
    const lock = readToml(files, LOCK, withoutArchives);
    if (lock === undefined) return undefined;
    if (at(lock, 'metadata') === undefined) throw broken(LOCK, 'ends before its [metadata]: not wholly written?');
    return withDirect(packagesIn(lock, 'package'), readProject(files, '')?.needs ?? []);
  },
};

// The lockfile of PEP 751: pylock.toml and pylock.NAME.toml, whichever tool wrote them.
import { broken, readToml } from '../parts/documents.ts';
import { at } from '../parts/values.ts';
import type { Reader } from '../reader.ts';
import { PYPROJECT, readProject } from './parts/pyproject.ts';
import { packagesIn, withDirect, withoutArchives } from './parts/python-lock.ts';
import { readRequirements } from './requirements.ts';

const LOCK = /^pylock(\.[^.]+)?\.toml$/;

export const pylock: Reader = {
  id: 'pylock',
  title: 'pylock.toml',
  ecosystems: ['pypi'],
  files: [
    { file: 'pylock.toml, pylock.*.toml', reads: 'versions and indirect dependencies' },
    { file: PYPROJECT, reads: 'direct dependencies; without it those of `requirements*.txt`' },
  ],
  read: (files) => {
    const locks = files.names('').filter((name) => LOCK.test(name));
    if (locks.length === 0) return undefined;
    const packages = locks.flatMap((name) => {
      const lock = readToml(files, name, withoutArchives);
      // Gone since it was listed.
      if (lock === undefined) return [];
      if (at(lock, 'lock-version') === undefined) throw broken(name, 'has no `lock-version`: not wholly written?');
      return packagesIn(lock, 'packages');
    });
    // The file says nothing of who wanted what: `dependencies` in it are optional.
    const project = readProject(files, '');
    const listed = () =>
      readRequirements(files)
        .filter(({ direct }) => direct)
        .map(({ name }) => name);
    return withDirect(packages, project?.needs ?? new Set(listed()));
  },
};

// A Python project without a lockfile: what its manifests name.
import { expand } from './parts/paths.ts';
import { PYPROJECT, readProject, readSetup, SETUP } from './parts/pyproject.ts';
import { createTally } from './parts/tally.ts';
import type { Reader } from './reader.ts';

/** Their readers know more. */
const LOCKS = /^(?:uv\.lock|poetry\.lock|pdm\.lock|pylock(?:\.[^.]+)?\.toml)$/;

export const pyproject: Reader = {
  id: 'pyproject',
  title: 'pyproject.toml',
  ecosystems: ['pypi'],
  files: [
    {
      file: PYPROJECT,
      reads: 'direct dependencies of the project and of uv workspace members, where no lockfile lies beside it',
    },
    { file: SETUP, reads: '`install_requires` and extras' },
  ],
  read: (files) => {
    const isLocked = files.names('').some((name) => LOCKS.test(name));
    const project = isLocked ? undefined : readProject(files, '');
    const setup = readSetup(files, '');
    if (project === undefined && setup === undefined) return undefined;
    const tally = createTally('pypi');
    for (const name of [...(project?.needs ?? []), ...(setup ?? [])]) tally.direct(name, '');
    for (const folder of expand(files, project?.members ?? [], { exclude: project?.exclude ?? [] })) {
      for (const name of readProject(files, folder)?.needs ?? []) tally.direct(name, folder);
    }
    return tally.list();
  },
};

// A Python project without a lockfile: what its manifests name.
import { expand } from '../parts/paths.ts';
import { createTally, groupBy } from '../parts/tally.ts';
import type { Reader } from '../reader.ts';
import { PYPROJECT, readProject, readSetup, SETUP } from './parts/pyproject.ts';
import { isPythonLocked } from './parts/python-lock.ts';
import { readRequirements } from './requirements.ts';

export const pyproject: Reader = {
  id: 'pyproject',
  title: 'pyproject.toml',
  ecosystems: ['pypi'],
  files: [
    {
      file: PYPROJECT,
      reads:
        'direct dependencies of the project and of uv workspace members, where no lockfile lies beside it; versions where `requirements*.txt` pins them',
    },
    { file: SETUP, reads: '`install_requires` and extras' },
  ],
  read: (files) => {
    if (isPythonLocked(files)) return undefined;
    const project = readProject(files, '');
    const setup = readSetup(files, '');
    if (project === undefined && setup === undefined) return undefined;
    const listed = groupBy(readRequirements(files), ({ name }) => name);
    const pinned = (name: string) => (listed.get(name) ?? []).flatMap(({ version }) => version ?? []);
    const tally = createTally('pypi');
    for (const name of [...(project?.needs ?? []), ...(setup ?? [])]) tally.direct(name, '', pinned(name));
    for (const folder of expand(files, project?.members ?? [], { exclude: project?.exclude ?? [] })) {
      for (const name of readProject(files, folder)?.needs ?? []) tally.direct(name, folder);
    }
    return tally.list();
  },
};

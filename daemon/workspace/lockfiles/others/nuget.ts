// .NET: packages.lock.json (version 1 and 2) beside each project, the projects of a solution, packages.config.
import { posix } from 'node:path';
import { broken, readJson, readXml } from '../parts/documents.ts';
import { inFolder } from '../parts/paths.ts';
import { createTally, type Tally } from '../parts/tally.ts';
import { at, isTable, tableAt, textAt } from '../parts/values.ts';
import type { Files, Reader } from '../reader.ts';
import { projectNeeds, projectsOf } from './parts/msbuild.ts';
import { attribute, elements, outermost } from './parts/xml.ts';

const LOCK = 'packages.lock.json';
const CONFIG = 'packages.config';
const SHARED = 'Directory.Build.props';

interface Held {
  readonly name: string;
  readonly version: string | null;
  readonly isDirect: boolean;
}

/** Packages of a lock over all frameworks, by name in lower case: NuGet's names do not differ by case. */
const readLock = (files: Files, folder: string): readonly Held[] | undefined => {
  const path = inFolder(folder, LOCK);
  const lock = readJson(files, path);
  if (lock === undefined) return undefined;
  if (!isTable(at(lock, 'dependencies'))) throw broken(path, 'has no table `dependencies`.');
  return Object.keys(tableAt(lock, 'dependencies')).flatMap((framework) =>
    Object.entries(tableAt(lock, 'dependencies', framework)).flatMap(([name, held]) => {
      const type = textAt(held, 'type');
      return type === 'Project'
        ? []
        : [{ name, version: textAt(held, 'resolved') ?? null, isDirect: type === 'Direct' }];
    }),
  );
};

/** packages.config of older projects: exact versions, and nothing says which are direct. */
const readConfig = (files: Files, folder: string): readonly Held[] =>
  elements(outermost(readXml(files, inFolder(folder, CONFIG)), 'packages'), 'package').flatMap((element) => {
    const name = attribute(element, 'id');
    return name === undefined ? [] : [{ name, version: attribute(element, 'version') ?? null, isDirect: true }];
  });

const tallyFolder = (tally: Tally, files: Files, folder: string, needs: readonly string[]): void => {
  const lock = readLock(files, folder);
  const held = [...(lock ?? []), ...readConfig(files, folder)];
  const known = new Set(held.map(({ name }) => name.toLowerCase()));
  for (const { name, version, isDirect } of held) {
    if (isDirect) tally.direct(name, folder, [version]);
    else tally.locked(name, version);
  }
  // What the project names since it was locked, or all of it where there is no lock.
  for (const name of needs) {
    if (!known.has(name.toLowerCase())) tally.direct(name, folder);
  }
};

export const nuget: Reader = {
  id: 'nuget',
  title: 'NuGet',
  ecosystems: ['nuget'],
  files: [
    { file: LOCK, reads: 'direct and indirect dependencies with versions, of each project' },
    { file: '*.sln, *.slnx', reads: 'projects of the solution' },
    { file: '*.csproj, *.fsproj, *.vbproj', reads: 'direct dependencies (`PackageReference`)' },
    { file: SHARED, reads: 'direct dependencies of all projects' },
    { file: CONFIG, reads: 'dependencies with versions' },
  ],
  read: (files) => {
    const projects = projectsOf(files);
    const names = files.names('');
    if (projects.length === 0 && !names.includes(LOCK) && !names.includes(CONFIG)) return undefined;
    const shared = names.includes(SHARED) ? projectNeeds(files, SHARED) : [];
    const tally = createTally('nuget');
    for (const project of projects) {
      const folder = posix.dirname(project) === '.' ? '' : posix.dirname(project);
      tallyFolder(tally, files, folder, [...projectNeeds(files, project), ...shared]);
    }
    if (projects.length === 0) tallyFolder(tally, files, '', shared);
    return tally.list();
  },
};

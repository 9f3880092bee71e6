// Projects of .NET: which a solution or the root has, and which packages one names.

import { readText, readXml } from '../../parts/documents.ts';
import { below, MOST_MEMBERS } from '../../parts/paths.ts';
import type { Files } from '../../reader.ts';
import { attribute, elements, outermost } from './xml.ts';

const PROJECT = /\.(?:cs|fs|vb)proj$/i;

/** `Project("{…}") = "Name", "src\Name\Name.csproj", "{…}"` of a .sln, `<Project Path="…">` of a .slnx at any depth. */
const projectsIn = (files: Files, solution: string): readonly string[] => {
  if (solution.endsWith('.slnx')) {
    const root = outermost(readXml(files, solution), 'Solution');
    const inFolders = elements(root, 'Folder', 'Project');
    return [...elements(root, 'Project'), ...inFolders].flatMap((element) => attribute(element, 'Path') ?? []);
  }
  const lines = (readText(files, solution) ?? '').split('\n');
  return lines.flatMap((line) => /^Project\("[^"]*"\)\s*=\s*"[^"]*",\s*"([^"]+)"/.exec(line)?.[1] ?? []);
};

/** Paths of the projects in the root and of those that its solutions name, once each. */
export const projectsOf = (files: Files): readonly string[] => {
  const names = files.names('');
  const named = names.filter((name) => /\.slnx?$/i.test(name)).flatMap((solution) => projectsIn(files, solution));
  const paths = [...names, ...named].filter((path) => PROJECT.test(path)).map((path) => below('', path));
  return [...new Set(paths.filter((path) => path !== undefined))].slice(0, MOST_MEMBERS);
};

/** Names of `PackageReference`, those under a condition too. @throws Error naming file and line */
export const projectNeeds = (files: Files, path: string): readonly string[] => {
  const root = outermost(readXml(files, path), 'Project');
  const groups = [...elements(root, 'ItemGroup'), ...elements(root, 'Choose', 'When', 'ItemGroup')];
  return groups.flatMap((group) =>
    elements(group, 'PackageReference').flatMap((reference) => {
      const name = attribute(reference, 'Include');
      return name === undefined || name.includes('$(') ? [] : name.split(';').map((part) => part.trim());
    }),
  );
};

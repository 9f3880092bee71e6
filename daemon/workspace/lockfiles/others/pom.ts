// Maven: pom.xml of the root and of its modules. Maven has no lockfile; what a module names itself is what it gets.
import { posix } from 'node:path';
import type { XmlElement } from '@rgrove/parse-xml';
import { readXml } from '../parts/documents.ts';
import { below, inFolder, MOST_MEMBERS } from '../parts/paths.ts';
import { createTally } from '../parts/tally.ts';
import type { Files, Reader } from '../reader.ts';
import { children, elements, outermost, textIn } from './parts/xml.ts';

const POM = 'pom.xml';
/** More parents, one above the other, are not looked at. */
const DEEPEST = 20;

interface Module {
  readonly folder: string;
  readonly pom: XmlElement;
  /** Own and those of parents inside the root; own ones win. */
  readonly properties: ReadonlyMap<string, string>;
}

const readPom = (files: Files, path: string) => outermost(readXml(files, path), 'project');

/** Modules may name their file; otherwise it is pom.xml in their folder. */
const pomPath = (folder: string, name: string): string | undefined => {
  const path = below(folder, name);
  return path === undefined || path.endsWith('.xml') ? path : inFolder(path, POM);
};

const folderOf = (path: string): string => (posix.dirname(path) === '.' ? '' : posix.dirname(path));

const propertiesOf = (files: Files, path: string, pom: XmlElement, depth = 0): ReadonlyMap<string, string> => {
  const [parent] = elements(pom, 'parent');
  const relative = elements(parent, 'relativePath').length > 0 ? textIn(parent, 'relativePath') : '../pom.xml';
  // An empty relativePath means: not from here.
  const above = relative === undefined || parent === undefined ? undefined : pomPath(folderOf(path), relative);
  const abovePom = above === undefined || depth >= DEEPEST ? undefined : readPom(files, above);
  const found = new Map(above && abovePom ? propertiesOf(files, above, abovePom, depth + 1) : []);
  for (const group of elements(pom, 'properties')) {
    for (const { name, text } of children(group)) found.set(name, text.trim());
  }
  const own = {
    groupId: textIn(pom, 'groupId') ?? textIn(parent, 'groupId'),
    version: textIn(pom, 'version') ?? textIn(parent, 'version'),
  };
  for (const [key, value] of Object.entries(own)) if (value !== undefined) found.set(`project.${key}`, value);
  for (const key of ['groupId', 'version']) {
    const value = textIn(parent, key);
    if (value !== undefined) found.set(`project.parent.${key}`, value);
  }
  return found;
};

/** With properties put in; undefined where one is not known here. */
const filled = (text: string | undefined, properties: ReadonlyMap<string, string>): string | undefined => {
  let value = text;
  for (let depth = 0; value?.includes('${'); depth++) {
    if (depth >= 5 || value.length > 1_000) return undefined;
    value = value.replace(/\$\{([^{}]+)\}/g, (whole, key: string) => properties.get(key) ?? whole);
  }
  return value;
};

const modulesOf = (files: Files): readonly Module[] => {
  const queue = [POM];
  const asked = new Set<string>();
  const modules: Module[] = [];
  for (const path of queue) {
    if (asked.has(path) || asked.size >= MOST_MEMBERS) continue;
    asked.add(path);
    const pom = readPom(files, path);
    if (pom === undefined) continue;
    const folder = folderOf(path);
    modules.push({ folder, pom, properties: propertiesOf(files, path, pom) });
    for (const part of [pom, ...elements(pom, 'profiles', 'profile')]) {
      const names = [...elements(part, 'modules', 'module'), ...elements(part, 'subprojects', 'subproject')];
      for (const { text } of names) {
        const there = pomPath(folder, text.trim());
        if (there !== undefined) queue.push(there);
      }
    }
  }
  return modules;
};

export const pom: Reader = {
  id: 'maven',
  title: 'Maven',
  ecosystems: ['maven'],
  files: [
    { file: POM, reads: 'direct dependencies of the root and of each module; versions only as written beside them' },
  ],
  read: (files) => {
    const modules = modulesOf(files);
    if (modules.length === 0) return undefined;
    const tally = createTally('maven');
    for (const { folder, pom: module, properties } of modules) {
      for (const part of [module, ...elements(module, 'profiles', 'profile')]) {
        for (const dependency of elements(part, 'dependencies', 'dependency')) {
          const group = filled(textIn(dependency, 'groupId'), properties);
          const artifact = filled(textIn(dependency, 'artifactId'), properties);
          const version = filled(textIn(dependency, 'version'), properties);
          // The nearest wins: a version here is what is used, unless it is a range.
          const isExact = version !== undefined && !/[[(,]/.test(version);
          if (group && artifact) tally.direct(`${group}:${artifact}`, folder, [isExact ? version : null]);
        }
      }
    }
    return tally.list();
  },
};

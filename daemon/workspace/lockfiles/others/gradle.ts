// Gradle: gradle.lockfile beside each build file, and what build files and the version catalog name.
import { broken, readText } from '../parts/documents.ts';
import { inFolder } from '../parts/paths.ts';
import { createTally, versionsOf } from '../parts/tally.ts';
import type { Files, Reader } from '../reader.ts';
import { buildNeeds, projectFolders, readCatalog } from './parts/gradle-build.ts';

const LOCK = 'gradle.lockfile';
const BUILD = 'build.gradle';

/** `group:artifact:version=configurations` a line. @throws Error naming file and line of anything else */
const readLock = (files: Files, folder: string): readonly (readonly [name: string, version: string])[] => {
  const path = inFolder(folder, LOCK);
  const lines = readText(files, path)?.split('\n') ?? [];
  return lines.flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line) || line.startsWith('empty=')) return [];
    const [, group, artifact, version] = /^([^:=\s]+):([^:=\s]+):([^:=\s]+)=/.exec(line) ?? [];
    if (version === undefined) throw broken(path, 'is no `group:artifact:version=…`.', { line: index + 1 });
    return [[`${group}:${artifact}`, version] as const];
  });
};

export const gradle: Reader = {
  id: 'gradle',
  title: 'Gradle',
  ecosystems: ['maven'],
  files: [
    { file: LOCK, reads: 'versions and indirect dependencies of each project' },
    { file: 'build.gradle, build.gradle.kts', reads: 'direct dependencies written as plain text or through `libs`' },
    { file: 'gradle/libs.versions.toml', reads: 'what `libs` and its bundles mean' },
    { file: 'settings.gradle, settings.gradle.kts', reads: 'projects' },
  ],
  read: (files) => {
    const folders = projectFolders(files);
    const catalog = readCatalog(files);
    const tally = createTally('maven');
    let isThere = folders !== undefined;
    for (const folder of folders ?? ['']) {
      const locked = readLock(files, folder);
      const versions = versionsOf(locked);
      const needs = buildNeeds(files, inFolder(folder, BUILD), catalog);
      isThere ||= needs !== undefined || locked.length > 0;
      for (const name of needs ?? []) tally.direct(name, folder, versions.get(name));
      for (const [name, version] of locked) tally.locked(name, version);
    }
    return isThere ? tally.list() : undefined;
  },
};

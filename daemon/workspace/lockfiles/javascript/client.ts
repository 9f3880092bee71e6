// A reader for one of npm's clients, made of what tells them apart: the syntax of the lockfile.
import type { Files, FileUse, Reader } from '../reader.ts';
import { dependenciesOf, type Lock } from './lock.ts';
import { lockOf, type Manager } from './manager.ts';
import { EMPTY, type Manifest, manifestIn } from './manifest.ts';
import { foldersOf } from './pattern.ts';

export interface Client {
  readonly manager: Manager;
  readonly title: string;
  readonly files: readonly FileUse[];
  /** @param file its name, for messages. @throws Error naming the file and the place */
  parse(file: string, text: string): Lock;
}

/** The manifests of the members that the root's patterns name. */
export const memberManifests = (files: Files, patterns: readonly string[]): ReadonlyMap<string, Manifest> =>
  new Map(
    foldersOf(files, patterns, ['package.json']).map((folder) => [folder, manifestIn(files, folder) ?? EMPTY] as const),
  );

/**
 * The root's own package.json says what is direct there; the copies in the lockfile say it of the members, so that a
 * hundred of them need no file more. Only where the lockfile keeps no copies are the members' manifests read.
 */
export const readerOf = ({ manager, title, files: used, parse }: Client): Reader => ({
  id: manager,
  title,
  ecosystems: ['npm', 'jsr'],
  files: [{ file: 'package.json', reads: 'direct dependencies, workspaces, packageManager' }, ...used],
  read: (files) => {
    const chosen = lockOf(files, manager);
    if (chosen === undefined) return undefined;
    const lock = parse(chosen.file, chosen.text);
    const root = manifestIn(files, '');
    const members = lock.members ?? memberManifests(files, root?.workspaces ?? []);
    return dependenciesOf(new Map([...members, ['', root ?? members.get('') ?? EMPTY]]), lock);
  },
});

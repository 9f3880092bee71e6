// A reader for one of npm's clients, made of what tells them apart: the syntax of the lockfile.
import type { Files, FileUse, Reader } from '../../reader.ts';
import { dependenciesOf, type Lock } from './lock.ts';
import { lockOf, type Manager } from './manager.ts';
import { EMPTY, type Manifest, manifestIn } from './manifest.ts';
import { isLocal } from './package.ts';
import { foldersOf } from './pattern.ts';

export interface Client {
  readonly manager: Manager;
  readonly title: string;
  readonly files: readonly FileUse[];
  /** Its syntax has no end: a file that lost its last part may still parse. */
  readonly isOpenEnded?: boolean;
  /** @param file its name, for messages. @throws Error naming the file and the place */
  parse(file: string, text: string): Lock;
}

/** The manifests of the members that the root's patterns name. */
export const memberManifests = (files: Files, patterns: readonly string[]): ReadonlyMap<string, Manifest> =>
  new Map(
    foldersOf(files, patterns, ['package.json']).map((folder) => [folder, manifestIn(files, folder) ?? EMPTY] as const),
  );

/** Managers end such a file with a line break; without it, and with something missing, it was cut off. */
const isCutOff = (text: string, manifests: ReadonlyMap<string, Manifest>, lock: Lock): boolean =>
  text !== '' &&
  !text.endsWith('\n') &&
  [...manifests].some(([member, { wanted }]) =>
    [...wanted].some(([name, range]) => !isLocal(range) && lock.resolve(member, name, range) === undefined),
  );

/**
 * The root's own package.json says what is direct there; the copies in the lockfile say it of the members, so that a
 * hundred of them need no file more. Only where the lockfile keeps no copies are the members' manifests read.
 */
export const readerOf = ({ manager, title, files: used, isOpenEnded, parse }: Client): Reader => ({
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
    const manifests = new Map([...members, ['', root ?? members.get('') ?? EMPTY]]);
    if (isOpenEnded === true && isCutOff(chosen.text, manifests, lock))
      throw new Error(`${chosen.file} lacks its end: dependencies of package.json are missing in it.`);
    return dependenciesOf(manifests, lock);
  },
});

// The files of a workspace root for readers of lockfiles: written in the test, or in a folder of the repository.
import { join } from 'node:path';
import type { Dependency } from '../../daemon/workspace/dependency.ts';
import type { Files, Reader } from '../../daemon/workspace/lockfiles/reader.ts';
import { filesOf } from '../../daemon/workspace/survey/disk.ts';
import { ROOT } from './program.ts';

export interface TextFiles extends Files {
  /** Paths that were asked for, in any way. */
  readonly asked: Set<string>;
}

/** By path: `{ 'Cargo.toml': '…', 'crates/a/Cargo.toml': '…' }`. */
export const textFiles = (texts: Readonly<Record<string, string>>): TextFiles => {
  const paths = Object.keys(texts);
  const asked = new Set<string>();
  const inside = (folder: string) => (folder === '' ? '' : `${folder}/`);
  return {
    asked,
    text: (path) => {
      asked.add(path);
      return Object.hasOwn(texts, path) ? texts[path] : undefined;
    },
    names: (folder) => {
      asked.add(folder);
      const within = paths.filter((path) => path.startsWith(inside(folder)));
      return [...new Set(within.map((path) => path.slice(inside(folder).length).split('/')[0] ?? ''))].sort();
    },
    isFolder: (path) => {
      asked.add(path);
      return paths.some((other) => other.startsWith(`${path}/`));
    },
  };
};

/** Of a folder of the repository, as metad sees it. */
export const folderFiles = (path: string): Files => filesOf(join(ROOT, path));

/** `name version` of each dependency, direct ones with `@member`, indirect ones in brackets and first, sorted whatever the case. */
export const brief = (found: readonly Dependency[] | undefined): readonly string[] | undefined =>
  found
    ?.map(({ name, version, direct, member }) => {
      const text = `${name} ${version ?? '?'}`;
      return direct ? `${text}${member === '' ? '' : ` @${member}`}` : `[${text}]`;
    })
    .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));

/** What a reader makes of texts, in brief. */
export const readBrief = (reader: Reader, texts: Readonly<Record<string, string>>): readonly string[] | undefined =>
  brief(reader.read(textFiles(texts)));

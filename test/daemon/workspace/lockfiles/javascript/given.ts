// Roots for the readers: those kept as data, and small ones made of texts.
import { join } from 'node:path';
import type { Dependency } from '../../../../../daemon/workspace/dependency.ts';
import { JAVASCRIPT } from '../../../../../daemon/workspace/lockfiles/javascript/readers.ts';
import type { Files } from '../../../../../daemon/workspace/lockfiles/reader.ts';
import { filesOf } from '../../../../../daemon/workspace/survey/disk.ts';
import { ROOT } from '../../../../helpers/program.ts';

export const golden = (path: string): Files => filesOf(join(ROOT, 'test/golden/lockfiles/javascript', path));

/** Files of these texts; `asked` gathers what was looked at. */
export const given = (texts: Readonly<Record<string, string>>): Files & { readonly asked: Set<string> } => {
  const asked = new Set<string>();
  const note = <T>(path: string, value: T): T => {
    asked.add(path);
    return value;
  };
  const paths = Object.keys(texts);
  const below = (folder: string): readonly string[] =>
    paths
      .filter((path) => folder === '' || path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder === '' ? 0 : folder.length + 1));
  return {
    asked,
    text: (path) => note(path, Object.hasOwn(texts, path) ? texts[path] : undefined),
    names: (folder) => note(folder, [...new Set(below(folder).map((path) => path.split('/')[0] ?? ''))].sort()),
    isFolder: (path) => note(path, below(path).length > 0),
  };
};

/** Each reader that has something at this root, with it as lines: `member > name version`, `+ name version` if indirect. */
export const read = (files: Files): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    JAVASCRIPT.flatMap((reader) => {
      const found = reader.read(files);
      return found === undefined ? [] : [[reader.id, found.map(line)] as const];
    }),
  );

const line = ({ ecosystem, name, version, direct, member }: Dependency): string =>
  `${direct ? `${member}>` : '+'} ${ecosystem}:${name} ${version ?? '?'}`;

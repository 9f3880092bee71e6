// A definition as its file wrote it, put in its place: the folder it runs in, and variables that only its agent knows. Pure.
import { basename, join } from 'node:path';
import { frozen } from '../../../schema/config/definition.ts';
import type { Definition, StdioReach } from '../../../schema/config.ts';

/** Paths on this machine that begin neither at `/` nor at home nor with a variable. */
const isRelative = (path: string): boolean => !/^(\/|~(\/|$)|\$\{)/.test(path);

/** Whether it names a file beside it, so that the folder matters. `@scope/name` is a package. */
const namesFile = (word: string): boolean =>
  word.includes('/') && isRelative(word) && !word.startsWith('@') && !/^[a-z][a-z0-9+.-]*:\/\//i.test(word);

/**
 * The folder that stands in the definition. A written one is taken from the file's folder. Without one a server of a
 * workspace or session runs in the root anyway: it stays unsaid, so that the same server in the user's own config is the
 * same instance. One that all sessions share runs at home, unless the workspace's file itself shares it or a file beside
 * it is named.
 */
const folderOf = ({ reach, sharing, sharedBy }: Definition, folder: string): string | undefined => {
  if (reach.kind !== 'stdio') return undefined;
  if (reach.cwd !== undefined) return isRelative(reach.cwd) ? join(folder, reach.cwd) : reach.cwd;
  if (sharing !== 'user') return undefined;
  return sharedBy !== 'known' || [reach.command, ...reach.args].some(namesFile) ? folder : undefined;
};

/** Variables of VS Code's and Cursor's in the words of metad's. */
const translated = (text: string, root: string): string =>
  text
    .replaceAll('${userHome}', '${HOME}')
    .replaceAll('${workspaceRoot}', '${workspaceFolder}')
    .replaceAll('${workspaceFolderBasename}', () => basename(root))
    .replace(/\$\{(pathSeparator|\/)\}/g, '/');

const mapped = (definition: Definition, map: (text: string) => string): Definition => {
  const { reach } = definition;
  const values = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]));
  return {
    ...definition,
    reach:
      reach.kind === 'stdio'
        ? {
            ...reach,
            command: map(reach.command),
            args: reach.args.map(map),
            env: values(reach.env),
            ...(reach.cwd === undefined ? {} : { cwd: map(reach.cwd) }),
          }
        : { ...reach, url: map(reach.url), headers: values(reach.headers) },
  };
};

/** @param root the folder in which the file's agent starts servers; frozen like what came in */
export const placed = (definition: Definition, root: string, isEditors: boolean): Definition => {
  const told = isEditors ? mapped(definition, (text) => translated(text, root)) : definition;
  const cwd = folderOf(told, root);
  if (told.reach.kind !== 'stdio' || cwd === undefined) return frozen(told);
  const reach: StdioReach = { ...told.reach, cwd };
  return frozen({ ...told, reach });
};

/** Where it runs for a session of that root: what a person is shown. */
export const shownFolder = ({ reach, sharing }: Definition, root: string): string =>
  reach.kind === 'stdio' && reach.cwd !== undefined ? reach.cwd : sharing === 'user' ? '~' : root;

/** An entry that starts metad for an agent: as a backing server it would offer metad within metad. */
export const isMetad = ({ reach }: Definition): boolean => {
  if (reach.kind !== 'stdio') return false;
  const words = [reach.command, ...reach.args];
  return words.some((word, at) => words[at + 1] === 'shim' && /^metad(@.*)?(\.c?js)?$/.test(basename(word)));
};

// Paths of members, relative to the root with `/`; and which folders the patterns of a workspace mean.
import { posix } from 'node:path';
import type { Files } from '../reader.ts';

/** More members than this are not looked at, nor more folders in search of them: what asks for them is no workspace. */
export const MOST_MEMBERS = 1_000;
/** So deep do `**` patterns look. */
const DEEPEST = 8;
/** What tools put beside sources, often huge: `**` means none of it. */
const PUT_THERE = new Set(['node_modules', 'target', 'vendor', 'build', 'dist']);

/** `path` as seen from the folder `base`, relative to the root (empty: the root); undefined where it lies outside. */
export const below = (base: string, path: string): string | undefined => {
  if (posix.isAbsolute(path) || path.includes('\0')) return undefined;
  const joined = posix.normalize(posix.join(base, path.replaceAll('\\', '/'))).replace(/\/+$/, '');
  if (joined === '.' || joined === '') return '';
  return joined === '..' || joined.startsWith('../') ? undefined : joined;
};

/** The path of a file in a folder of the root. */
export const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Whether a name matches a pattern with `*` and `?`. By hand since a RegExp could be made to run for hours. */
export const matches = (pattern: string, name: string): boolean => {
  let star = -1;
  let mark = 0;
  let p = 0;
  let n = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
};

const isPattern = (segment: string): boolean => /[*?]/.test(segment);

/**
 * The folders of the root that patterns mean: `crates/*`, `apps/**`, `tools/one`. Sorted, without those that `exclude`
 * means too. Whether a manifest lies in one is for whoever reads it. Hidden folders count only when named in full.
 */
export const expand = (
  files: Files,
  patterns: readonly string[],
  options: { base?: string; exclude?: readonly string[] } = {},
): readonly string[] => {
  const { base = '', exclude = [] } = options;
  let left = MOST_MEMBERS;
  const children = (folder: string, isDeep: boolean): string[] => {
    if (left <= 0) return [];
    const isMeant = (name: string) =>
      !name.startsWith('.') && (isDeep ? !PUT_THERE.has(name) : name !== 'node_modules');
    const names = files.names(folder).filter(isMeant);
    left -= 1;
    return names.map((name) => inFolder(folder, name)).filter((path) => left > 0 && files.isFolder(path));
  };
  const tree = (folder: string, depth: number): string[] => [
    folder,
    ...(depth < DEEPEST ? children(folder, true).flatMap((child) => tree(child, depth + 1)) : []),
  ];
  const step = (folders: readonly string[], segment: string): readonly string[] => {
    if (segment === '**') return folders.flatMap((folder) => tree(folder, 0));
    if (!isPattern(segment)) return folders.map((folder) => inFolder(folder, segment));
    return folders.flatMap((folder) =>
      children(folder, false).filter((child) => matches(segment, posix.basename(child))),
    );
  };
  const one = (pattern: string): readonly string[] => {
    const path = below(base, pattern);
    if (path === undefined) return [];
    return path === '' ? [''] : path.split('/').reduce<readonly string[]>(step, ['']);
  };
  const found = new Set(patterns.flatMap(one));
  const excluded = exclude.map((pattern) => below(base, pattern)?.split('/')).filter((path) => path !== undefined);
  const isExcluded = (folder: string): boolean => {
    const names = folder.split('/');
    return excluded.some((path) => path.every((part, at) => part === '**' || matches(part, names[at] ?? '')));
  };
  const kept = [...found].filter((folder) => !isExcluded(folder)).sort();
  return kept.slice(0, MOST_MEMBERS);
};

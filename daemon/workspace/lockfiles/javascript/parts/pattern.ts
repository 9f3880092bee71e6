// The patterns by which package managers name the folders of members: `packages/*`, `apps/**`, `{a,b}/x`, `!packages/old`.
import type { Files } from '../../reader.ts';

/** A tree that needs more is none of members; it ends the search, never the reader. */
const MOST_MEMBERS = 2000;
const MOST_FOLDERS = 5000;
const DEEPEST = 8;

/** `{a,b}/x` → `a/x`, `b/x`. */
const unbraced = (pattern: string): readonly string[] => {
  const [all, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (all === undefined) return [pattern];
  return inside.split(',').flatMap((part) => unbraced(`${before}${part}${after}`));
};

const segmentsOf = (pattern: string): readonly string[] =>
  pattern.split('/').filter((segment) => segment !== '' && segment !== '.');

/** Linear on purpose, so no expression made of a stranger's pattern can run away. */
const fits = (name: string, segment: string): boolean => {
  const parts = segment.split('*');
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return name === segment;
  const last = rest.pop() ?? '';
  if (name.startsWith('.') && !segment.startsWith('.')) return false;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
};

const matches = (path: readonly string[], segments: readonly string[]): boolean => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return path.length === 0;
  if (segment === '**') return path.some((_, at) => matches(path.slice(at), rest)) || matches([], rest);
  const [name, ...below] = path;
  return name !== undefined && fits(name, segment) && matches(below, rest);
};

/**
 * Folders that the patterns name and that hold `manifest` (one of these names), sorted; never the root itself, nothing in
 * node_modules, nothing outside the root. A `!pattern` takes away, wherever it stands.
 */
export const foldersOf = (
  files: Files,
  patterns: readonly string[],
  manifests: readonly string[],
): readonly string[] => {
  const found = new Set<string>();
  let looked = 0;

  const enter = (folder: string, segments: readonly string[], depth: number): void => {
    if (found.size >= MOST_MEMBERS || depth > DEEPEST) return;
    const [segment, ...rest] = segments;
    if (segment === undefined) {
      if (folder !== '' && manifests.some((name) => files.text(`${folder}/${name}`) !== undefined)) found.add(folder);
      return;
    }
    const below = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
    if (!segment.includes('*')) {
      enter(below(segment), rest, depth + 1);
      return;
    }
    if (segment === '**') enter(folder, rest, depth);
    for (const name of files.names(folder)) {
      if (name === 'node_modules' || !fits(name, segment === '**' ? '*' : segment)) continue;
      if (++looked > MOST_FOLDERS) return;
      if (files.isFolder(below(name))) enter(below(name), segment === '**' ? segments : rest, depth + 1);
    }
  };

  const all = patterns.flatMap(unbraced);
  const away = all.filter((pattern) => pattern.startsWith('!')).map((pattern) => segmentsOf(pattern.slice(1)));
  for (const pattern of all) {
    const segments = segmentsOf(pattern);
    if (!pattern.startsWith('!') && !segments.includes('..') && !segments.includes('node_modules'))
      enter('', segments, 0);
  }
  return [...found].filter((folder) => !away.some((segments) => matches(folder.split('/'), segments))).sort();
};

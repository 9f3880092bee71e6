// The files of a workspace root as its readers see them: bounded, each read once, nothing outside the root.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Files } from '../lockfiles/reader.ts';

/** The largest lockfiles in use have about 5 MB. */
const LONGEST_BYTES = 32 * 1024 * 1024;
/** Names of one folder that are looked at. */
const MOST_NAMES = 10_000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error) ?? '');

/** Windows PowerShell writes UTF-16 where others write UTF-8 (`pip freeze > requirements.txt`). A BOM is no text. */
const decoded = (bytes: Buffer): string => {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
};

/** @param root absolute, without links */
export const filesOf = (root: string): Files => {
  const texts = new Map<string, string | undefined>();

  /** Undefined for what leads out of the root: by `..`, or by a link. */
  const placeOf = (path: string): string | undefined => {
    const inside = posix.normalize(path === '' ? '.' : path);
    if (inside.startsWith('..') || posix.isAbsolute(inside)) return undefined;
    const real = realpathSync(join(root, inside));
    return real === root || real.startsWith(root === '/' ? '/' : `${root}/`) ? real : undefined;
  };

  const read = (path: string): string | undefined => {
    try {
      const place = placeOf(path);
      if (place === undefined) return undefined;
      const there = statSync(place);
      if (!there.isFile()) return undefined; // a pipe would be waited for for ever
      if (there.size > LONGEST_BYTES)
        throw new Error(`${path} has ${Math.round(there.size / 2 ** 20)} MiB; metad reads files of up to 32 MiB.`);
      return decoded(readFileSync(place));
    } catch (error) {
      if (isAbsent(error)) return undefined;
      if (codeOf(error) === undefined) throw error;
      throw new Error(`${path} cannot be read (${codeOf(error)}).`);
    }
  };

  return {
    text: (path) => {
      if (!texts.has(path)) texts.set(path, read(path));
      return texts.get(path);
    },
    names: (folder) => {
      try {
        const place = placeOf(folder);
        return place === undefined ? [] : readdirSync(place).sort().slice(0, MOST_NAMES);
      } catch {
        return [];
      }
    },
    isFolder: (path) => {
      try {
        const place = placeOf(path);
        return place !== undefined && statSync(place).isDirectory();
      } catch {
        return false;
      }
    },
  };
};

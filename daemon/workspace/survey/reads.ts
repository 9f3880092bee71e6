// What a reader looked at, in a form that tells later whether it would see the same again.
import { createHash } from 'node:crypto';
import type { Files } from '../lockfiles/reader.ts';

/** `mark` is of what was there: a hash of a text or of names, `there` for a folder; null where there was nothing. */
export interface Read {
  readonly kind: 'text' | 'names' | 'folder';
  readonly path: string;
  readonly mark: string | null;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

export interface Looks {
  /** Whether each of these would be found as it was. */
  isAsBefore(reads: readonly Read[]): boolean;
  /** The same files, and what is asked of them. A file that cannot be read counts as one that was not there. */
  recorded(): { readonly files: Files; readonly reads: () => readonly Read[] };
}

/** Several readers look at the same files: each text is hashed once. @param files that do not change meanwhile */
export const looksAt = (files: Files): Looks => {
  const marks = new Map<string, string>();
  const markOf = (path: string, text: string): string => {
    const mark = marks.get(path) ?? hash(text);
    marks.set(path, mark);
    return mark;
  };

  const look = (kind: Read['kind'], path: string): string | null => {
    if (kind === 'folder') return files.isFolder(path) ? 'there' : null;
    if (kind === 'names') return hash(files.names(path).join('\n'));
    const text = files.text(path);
    return text === undefined ? null : markOf(path, text);
  };

  return {
    isAsBefore: (reads) =>
      reads.every(({ kind, path, mark }) => {
        try {
          return look(kind, path) === mark;
        } catch {
          return false; // it cannot be read any more: whoever reads says so
        }
      }),
    recorded: () => {
      const reads = new Map<string, Read>();
      const note = (kind: Read['kind'], path: string, mark: string | null): void => {
        reads.set(`${kind} ${path}`, { kind, path, mark });
      };
      return {
        reads: () => [...reads.values()],
        files: {
          text: (path) => {
            note('text', path, null);
            const text = files.text(path);
            if (text !== undefined) note('text', path, markOf(path, text));
            return text;
          },
          names: (folder) => {
            const names = files.names(folder);
            note('names', folder, hash(names.join('\n')));
            return names;
          },
          isFolder: (path) => {
            const isThere = files.isFolder(path);
            note('folder', path, isThere ? 'there' : null);
            return isThere;
          },
        },
      };
    },
  };
};

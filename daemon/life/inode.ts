// Which file stands at a path now. A file that a process holds keeps its inode number: nobody can take it over.
import { lstatSync } from 'node:fs';

/** A path and the inode that its holder made or took there. */
export interface Owned {
  readonly path: string;
  readonly inode: bigint;
}

export const isMissing = (error: unknown): boolean => {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
};

/** undefined where nothing is. Never opens the file: closing it would drop this process's locks on it. */
export const statusOf = (path: string) => {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

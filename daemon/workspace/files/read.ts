// The bytes of a workspace's files, each read once and never from outside of the workspace.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Problem } from '../../../schema/config/problem.ts';
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { FILE_KINDS, type FileKind } from './kinds.ts';

/** Bytes of one file; more is no list of servers, and reading it holds up the daemon. */
export const FILE_LIMIT = 64 * 1024;

export interface FoundFile {
  readonly kind: FileKind;
  /** Absolute, as a person names it: links are not resolved. */
  readonly file: string;
  /** What was read, or why nothing was. */
  readonly found: Uint8Array | Problem;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | undefined)?.code;

const refused = (message: string): MetadError => new MetadError('refused', message);

const allOf = async (handle: FileHandle, size: number): Promise<Uint8Array> => {
  // One byte more than it said: a file that grows meanwhile is noticed.
  const bytes = Buffer.alloc(size + 1);
  let used = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, used, bytes.length - used, used);
    if (bytesRead === 0) return bytes.subarray(0, used);
    used += bytesRead;
    if (used > size) throw refused('it is being written at this moment');
  }
};

/** @throws MetadError `refused`, or what the system says; ENOENT where there is no such file. */
const bytesOf = async (root: string, file: string): Promise<Uint8Array> => {
  const target = await realpath(file);
  if (!target.startsWith(root === sep ? sep : `${root}${sep}`)) throw refused(`it leads out of ${root}, to ${target}`);
  // Not blocking: opening a named pipe would wait for its writer. No link: the path was resolved a moment ago.
  const handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw refused('it is no plain file');
    if (stat.size > FILE_LIMIT) throw refused(`it has ${stat.size} bytes, and at most ${FILE_LIMIT} are read`);
    // A folder of the path may have become a link since.
    const now = await lstat(target);
    if (now.ino !== stat.ino || now.dev !== stat.dev || (await realpath(file)) !== target)
      throw refused('it is being replaced at this moment');
    return await allOf(handle, stat.size);
  } finally {
    await handle.close();
  }
};

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '');

const reasonOf = (error: unknown): string => {
  const code = codeOf(error);
  if (error instanceof MetadError) return error.message;
  return code === 'EACCES' || code === 'EPERM' ? `you may not read it (${code})` : messageOf(error);
};

const problemOf = (file: string, error: unknown): Problem => ({
  ...{ severity: 'error', file, line: 0, column: 0, path: '' },
  message: `The file is not read: ${reasonOf(error)}.`,
});

/**
 * Reads texts below a root with the same care; undefined where there is none.
 * @param root with links resolved
 */
export const readWithin =
  (root: string) =>
  async (file: string): Promise<string | undefined> => {
    try {
      return new TextDecoder().decode(await bytesOf(root, file));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new Error(`${file} is not read: ${reasonOf(error)}.`);
    }
  };

const isLink = async (file: string): Promise<boolean> =>
  lstat(file).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );

/**
 * The files of a root that may declare servers, those that are there, in the order in which they count. Nothing but these
 * bytes is looked at. A link that leads out of the root, anything but a plain file and more than `FILE_LIMIT` bytes are
 * problems. Never rejects.
 * @param root with links resolved
 */
export const readWorkspaceFiles = async (root: string): Promise<readonly FoundFile[]> => {
  const all = FILE_KINDS.map(async (kind): Promise<FoundFile | undefined> => {
    const file = join(root, kind.path);
    try {
      return { kind, file, found: await bytesOf(root, file) };
    } catch (error) {
      if (!isMissing(error)) return { kind, file, found: problemOf(file, error) };
      if (await isLink(file)) return { kind, file, found: problemOf(file, refused('it is a link that leads nowhere')) };
      return undefined;
    }
  });
  return (await Promise.all(all)).filter((file) => file !== undefined);
};

// A file of a person's changed as a whole: what was read is what is replaced, or nothing is.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MetadError, messageOf } from '../schema/errors.ts';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const textOf = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw new MetadError('unavailable', `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
};

const sameAs = async (file: string, text: string): Promise<boolean> => (await textOf(file)) === text;

/** Times that a file which others write too is read again. */
const TRIES = 5;

/**
 * Replaces a file by renaming: nobody ever reads half of it. Its mode stays, a link stays a link, folders are made.
 * @param change of the text (empty where there is no file) to the new one; undefined: leave it
 * @returns whether it was changed
 * @throws MetadError `unavailable` where it cannot be read or written, `refused` where others keep writing it
 */
export const editFile = async (file: string, change: (text: string) => string | undefined): Promise<boolean> => {
  const target = await realpath(file).catch(() => file);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = await textOf(target);
    const after = change(before);
    if (after === undefined || after === before) return false;
    const draft = join(dirname(target), `.${randomUUID()}.metad`);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const mode = await stat(target).then(
        (found) => found.mode & 0o777,
        () => 0o600,
      );
      await writeFile(draft, after, { mode, flag: 'wx' });
      if (!(await sameAs(target, before))) continue; // somebody else wrote it meanwhile
      await rename(draft, target);
      return true;
    } catch (error) {
      if (error instanceof MetadError) throw error;
      throw new MetadError('unavailable', `${target} cannot be written: ${messageOf(error)}.`, { cause: error });
    } finally {
      await rm(draft, { force: true });
    }
  }
  throw new MetadError('refused', `${target} is being written by something else: nothing was changed. Try again.`);
};

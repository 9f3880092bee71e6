// A file of a person's changed as a whole: what was read is what is replaced, or nothing is.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { MetadError, messageOf } from '../schema/errors.ts';

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Empty where there is no file. Other encodings are refused: what is no UTF-8 would not come back as it was. */
const textOf = async (file: string): Promise<string> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return Buffer.alloc(0);
    throw new MetadError('unavailable', `${file} cannot be read: ${messageOf(error)}.`, { cause: error });
  });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MetadError('bad-request', `Nothing was changed: ${file} is not valid UTF-8. Save it as UTF-8.`);
  }
};

/** More links in a row are a circle. */
const LINKS = 20;

/** The file itself behind links, also where it is not there yet. */
const targetOf = async (file: string, links = 0): Promise<string> => {
  const there = await realpath(file).catch(() => undefined);
  if (there !== undefined) return there;
  const next = await readlink(file).catch(() => undefined);
  return next === undefined || links === LINKS ? file : targetOf(resolve(dirname(file), next), links + 1);
};

/** Whoever wrote a workspace may not say which file of the person's is changed. */
const checkWithin = async (root: string, file: string, target: string): Promise<void> => {
  const folder = await realpath(dirname(target)).catch(() => dirname(target));
  if (folder !== root && !folder.startsWith(`${root}/`))
    throw new MetadError('refused', `Nothing was changed: ${file} is a link out of the workspace, to ${target}.`);
};

const sameAs = async (file: string, text: string): Promise<boolean> => (await textOf(file)) === text;

/** Times that a file which others write too is read again. */
const TRIES = 5;

/**
 * Replaces a file by renaming: nobody ever reads half of it. Its mode stays, a link stays a link, folders are made.
 * @param change of the text (empty where there is no file) to the new one; undefined: leave it
 * @param within a folder, links resolved, that the file must not lead out of
 * @returns whether it was changed
 * @throws MetadError `unavailable` where it cannot be read or written, `bad-request` where it is no UTF-8, `refused` where
 * it leads out of `within` or others keep writing it
 */
export const editFile = async (
  file: string,
  change: (text: string) => string | undefined,
  within?: string,
): Promise<boolean> => {
  const target = await targetOf(file);
  if (within !== undefined) await checkWithin(within, file, target);
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
      await writeFile(draft, after, { mode: 0o600, flag: 'wx' });
      await chmod(draft, mode); // whatever the umask is
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

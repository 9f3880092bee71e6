// A temporary folder that is gone when its scope ends.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestFolder extends AsyncDisposable {
  /** Without links in it. */
  readonly path: string;
  /** A path inside. */
  at(...parts: string[]): string;
}

export const testFolder = async (): Promise<TestFolder> => {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'metad-test-')));
  return {
    path,
    at: (...parts) => join(path, ...parts),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
};

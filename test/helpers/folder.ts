// A folder of a test's own, gone with it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestFolder extends Disposable, AsyncDisposable {
  /** Without links in it. */
  readonly path: string;
  /** A path inside. */
  at(...parts: string[]): string;
}

export const testFolder = (): TestFolder => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'metad-test-')));
  const remove = () => rmSync(path, { recursive: true, force: true });
  return {
    path,
    at: (...parts) => join(path, ...parts),
    [Symbol.dispose]: remove,
    [Symbol.asyncDispose]: async () => remove(),
  };
};

// A folder of a test's own, gone with it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Folder extends Disposable {
  readonly path: string;
}

export const testFolder = (): Folder => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'metad-test-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

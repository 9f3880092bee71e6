// Other versions of the built program: a copy of dist/ that calls itself otherwise.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../schema/wire.ts';
import { programPath, ROOT } from './program.ts';

/** The `metad` of that version, below `folder`. */
export const versionAt = (folder: string, version: string): string => {
  programPath();
  const root = join(folder, `metad-${version}`);
  const dist = join(root, 'dist');
  cpSync(join(ROOT, 'dist'), dist, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  let count = 0;
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (!/\.c?js$/.test(name)) continue;
    const path = join(dist, name);
    const text = readFileSync(path, 'utf8');
    const other = text.replaceAll(`"${VERSION}"`, JSON.stringify(version));
    if (other === text) continue;
    writeFileSync(path, other);
    count += 1;
  }
  if (count < 2) throw new Error(`the version ${VERSION} stands in ${count} files of dist/ only`);
  return join(dist, 'metad.cjs');
};

// Bun's lockfile: JSON with trailing commas, the workspaces' manifests in it. The older bun.lockb is binary and not read.

import type { Reader } from '../reader.ts';
import { readerOf } from './parts/client.ts';
import type { Lock } from './parts/lock.ts';
import { type Manifest, manifestOf } from './parts/manifest.ts';
import { type Package, splitAt, versionIn } from './parts/package.ts';
import { jsonc } from './parts/syntax.ts';
import { entriesOf, fieldOf, isFields } from './parts/value.ts';

const LOCAL = /^(?:workspace|file|link|root):/;

/** The first item of an entry: `ms@2.1.3`, `ui@workspace:packages/ui`, `x@github:o/r#hash`. */
const packageOf = (entry: unknown): (Package & { readonly isLocal: boolean }) | undefined => {
  const first: unknown = Array.isArray(entry) ? entry[0] : undefined;
  const parts = typeof first === 'string' ? splitAt(first) : undefined;
  return parts === undefined
    ? undefined
    : { name: parts.name, version: versionIn(parts.rest), isLocal: LOCAL.test(parts.rest) };
};

export const parseBun = (file: string, text: string): Lock => {
  const lock = jsonc(file, text);
  if (!isFields(lock)) throw new Error(`${file} holds no object.`);
  const packages = fieldOf(lock, 'packages');
  const members = new Map<string, Manifest>();
  for (const [folder, fields] of entriesOf(fieldOf(lock, 'workspaces')))
    if (isFields(fields)) members.set(folder, manifestOf(fields));
  return {
    members,
    held: entriesOf(packages).flatMap(([, entry]) => {
      const found = packageOf(entry);
      return found === undefined || found.isLocal ? [] : [{ name: found.name, version: found.version }];
    }),
    // What only one member got stands under that member's name: `web/react`.
    resolve: (member, name) => {
      const owner = members.get(member)?.name;
      const own = owner === undefined ? undefined : packageOf(fieldOf(packages, `${owner}/${name}`));
      const found = own ?? packageOf(fieldOf(packages, name));
      return found === undefined ? undefined : { name: found.name, version: found.version };
    },
  };
};

export const bun: Reader = readerOf({
  manager: 'bun',
  title: 'Bun',
  files: [{ file: 'bun.lock', reads: 'versions, direct dependencies of each workspace' }],
  parse: parseBun,
});

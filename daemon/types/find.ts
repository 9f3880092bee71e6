// Where the type checker is: TypeScript's native program, installed within metad or beside it.
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export type Found = { readonly program: string } | { readonly missing: string };

/** The first version whose program is native and speaks LSP. */
const LEAST_MAJOR = 7;

/**
 * A package that a package sees: within it, or beside it. Not Node's own search, which goes up to the root and into
 * NODE_PATH: folders that others may write.
 */
const packageSeenFrom = (folder: string, name: string): string | undefined => {
  const above = dirname(folder);
  // A package with a scope lies one deeper.
  const beside = [above, dirname(above)].find((place) => basename(place) === 'node_modules');
  const places = [join(folder, 'node_modules'), ...(beside === undefined ? [] : [beside])];
  for (const place of places) {
    try {
      return realpathSync(join(place, name));
    } catch {
      // not there
    }
  }
  return undefined;
};

const versionOf = (folder: string): string => {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return String(version);
  } catch {
    return 'unknown';
  }
};

/** @param folder metad's own package */
export const findChecker = (folder: string): Found => {
  const typescript = packageSeenFrom(folder, 'typescript');
  if (typescript === undefined) return { missing: 'TypeScript is not installed beside metad' };
  const version = versionOf(typescript);
  if (!(Number.parseInt(version, 10) >= LEAST_MAJOR)) {
    return { missing: `the TypeScript beside metad is version ${version}; ${LEAST_MAJOR} or later is needed` };
  }
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  const native = packageSeenFrom(typescript, platform);
  if (native === undefined) return { missing: `TypeScript ${version} beside metad came without ${platform}` };
  return { program: join(native, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc') };
};

/** For `metad status`, where type notes are asked for and cannot be had. */
export const missingChecker = (folder: string): string | undefined => {
  const found = findChecker(folder);
  if ('program' in found) return undefined;
  return `execute.typeNotes is on, but ${found.missing}: run \`npm install -g typescript\` where metad is installed so, or set the key to false.`;
};

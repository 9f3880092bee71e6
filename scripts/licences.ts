// The licences of the libraries whose code stands in our bundles, from what esbuild says it put there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Folders of packages (relative to where esbuild ran) of which at least one byte is in an output. */
const bundledFolders = (metafiles: readonly Metafile[]): string[] => {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const folders = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)];
};

/** One text: name, version, declared licence and licence files of each bundled package, sorted by name. */
export const licencesOf = (root: string, metafiles: readonly Metafile[]): string => {
  const entries = bundledFolders(metafiles).map((path) => {
    const folder = join(root, path);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const texts = readdirSync(folder)
      .filter((file) => LICENCE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const told = texts.length > 0 ? texts : ['The package carries no licence file.'];
    return `${name} ${version} (${license ?? 'licence not declared'})\n\n${told.join('\n\n')}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `metad contains code of these packages.\n${line}${[...new Set(entries)].sort().join(line)}`;
};

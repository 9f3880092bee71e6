// Elixir: mix.lock, and `deps` of mix.exs of the project or of each app of an umbrella.
import { broken, readText } from '../parts/documents.ts';
import { expand, inFolder } from '../parts/paths.ts';
import { createTally } from '../parts/tally.ts';
import type { Reader } from '../reader.ts';

const MANIFEST = 'mix.exs';
const LOCK = 'mix.lock';

interface Locked {
  /** As Hex has it; an app may call it otherwise. */
  readonly name: string;
  /** Null for what comes from git. */
  readonly version: string | null;
}

/** `  "plug": {:hex, :plug, "1.15.3", …` a line, by the name of the app. @throws Error where the map does not end */
const parseLock = (text: string): ReadonlyMap<string, Locked> => {
  if (!text.trim().endsWith('}')) throw broken(LOCK, 'does not end with }: not wholly written?');
  const found = new Map<string, Locked>();
  for (const line of text.split('\n')) {
    const [, app, source, name, version] =
      /^\s*(?:%\{)?\s*"([\w-]+)":\s*\{:(\w+),\s*(?::"?([\w-]+)"?|"[^"]*"),\s*"([^"]*)"/.exec(line) ?? [];
    if (app !== undefined) found.set(app, { name: name ?? app, version: source === 'hex' ? (version ?? null) : null });
  }
  return found;
};

/** The bodies of `deps` functions without comments; all of the file where there is no such function. */
const bodyOf = (text: string): string => {
  const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*/, ''));
  const bodies: (readonly string[])[] = [];
  for (const [start, line] of lines.entries()) {
    const [, indent, short] =
      /^(\s*)defp?\s+\w{0,40}deps\w{0,40}(?:\([^)]*\))?\s*(?:(,\s*do:)|\bdo)(?=\s|$)/.exec(line) ?? [];
    if (indent === undefined) continue;
    const isEnd = (next: string) =>
      short === undefined ? next === `${indent}end` : /^\s*(?:defp?\s|end$|$)/.test(next);
    const length = lines.slice(start + 1).findIndex((next) => isEnd(next.trimEnd()));
    bodies.push(lines.slice(start, length < 0 ? undefined : start + 1 + length));
  }
  return (bodies.length === 0 ? lines : bodies.flat()).join('\n');
};

/** `{:plug, "~> 1.15"}`, `{:app, path: "…"}`: apps and, where it differs, the name on Hex. */
const depsOf = (text: string): readonly { app: string; hex: string | undefined }[] =>
  [...bodyOf(text).matchAll(/\{\s*:(\w+)\s*,\s*(?:["~]|\w+:)[^{}]*/g)].map(([tuple, app = '']) => ({
    app,
    hex: /\bhex:\s*:"?(\w+)/.exec(tuple)?.[1],
  }));

export const mix: Reader = {
  id: 'mix',
  title: 'Mix',
  ecosystems: ['hex'],
  files: [
    { file: MANIFEST, reads: 'direct dependencies written as plain tuples, of each app of an umbrella too' },
    { file: LOCK, reads: 'versions and indirect dependencies; none of what comes from git' },
  ],
  read: (files) => {
    const root = readText(files, MANIFEST);
    const lock = readText(files, LOCK);
    if (root === undefined && lock === undefined) return undefined;
    const packages: ReadonlyMap<string, Locked> = lock === undefined ? new Map() : parseLock(lock);
    const apps = /^[ \t]*apps_path:\s*"([^"]+)"/m.exec(root ?? '')?.[1];
    const folders = ['', ...(apps === undefined ? [] : expand(files, [`${apps}/*`]))];
    const tally = createTally('hex');
    for (const folder of folders) {
      const text = folder === '' ? root : readText(files, inFolder(folder, MANIFEST));
      for (const { app, hex } of text === undefined ? [] : depsOf(text)) {
        const locked = packages.get(app);
        tally.direct(locked?.name ?? hex ?? app, folder, [locked?.version ?? null]);
      }
    }
    for (const { name, version } of packages.values()) tally.locked(name, version);
    return tally.list();
  },
};

// Go: go.mod of the module, or of each module that go.work uses. go.sum also names versions that nobody uses: not read.
import { compare, parse } from 'semver';
import { broken, readText } from '../parts/documents.ts';
import { below, inFolder, MOST_MEMBERS } from '../parts/paths.ts';
import { createTally } from '../parts/tally.ts';
import type { Files, Reader } from '../reader.ts';

const MODULE = 'go.mod';
const WORK = 'go.work';

/** A line of go.mod: its verb (of the block, where it is in one), its words, and whether it says `// indirect`. */
interface Directive {
  readonly verb: string;
  readonly words: readonly string[];
  readonly isIndirect: boolean;
}
interface Module {
  readonly folder: string;
  readonly directives: readonly Directive[];
}

const unquote = (word: string): string => word.replace(/^(["`])(.*)\1$/, '$2');

/** @throws Error naming file and line where a block does not end */
const directivesOf = (file: string, text: string): readonly Directive[] => {
  const directives: Directive[] = [];
  let block: { verb: string; line: number } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const comment = line.indexOf('//');
    const isIndirect = comment >= 0 && /^\/\/ ?indirect\b/.test(line.slice(comment));
    const words = (comment < 0 ? line : line.slice(0, comment))
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    const [first = ''] = words;
    if (words.length === 0) continue;
    if (block !== undefined) {
      if (first === ')') block = undefined;
      else directives.push({ verb: block.verb, words: words.map(unquote), isIndirect });
    } else if (words.at(-1) === '(' || first.endsWith('(')) {
      block = { verb: first.replace('(', ''), line: index + 1 };
    } else {
      directives.push({ verb: first, words: words.slice(1).map(unquote), isIndirect });
    }
  }
  if (block === undefined) return directives;
  throw broken(file, `the block ${block.verb} ( does not end: not wholly written?`, { line: block.line });
};

const readModule = (files: Files, folder: string): readonly Module[] => {
  const path = inFolder(folder, MODULE);
  const text = readText(files, path);
  return text === undefined ? [] : [{ folder, directives: directivesOf(path, text) }];
};

/** What `replace` puts in a module's place, by `module` and by `module version`: a version, or null for a folder. */
const replacementsOf = (directives: readonly Directive[]): ReadonlyMap<string, string | null> => {
  const found = new Map<string, string | null>();
  for (const { verb, words } of directives) {
    const arrow = words.indexOf('=>');
    if (verb !== 'replace' || arrow < 1) continue;
    found.set(words.slice(0, arrow).join(' '), words[arrow + 2] ?? null);
  }
  return found;
};

/** The higher of two: what Go's minimal version selection takes of all that are asked for. */
const higher = (one: string | undefined, other: string): string => {
  if (one === undefined || one === other) return other;
  const [a, b] = [parse(one), parse(other)];
  return a !== null && b !== null && compare(a, b) < 0 ? other : one;
};

/** Modules that hold a `tool`: of those whose path begins its package's path, the longest. */
const toolModules = (directives: readonly Directive[]): ReadonlySet<string> => {
  const names = directives.filter(({ verb }) => verb === 'require').map(({ words: [name = ''] }) => name);
  const tools = directives.filter(({ verb }) => verb === 'tool').map(({ words: [path = ''] }) => path);
  const holders = tools.map((path) => {
    const parts = names.filter((name) => path === name || path.startsWith(`${name}/`));
    return parts.sort((a, b) => b.length - a.length)[0];
  });
  return new Set(holders.filter((name) => name !== undefined));
};

export const go: Reader = {
  id: 'go',
  title: 'Go',
  ecosystems: ['go'],
  files: [
    {
      file: MODULE,
      reads: 'direct and indirect dependencies with versions, after `replace`; `tool` makes its module direct',
    },
    { file: WORK, reads: 'modules of the workspace and `replace`' },
  ],
  read: (files) => {
    const work = readText(files, WORK);
    const shared = work === undefined ? [] : directivesOf(WORK, work);
    const used = shared.filter(({ verb }) => verb === 'use').map(({ words: [path = ''] }) => below('', path));
    const folders =
      work === undefined ? [''] : [...new Set(used)].filter((folder) => folder !== undefined).slice(0, MOST_MEMBERS);
    const modules = folders.flatMap((folder) => readModule(files, folder));
    if (work === undefined && modules.length === 0) return undefined;

    const all = modules.flatMap(({ directives }) => directives);
    const own = new Set(all.filter(({ verb }) => verb === 'module').map(({ words: [name] }) => name));
    const replacements = new Map([...replacementsOf(all), ...replacementsOf(shared)]);
    const highest = new Map<string, string>();
    for (const { verb, words } of all) {
      const [name, version] = words;
      if (verb === 'require' && name !== undefined && version !== undefined)
        highest.set(name, higher(highest.get(name), version));
    }
    const versionOf = (name: string): string | null => {
      const version = highest.get(name);
      if (own.has(name) || version === undefined) return null;
      const exact = `${name} ${version}`;
      const key = replacements.has(exact) ? exact : name;
      return replacements.has(key) ? (replacements.get(key) ?? null) : version;
    };
    const tally = createTally('go');
    for (const { folder, directives } of modules) {
      const tools = toolModules(directives);
      for (const { verb, words, isIndirect } of directives) {
        const [name] = words;
        if (verb !== 'require' || name === undefined) continue;
        if (!isIndirect || tools.has(name)) tally.direct(name, folder, [versionOf(name)]);
      }
    }
    for (const name of highest.keys()) if (!own.has(name)) tally.locked(name, versionOf(name));
    return tally.list();
  },
};

// requirements*.txt: as people write them, as `pip freeze` does, and as pip-compile and uv do with `# via` behind.
import { posix } from 'node:path';
import type { Dependency } from '../../dependency.ts';
import { readText } from '../parts/documents.ts';
import { below, inFolder } from '../parts/paths.ts';
import { createTally } from '../parts/tally.ts';
import type { Files, Reader } from '../reader.ts';
import { normalize, requirementOf } from './parts/pypi.ts';
import { isPythonLocked } from './parts/python-lock.ts';

const FOLDER = 'requirements';
const LISTS = /^(?:[\w.-]*[-_.])?requirements(?:[-_.][\w.-]*)?\.(txt|in)$/;
/** Files that others include, so far. */
const MOST_FILES = 100;

interface Line {
  readonly name: string;
  readonly version: string | null;
  /** It is there for another package's sake, as the comment of a compiler says. */
  readonly isVia: boolean;
}
interface List {
  readonly lines: readonly Line[];
  /** `-c`: versions for what others name. */
  readonly constraints: ReadonlyMap<string, string>;
}

/** Options and requirements with their comments: joined over `\`, and with the comment lines that follow. */
const logicalLines = (text: string): readonly { text: string; comment: string }[] => {
  const found: { text: string; comment: string }[] = [];
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const hash = line.search(/(?:^|\s)#/);
    const before = (hash < 0 ? line : line.slice(0, hash)).trim();
    const comment = hash < 0 ? '' : line.slice(hash);
    const last = found.at(-1);
    if (before !== '') found.push({ text: before, comment });
    else if (last !== undefined) last.comment += `\n${comment}`;
  }
  return found;
};

/** Whether a comment names packages alone: `# via flask, jinja2`, not `# via -r requirements.in` nor `# via x (pyproject.toml)`. */
const isViaOthers = (comment: string): boolean => {
  const via = /#\s*via\b([\s\S]*)/.exec(comment)?.[1];
  return via !== undefined && !/\s-r\s|\(|\.toml\b/.test(via.replaceAll('#', ' '));
};

const lineOf = (text: string, comment: string): Line | undefined => {
  const bare = text.replace(/\s--(?:hash|config-settings|global-option)\b[\s\S]*$/, '');
  const egg = /#egg=([\w.-]+)/.exec(bare)?.[1];
  const isVia = isViaOthers(comment);
  if (egg !== undefined) return { name: normalize(egg), version: null, isVia };
  const found = requirementOf(bare);
  return found === undefined ? undefined : { name: found.name, version: found.pinned, isVia };
};

const readList = (files: Files, path: string, seen: Set<string>): List => {
  const lines: Line[] = [];
  const constraints = new Map<string, string>();
  if (seen.has(path) || seen.size >= MOST_FILES) return { lines, constraints };
  seen.add(path);
  for (const { text: line, comment } of logicalLines(readText(files, path) ?? '')) {
    const [, option, value = ''] = /^(-r|--requirement|-c|--constraint)[\s=]*(.+)$/.exec(line) ?? [];
    const there = option === undefined ? undefined : below(posix.dirname(path), value.trim());
    const found = line.startsWith('-') && !/^(-e|--editable)[\s=]/.test(line) ? undefined : lineOf(line, comment);
    if (found !== undefined) lines.push(found);
    if (there === undefined) continue;
    const included = readList(files, there, seen);
    for (const [name, version] of included.constraints) constraints.set(name, version);
    if (option?.startsWith('-r') || option === '--requirement') for (const one of included.lines) lines.push(one);
    else for (const { name, version } of included.lines) if (version !== null) constraints.set(name, version);
  }
  return { lines, constraints };
};

/** What the lists of requirements of a root say; empty where there are none. */
export const readRequirements = (files: Files): readonly Dependency[] => {
  const inRoot = files.names('').filter((name) => LISTS.test(name));
  const inside = files.names('').includes(FOLDER) ? files.names(FOLDER).filter((name) => /\.(txt|in)$/.test(name)) : [];
  const paths = [...inRoot, ...inside.map((name) => inFolder(FOLDER, name))];
  const tally = createTally('pypi');
  for (const path of paths) {
    // Compiled from the .in beside it, which is then what people wrote.
    const compiled = path.replace(/\.in$/, '.txt');
    if (path.endsWith('.in') && paths.includes(compiled)) continue;
    const source = path.replace(/\.txt$/, '.in');
    const { lines, constraints } = readList(files, path, new Set());
    const written = path !== source && paths.includes(source) ? readList(files, source, new Set()).lines : undefined;
    const names = written && new Set(written.map(({ name }) => name));
    for (const { name, version, isVia } of lines) {
      const known = version ?? constraints.get(name) ?? null;
      if (names === undefined ? !isVia : names.has(name)) tally.direct(name, '', [known]);
      else tally.locked(name, known);
    }
    const there = new Set(lines.map(({ name }) => name));
    // Written since it was compiled.
    for (const name of names ?? []) if (!there.has(name)) tally.direct(name, '');
  }
  return tally.list();
};

export const requirements: Reader = {
  id: 'requirements',
  title: 'requirements.txt',
  ecosystems: ['pypi'],
  files: [
    {
      file: 'requirements*.txt, *-requirements.txt, requirements/*.txt',
      reads:
        'where there is no lockfile: direct dependencies, pinned versions; what pip-compile or uv note as `via` others is indirect',
    },
    { file: 'requirements*.in', reads: 'direct dependencies of the list compiled from it' },
  ],
  read: (files) => {
    if (isPythonLocked(files)) return undefined;
    const found = readRequirements(files);
    return found.length === 0 ? undefined : found;
  },
};

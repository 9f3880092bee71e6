// Yarn's lockfiles: version 1 in a syntax of its own, Berry's as YAML with the workspaces in it.
import { satisfies } from 'semver';
import type { Reader } from '../reader.ts';
import { readerOf } from './parts/client.ts';
import type { Lock } from './parts/lock.ts';
import { EMPTY, type Manifest } from './parts/manifest.ts';
import { isLocal, nameBehind, type Package, splitAt, versionIn } from './parts/package.ts';
import { clean, thinned, yaml } from './parts/syntax.ts';
import { entriesOf, fieldOf, isFields, rangesOf, textOf } from './parts/value.ts';

/**
 * Of the whole tree by what was asked for. Catalogs and forced versions (`resolutions`) break that link: then the only one
 * of its name, unless the range speaks against it.
 */
const resolver = (byRequest: ReadonlyMap<string, Package>, held: readonly Package[]) => {
  const only = new Map<string, Package | undefined>();
  for (const one of held) only.set(one.name, only.has(one.name) ? undefined : one);
  return (name: string, range: string): Package | undefined => {
    const asked = byRequest.get(`${name}@${range}`) ?? byRequest.get(`${name}@npm:${range}`);
    if (asked !== undefined) return asked;
    const single = only.get(name);
    const isLikely =
      range.startsWith('catalog:') || satisfies(single?.version ?? '', range, { includePrerelease: true });
    return isLikely ? single : undefined;
  };
};

const unquoted = (text: string): string => (/^".*"$/.test(text) ? text.slice(1, -1) : text);

/** The copies say `npm:^1` where the manifest said `^1`; aliases (`npm:ms@1`) stay. */
const asWritten = (range: string): string => range.replace(/^npm:(?=(?:@[^/]+\/)?[^@]*$)/, '');

/** `"a@^1", a@~1.2:` → the requests before the colon. */
const requestsOf = (line: string): readonly string[] => line.slice(0, -1).split(', ').map(unquoted);

const parseClassic = (file: string, text: string): Lock => {
  const byRequest = new Map<string, Package>();
  const held: Package[] = [];
  let open: { readonly requests: readonly string[]; readonly line: number } | undefined;
  const mustBeClosed = (): void => {
    if (open !== undefined) throw new Error(`${file} is broken at line ${open.line}: that package has no version.`);
  };
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      mustBeClosed();
      if (!line.endsWith(':'))
        throw new Error(`${file} is broken at line ${at + 1}: a package's line ends with a colon.`);
      open = { requests: requestsOf(line), line: at + 1 };
      continue;
    }
    const [, quoted] = /^ {2}version (.+)$/.exec(line) ?? [];
    if (quoted === undefined || open === undefined) continue;
    const parts = splitAt(open.requests[0] ?? '');
    if (parts !== undefined) {
      const version = isLocal(parts.rest) ? null : versionIn(unquoted(quoted));
      const found = { name: nameBehind(parts.name, parts.rest), version };
      if (!isLocal(parts.rest)) held.push(found);
      for (const request of open.requests) byRequest.set(request, found);
    }
    open = undefined;
  }
  mustBeClosed();
  const resolve = resolver(byRequest, held);
  return { members: undefined, held, resolve: (_member, name, range) => resolve(name, range) };
};

const WORKSPACE = '@workspace:';

/** Of packages the version and where they come from; of workspaces all. */
const needed = (): ((line: string) => boolean) => {
  let isWorkspace = false;
  return (line) => {
    if (line !== '' && !line.startsWith(' ')) isWorkspace = line.includes(WORKSPACE);
    return isWorkspace || !line.startsWith(' ') || /^ {2}(?:version|resolution|linkType):/.test(line);
  };
};

const parseBerry = (document: unknown): Lock => {
  const byRequest = new Map<string, Package>();
  const held: Package[] = [];
  const members = new Map<string, Manifest>();
  for (const [key, entry] of entriesOf(document)) {
    const resolution = textOf(entry, 'resolution');
    const parts = resolution === undefined ? undefined : splitAt(resolution);
    if (resolution === undefined || parts === undefined) continue; // __metadata
    if (resolution.startsWith(`${parts.name}${WORKSPACE}`)) {
      const folder = resolution.slice(parts.name.length + WORKSPACE.length);
      members.set(folder === '.' ? '' : folder, {
        ...EMPTY,
        wanted: new Map([...rangesOf(fieldOf(entry, 'dependencies'))].map(([name, range]) => [name, asWritten(range)])),
        peers: rangesOf(fieldOf(entry, 'peerDependencies')),
      });
      continue;
    }
    const found = { name: parts.name, version: versionIn(textOf(entry, 'version') ?? '') };
    const isSoft = textOf(entry, 'linkType') === 'soft'; // a link or portal: nothing is fetched
    if (!isSoft) held.push(found);
    for (const request of key.split(', ')) byRequest.set(request, isSoft ? { ...found, version: null } : found);
  }
  const resolve = resolver(byRequest, held);
  return {
    members,
    held,
    // The lockfile's own copy knows what `catalog:` and the like in the manifest stood for.
    resolve: (member, name, range) => resolve(name, members.get(member)?.wanted.get(name) ?? range),
  };
};

export const parseYarn = (file: string, text: string): Lock => {
  const plain = clean(file, text);
  if (!/^"?__metadata"?:/m.test(plain)) return parseClassic(file, plain); // an empty one too: it marks a root of Yarn's
  const [document] = yaml(file, thinned(file, plain, needed()));
  if (!isFields(document)) throw new Error(`${file} holds no entries.`);
  return parseBerry(document);
};

export const yarn: Reader = readerOf({
  manager: 'yarn',
  title: 'Yarn',
  files: [
    { file: 'yarn.lock', reads: 'versions; of Yarn 2 and later also the direct dependencies of each workspace' },
    { file: '*/package.json', reads: 'direct dependencies of each workspace, with Yarn 1' },
  ],
  isOpenEnded: true,
  parse: parseYarn,
});

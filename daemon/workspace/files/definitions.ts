// Which servers a workspace's own files and plugins give to its sessions: those that a person trusted, by name and
// content. Pure.
import { type Problem, pathText } from '../../../schema/config/problem.ts';
import { readWorkspaceFile } from '../../../schema/config/workspace-file.ts';
import type { Definition } from '../../../schema/config.ts';
import type { TrustedServer, TrustState } from '../../../schema/trust.ts';
import type { Offer } from '../offer.ts';
import { candidateOf, statesOf } from '../trust/candidate.ts';
import { trustHash } from '../trust/hash.ts';
import type { FileKind } from './kinds.ts';
import { isMetad, placed } from './place.ts';
import type { FoundFile } from './read.ts';

export interface WorkspaceServer {
  /** As written, in its place; nothing is expanded. `origin` is the absolute path of the file. */
  readonly definition: Definition;
  /** Relative to the root. */
  readonly file: string;
  readonly hash: string;
  readonly state: TrustState;
  /** Where a plugin declares it. */
  readonly offer?: Offer;
}

export interface WorkspaceDefinitions {
  /** Those of its files that may be used: trusted, the first of each name. */
  readonly definitions: readonly Definition[];
  /** Those of its plugins that may be used. */
  readonly offers: readonly Offer[];
  /** Every server that the files declare, in the order in which they count. */
  readonly servers: readonly WorkspaceServer[];
  /** By file, relative to the root, those that are there. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
}

export interface DefinitionsOptions {
  /** The root of the workspace, links resolved. */
  readonly root: string;
  readonly files: readonly FoundFile[];
  /** Of plugins that stand in the workspace. */
  readonly offers?: readonly Offer[];
  /** What was trusted in this root. */
  readonly trusted: readonly TrustedServer[];
  /** What was in force before: a file that cannot be read now keeps its servers. */
  readonly before?: WorkspaceDefinitions;
}

type Found = Omit<WorkspaceServer, 'state'>;

const serversOf = (root: string, kind: FileKind, origin: string, bytes: Uint8Array) => {
  const { servers, problems } = readWorkspaceFile(bytes, origin, kind);
  return {
    problems,
    servers: servers?.flatMap(({ definition, entry }): Found[] =>
      isMetad(definition)
        ? []
        : [
            {
              definition: placed(definition, root, kind.isEditors),
              file: kind.path,
              hash: trustHash(kind.path, definition.name, entry),
            },
          ],
    ),
  };
};

/** The reach alone: who declares it, and with which limits, makes no other server of it. */
const sameReach = (one: Definition, other: Definition): boolean =>
  JSON.stringify([one.reach, one.sharing]) === JSON.stringify([other.reach, other.sharing]);

/**
 * One definition a name. The first counts; another one of that name is a warning, unless it is the same server.
 * @param first what counts before them, such as the user's own config
 */
export const firstOfEachName = (
  first: ReadonlyMap<string, Definition>,
  definitions: readonly Definition[],
): { readonly definitions: readonly Definition[]; readonly problems: readonly Problem[] } => {
  const known = new Map(first);
  const kept: Definition[] = [];
  const problems: Problem[] = [];
  for (const definition of definitions) {
    const { name, origin } = definition;
    const before = known.get(name);
    if (before === undefined) {
      known.set(name, definition);
      kept.push(definition);
    } else if (!sameReach(before, definition))
      problems.push({
        severity: 'warning',
        file: origin,
        line: 0,
        column: 0,
        path: pathText(['mcpServers', name]),
        message: `The server ${JSON.stringify(name)} of this file is left out: ${before.origin} declares another one of that name, which counts.`,
      });
  }
  return { definitions: kept, problems };
};

/**
 * What the files of a root declare, and what of it may be used. Nothing is expanded, started or contacted. The bytes that
 * were compared with what a person trusted are the ones that the definitions come from: what becomes of the file later
 * changes nothing of them.
 */
export const definitionsOf = ({
  root,
  files,
  offers = [],
  trusted,
  before,
}: DefinitionsOptions): WorkspaceDefinitions => {
  const known = statesOf(trusted);
  const stateOf = ({ file, hash, definition: { name } }: Found): TrustState => known({ file, server: name, hash });

  const problems = new Map<string, readonly Problem[]>();
  const servers = files.flatMap(({ kind, file, found }): WorkspaceServer[] => {
    const last = before?.servers.filter((server) => server.file === kind.path) ?? [];
    const read =
      found instanceof Uint8Array ? serversOf(root, kind, file, found) : { servers: undefined, problems: [found] };
    problems.set(kind.path, read.problems);
    return (read.servers ?? last).map((server) => ({ ...server, state: stateOf(server) }));
  });

  const ofPlugins = offers.map((offer) => {
    const found = { ...candidateOf(root, offer), definition: offer.definition };
    return { ...found, state: stateOf(found) };
  });
  const isTrusted = ({ state }: WorkspaceServer): boolean => state === 'trusted';
  const usable = servers.filter(isTrusted).map(({ definition }) => definition);
  const first = firstOfEachName(new Map(), usable);
  for (const problem of first.problems) {
    const file = files.find((one) => one.file === problem.file)?.kind.path ?? problem.file;
    problems.set(file, [...(problems.get(file) ?? []), problem]);
  }
  return {
    definitions: first.definitions,
    offers: ofPlugins.filter(isTrusted).map(({ offer }) => offer),
    servers: [...servers, ...ofPlugins],
    problems,
  };
};

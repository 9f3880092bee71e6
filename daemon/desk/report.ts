// What `metad status` shows, put together from what the parts know. Pure.
import type { Definition } from '../../schema/config.ts';
import type { ServerStatus } from '../../schema/wire.ts';
import type { Tree } from '../api/memory.ts';
import type { ViewServer } from '../catalog/view.ts';
import type { InstanceStatus } from '../upstream/pool.ts';

export interface ReportParts {
  readonly definitions: Iterable<Definition>;
  readonly instances: readonly InstanceStatus[];
  /** By pid of the instance's leader. */
  readonly trees: ReadonlyMap<number, Tree | null>;
  readonly viewOf: (definition: Definition, root: string | null) => ViewServer | undefined;
  /** Workspace root of a session; null where it has none, or is no session any more. */
  readonly rootOfSession: (id: string) => string | null;
  /** What was odd about its tools. */
  readonly toolWarningsOf: (server: ViewServer) => readonly string[];
  /** What is wrong with the definition of that server. */
  readonly problemsOf: (server: string) => readonly string[];
  /** What is known of its starts. */
  readonly warmthOf?: (definition: Definition, instance: InstanceStatus | undefined) => Partial<ServerStatus>;
  readonly now: number;
}

/** The root under which the catalog knows what an instance listed. */
const rootOf = (
  { sharing }: Definition,
  instance: InstanceStatus | undefined,
  rootOfSession: ReportParts['rootOfSession'],
): string | null => {
  const owner = instance?.owner ?? null;
  if (sharing === 'user' || owner === null) return null;
  return sharing === 'session' ? rootOfSession(owner) : owner;
};

const rowOf = (
  definition: Definition,
  instance: InstanceStatus | undefined,
  { trees, viewOf, rootOfSession, toolWarningsOf, problemsOf, now, warmthOf }: ReportParts,
): ServerStatus => {
  const shown = viewOf(definition, rootOf(definition, instance, rootOfSession));
  const listing = shown?.listing;
  const pid = instance?.pid ?? null;
  const tree = pid === null ? null : trees.get(pid);
  return {
    name: definition.name,
    state: instance?.state ?? 'cold',
    sharing: definition.sharing,
    sharingReason: definition.sharingReason,
    sessions: instance?.sessions ?? [],
    owner: instance?.owner ?? null,
    pid,
    memoryBytes: tree?.bytes ?? null,
    processes: tree?.processes ?? null,
    uptimeSeconds: instance?.readyAt == null ? null : Math.round((now - instance.readyAt) / 1000),
    calls: instance?.calls ?? 0,
    callsInFlight: instance?.callsInFlight ?? 0,
    tools: listing?.tools.length ?? null,
    freshness: listing?.freshness ?? null,
    lastError: instance?.lastError ?? null,
    noiseLines: instance?.noiseLines ?? 0,
    warnings: [
      ...problemsOf(definition.name),
      ...(listing?.warnings ?? []),
      ...(shown === undefined ? [] : toolWarningsOf(shown)),
    ],
    ...warmthOf?.(definition, instance),
  };
};

/** One row per instance; a definition without one still has a row, so that nothing configured is invisible. */
export const serverRows = (parts: ReportParts): readonly ServerStatus[] =>
  [...parts.definitions]
    .filter(({ disabled }) => !disabled)
    .flatMap((definition) => {
      const own = parts.instances.filter(
        ({ server, origin }) => server === definition.name && origin === definition.origin,
      );
      return own.length === 0
        ? [rowOf(definition, undefined, parts)]
        : own.map((instance) => rowOf(definition, instance, parts));
    });

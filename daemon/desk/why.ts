// Why sessions share an instance of a server or do not, what would let them, and what sharing spares. Pure.
import type { Definition } from '../../schema/config.ts';
import type { Applies, Saved, SessionStatus, Why } from '../../schema/wire.ts';
import type { Tree } from '../api/memory.ts';
import type { InstanceStatus } from '../upstream/pool.ts';

export interface WhyParts {
  readonly definition: Definition;
  /** Of that definition. */
  readonly instances: readonly InstanceStatus[];
  readonly sessions: readonly SessionStatus[];
  /** By pid of the instance's leader. */
  readonly trees: ReadonlyMap<number, Tree | null>;
  readonly applies?: readonly Applies[];
}

const treeOf = ({ pid }: InstanceStatus, trees: WhyParts['trees']): Tree | null =>
  pid === null ? null : (trees.get(pid) ?? null);

/** One tree for each session beyond the first that uses it. */
export const savedBy = (instances: readonly InstanceStatus[], trees: WhyParts['trees']): Saved =>
  instances.reduce<Saved>(
    (sum, instance) => {
      const tree = treeOf(instance, trees);
      const more = Math.max(0, instance.sessions.length - 1);
      if (tree === null) return sum;
      return {
        processes: sum.processes + more * tree.processes,
        memoryBytes: sum.memoryBytes + more * tree.bytes,
      };
    },
    { processes: 0, memoryBytes: 0 },
  );

const place = (workspace: string | null): string => workspace ?? 'no workspace';

const apartOf = ({ definition, instances }: WhyParts): readonly string[] => {
  const { name, sharing } = definition;
  const used = instances.filter(({ sessions }) => sessions.length > 0);
  if (used.length < 2) return [];
  if (sharing === 'session') return [`Each session has its own: the sharing of \`${name}\` is \`session\`.`];
  const owners = [...new Set(used.map(({ owner }) => place(owner)))];
  if (sharing === 'workspace' && owners.length > 1)
    return [`These workspaces have one each, since its sharing is \`workspace\`: ${owners.join(', ')}.`];
  if (new Set(used.map(({ identity }) => identity)).size > 1)
    return [
      'The definition is another one for them: `${workspaceFolder}` in it stands for another folder, or it was changed while they ran.',
    ];
  return ['They run in different folders.'];
};

const adviceOf = ({ definition, instances, sessions }: WhyParts): readonly string[] => {
  const { name, sharing, origin, disabled } = definition;
  if (disabled) return [`It is disabled: take \`"disabled": true\` out of \`mcpServers.${name}\` in ${origin}.`];
  const parked = instances.find(({ state }) => state === 'parked');
  if (parked !== undefined) return [`It waits for you: ${parked.lastError ?? 'it cannot be started.'}`];
  const key = (value: string) => `\`"sharing": "${value}"\` in \`mcpServers.${name}\` of ${origin}`;
  if (sharing === 'session')
    return [`If it keeps nothing of whoever calls it, ${key('workspace')} lets the sessions of a workspace share one.`];
  if (sharing === 'workspace' && new Set(sessions.map(({ workspace }) => workspace)).size > 1)
    return [`If it depends on no folder and keeps nothing, ${key('user')} lets all sessions share one.`];
  if (sharing === 'user' && new Set(instances.map(({ identity }) => identity)).size > 1)
    return [`Without \`\${workspaceFolder}\` in its definition all sessions would share one.`];
  return [];
};

export const whyOf = (parts: WhyParts): Why => {
  const { definition, instances, sessions, trees, applies = [] } = parts;
  const known = new Map(sessions.map((session) => [session.id, session]));
  return {
    server: definition.name,
    sharing: definition.sharing,
    sharedBy: definition.sharedBy,
    reason: definition.sharingReason,
    instances: instances.map((instance) => ({
      state: instance.state,
      owner: instance.owner,
      pid: instance.pid,
      processes: treeOf(instance, trees)?.processes ?? null,
      memoryBytes: treeOf(instance, trees)?.bytes ?? null,
      sessions: instance.sessions.map((id) => ({
        id,
        agent: known.get(id)?.agent ?? 'a command',
        workspace: known.get(id)?.workspace ?? null,
      })),
    })),
    apart: apartOf(parts),
    advice: adviceOf(parts),
    saved: savedBy(instances, trees),
    applies,
  };
};

// Who shares one instance: the key under which an instance is found again. Pure.
import { createHash } from 'node:crypto';
import type { Definition } from '../../schema/config.ts';
import type { Owner } from './contract.ts';

export interface Lease {
  /** Equal keys share one instance. Holds no secret. */
  readonly key: string;
  /** Equal for all instances of a definition, whoever uses them; changes with anything that a running one would miss. */
  readonly identity: string;
  /** Workspace root or session id that the instance belongs to; null where it belongs to nobody in particular. */
  readonly owner: string | null;
  /** Folder in which a stdio server runs. */
  readonly cwd: string;
  /** The definition after expansion. */
  readonly definition: Definition;
}

/** As `leaseOf`; remembered for as long as the expanded definition is the same object. */
export type Leases = (definition: Definition, owner: Owner) => Lease;

/** Owners remembered of one definition: more would be sessions that are long gone. */
const REMEMBERED = 256;

/** A call needs the lease and nothing else of it, and two hashes cost more than the rest of its way through here. */
export const createLeases = (home: string): Leases => {
  const known = new WeakMap<Definition, Map<string, Lease>>();
  return (definition, owner) => {
    const byOwner = known.get(definition) ?? new Map<string, Lease>();
    known.set(definition, byOwner);
    const key =
      definition.sharing === 'user'
        ? ''
        : JSON.stringify([owner.root, definition.sharing === 'session' && owner.session]);
    const lease = byOwner.get(key) ?? leaseOf(definition, owner, home);
    if (byOwner.size >= REMEMBERED) byOwner.clear();
    byOwner.set(key, lease);
    return lease;
  };
};

const sorted = (record: Readonly<Record<string, string>>) =>
  Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

/**
 * Identity of an expanded definition: its name, how it is reached, and its sharing. The order of `env` and `headers` does
 * not count; nor do limits and tool filters, which apply to a running instance at once.
 */
export const identityOf = ({ name, reach, sharing }: Definition): string =>
  hash(
    reach.kind === 'stdio'
      ? [name, sharing, reach.kind, reach.command, reach.args, sorted(reach.env), reach.cwd ?? null]
      : [name, sharing, reach.kind, reach.url, sorted(reach.headers)],
  );

const ownerOf = ({ sharing }: Definition, owner: Owner): string | null => {
  if (sharing === 'user') return null;
  return sharing === 'workspace' ? owner.root : owner.session;
};

const folderOf = ({ reach, sharing }: Definition, owner: Owner, home: string): string => {
  const cwd = reach.kind === 'stdio' ? reach.cwd : undefined;
  if (cwd === undefined) return (sharing === 'user' ? null : owner.root) ?? home;
  if (cwd === '~' || cwd.startsWith('~/')) return `${home}${cwd.slice(1)}`;
  return cwd.startsWith('/') ? cwd : `${home}/${cwd}`;
};

/**
 * The lease of an expanded definition for one user of it. Sessions without a workspace share one instance of a
 * `workspace` server among themselves. `credentials` tells apart accounts that are not part of the definition.
 */
export const leaseOf = (definition: Definition, owner: Owner, home: string, credentials = ''): Lease => {
  const identity = identityOf(definition);
  const of = ownerOf(definition, owner);
  const cwd = folderOf(definition, owner, home);
  return { key: hash([identity, of, cwd, credentials]), identity, owner: of, cwd, definition };
};

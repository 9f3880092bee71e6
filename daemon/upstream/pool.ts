// All instances of all backing servers: who shares which, and what they are doing.
import { setMaxListeners } from 'node:events';
import type { Definition } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';
import { mostTalkative } from '../../schema/level.ts';
import { isObject, type JsonObject } from '../../schema/tool.ts';
import { follow, settledWithin } from '../scope.ts';
import { appliesTo } from './applies.ts';
import { type Audience, createAudience } from './audience.ts';
import { rootsResult } from './call/ask.ts';
import type { Owner, Pool, PoolOptions } from './contract.ts';
import { createGate } from './gate.ts';
import type { Instance } from './instance/contract.ts';
import { createInstance } from './instance/instance.ts';
import { createLeases, type Lease } from './lease.ts';
import type { Link } from './stdio/link.ts';
import { createServerLogs } from './stdio/logs.ts';
import { createUnusable } from './unusable.ts';

export type * from './contract.ts';

interface Entry {
  readonly instance: Instance;
  /** Root of the session that it was made for; `${workspaceFolder}` stands for it. */
  readonly root: string | null;
  readonly users: Audience;
}

const DEFAULT_STARTS = 4;
/** How long an agent may take to say its roots. */
const ROOTS_MS = 10_000;
/** How long calls in flight may go on when their definition changed or went. */
const DRAIN_MS = 10_000;
/** Everything closes side by side: stdin close and two graces of 1.5 s, 1 s for the kill. */
const CLOSE_MS = 4500;
/** What is left then is killed, and gets so long to be gone. */
const KILL_MS = 500;

/**
 * The backing servers of one daemon. Starts nothing by itself. The SDK is loaded with the first start.
 */
export const createPool = (options: PoolOptions): Pool => {
  const entries = new Map<string, Entry>();
  const unusable = createUnusable();
  const leaving = new Set<Instance>();
  /** Processes of every generation that have not ended with their whole group. */
  const links = new Set<Link>();
  const gate = createGate({ limit: () => options.maxStarts ?? DEFAULT_STARTS });
  const logs = createServerLogs(options.logs);
  const leases = createLeases(options.home);
  const now = options.now ?? Date.now;
  const endLauncher = (): Promise<void> => Promise.resolve(options.launcher?.[Symbol.asyncDispose]());
  /** Ends with the session, and ends its calls and questions. */
  const sessions = new Map<string, AbortController>();
  let closed = false;

  let announced = false;
  const changed = (): void => {
    if (announced) return;
    announced = true;
    setImmediate(() => {
      announced = false;
      options.onChange();
    });
  };

  const expand = (definition: Definition, root: string | null): Definition => {
    try {
      const expanded = options.expand(definition, root);
      if (unusable.delete(definition)) changed();
      return expanded;
    } catch (error) {
      if (error instanceof MetadError) {
        unusable.add(definition, error.message);
        changed();
      }
      throw error;
    }
  };

  /** A session's own instance hears what its agent says, any other what metad knows of the workspaces that it serves. */
  const rootsOf = async ({ definition }: Lease, first: Owner, users: Audience): Promise<JsonObject> => {
    const asker = definition.sharing === 'session' ? options.askerOf?.(first.session) : undefined;
    if (asker !== undefined && isObject(asker.capabilities['roots'])) {
      const own = await asker.ask('roots/list', {}, AbortSignal.timeout(ROOTS_MS)).catch(() => undefined);
      if (own !== undefined) return own;
    }
    const ofFirst = first.root === null ? [] : [first.root];
    return rootsResult(definition.sharing === 'user' ? users.roots() : ofFirst);
  };

  const create = (lease: Lease, definition: Definition, owner: Owner): Entry => {
    const users = createAudience();
    const instance = createInstance(lease, {
      options,
      gate,
      log: logs.of(definition.name),
      now,
      onListed: (latest, listed) => options.onListed(latest, owner, listed),
      onChange: changed,
      onProcess: (link) => {
        links.add(link);
        const forget = options.onGroup?.(definition.name, link.pid);
        void link.ended
          .then(() => link.stop())
          .finally(() => {
            links.delete(link);
            forget?.();
          });
      },
      onIdle: () => {
        options.log('server idle, stopped', { server: definition.name, owner: lease.owner });
        if (users.size === 0) entries.delete(lease.key);
      },
      roots: () => rootsOf(lease, owner, users),
      onMessage: (params) => options.onMessage?.(users.sessions(), definition.name, params),
      onResourceUpdated: (sessions, params) => options.onResourceUpdated?.(sessions, definition.name, params),
      level: () => mostTalkative(users.sessions().flatMap((session) => options.levelOf?.(session) ?? [])),
      asks: (tool) => options.marks?.marked(lease.identity).has(tool) === true,
      onAskedInDoubt: (tools) => {
        options.log('question in doubt', { server: definition.name, tools });
        options.marks?.mark(lease.identity, tools);
      },
    });
    return { instance, root: owner.root, users };
  };

  const entryFor = (definition: Definition, owner: Owner): Entry => {
    if (closed) throw new MetadError('unavailable', 'metad is stopping; no server is started any more.');
    const lease = leases(expand(definition, owner.root), owner);
    let entry = entries.get(lease.key);
    if (entry === undefined) {
      entry = create(lease, definition, owner);
      entries.set(lease.key, entry);
    }
    if (!entry.users.has(owner.session)) {
      const isOther = entry.users.set(owner.session, owner.root);
      entry.instance.levelChanged();
      if (isOther && definition.sharing === 'user') entry.instance.rootsChanged();
    }
    return entry;
  };

  const sessionOf = (session: string): AbortSignal => {
    let known = sessions.get(session);
    if (known === undefined) {
      known = new AbortController();
      // Each call in flight listens; any number of them is no leak.
      setMaxListeners(0, known.signal);
      sessions.set(session, known);
    }
    return known.signal;
  };

  const retire = (key: string, { instance }: Entry, drainMs: number): void => {
    entries.delete(key);
    leaving.add(instance);
    void instance.retire(drainMs).finally(() => {
      leaving.delete(instance);
      changed();
    });
  };

  const leave = ({ instance, users }: Entry, session: string): void => {
    const isOther = users.delete(session);
    instance.levelChanged();
    if (isOther && instance.lease.definition.sharing === 'user') instance.rootsChanged();
  };

  /** The running instance for that owner, who does not become a user of it by looking. */
  const runningFor = (definition: Definition, owner: Owner): Instance | undefined => {
    if (!entries.size) return undefined;
    try {
      const found = entries.get(leases(expand(definition, owner.root), owner).key)?.instance;
      return found && ['starting', 'ready'].includes(found.status().state) ? found : undefined;
    } catch (error) {
      if (error instanceof MetadError) return undefined;
      throw error;
    }
  };

  return {
    resources: ((definition: Definition, owner: Owner, which?: 'running') =>
      (which === undefined ? entryFor(definition, owner).instance : runningFor(definition, owner))
        ?.resources) as Pool['resources'],
    async call(definition, owner, tool, args, { signal, onProgress, asker, isRepeatable = false }) {
      const { instance } = entryFor(definition, owner);
      const { controller, release } = follow(signal, sessionOf(owner.session));
      try {
        const request = { tool, args, session: owner.session, scope: controller, onProgress, asker, isRepeatable };
        return await instance.call(definition, request);
      } finally {
        release();
      }
    },
    async list(definition, owner, signal) {
      return entryFor(definition, owner).instance.list(definition, signal);
    },
    reconcile(definitionsOf) {
      unusable.clear();
      const applies = appliesTo({ definitionsOf, expand });
      for (const [key, entry] of entries) {
        const isFor = applies(entry.instance.lease);
        const owners = entry.users.owners();
        const left = owners.filter((owner) => !isFor(owner));
        const isKept = owners.length === 0 ? isFor({ session: null, root: entry.root }) : left.length < owners.length;
        if (!isKept) retire(key, entry, DRAIN_MS);
        else for (const { session } of left) leave(entry, session);
      }
      changed();
    },
    relist(root) {
      for (const { instance, root: of } of entries.values())
        if (of === root && instance.lease.definition.sharing !== 'user') instance.relist();
    },
    rootsChanged(session, root) {
      for (const { instance, users } of entries.values()) {
        if (!users.has(session)) continue;
        const { sharing } = instance.lease.definition;
        const isOther = sharing === 'user' && users.set(session, root);
        if (isOther || sharing === 'session') instance.rootsChanged();
      }
    },
    levelChanged(session) {
      for (const { instance, users } of entries.values()) if (users.has(session)) instance.levelChanged();
    },
    endSession(session) {
      sessions.get(session)?.abort(new MetadError('cancelled', 'The session ended.'));
      sessions.delete(session);
      for (const [key, entry] of entries) {
        entry.instance.resources.leave(session);
        if (!entry.users.has(session)) continue;
        const { instance } = entry;
        if (instance.lease.definition.sharing === 'session') retire(key, entry, 0);
        else {
          leave(entry, session);
          if (entry.users.size === 0 && instance.status().state === 'cold') entries.delete(key);
        }
      }
    },
    async restart(server) {
      unusable.forget(server);
      const mine = [...entries.values()].filter(({ instance }) => instance.lease.definition.name === server);
      const stopped = await Promise.all(
        mine.map(async ({ instance }) => {
          const ran = await instance.stop();
          instance.reset();
          return ran;
        }),
      );
      return stopped.filter((ran) => ran).length;
    },
    status: () => [
      ...[...entries.values()].map(({ instance, users }) => ({ ...instance.status(), sessions: users.sessions() })),
      ...[...leaving].map((instance) => ({ ...instance.status(), sessions: [] })),
      ...unusable.rows(),
    ],
    callsInFlight: () =>
      [...entries.values()].reduce((sum, { instance }) => sum + instance.pending(), 0) +
      [...leaving].reduce((sum, instance) => sum + instance.pending(), 0),
    kill() {
      closed = true;
      void endLauncher();
      for (const link of links) link.kill();
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      for (const [key, entry] of entries) retire(key, entry, 0);
      const all = Promise.all([
        endLauncher(),
        ...[...leaving].map((instance) => instance.retire(0)),
        ...[...links].map((link) => link.stop()),
      ]);
      if (!(await settledWithin(CLOSE_MS, all))) {
        this.kill();
        await settledWithin(KILL_MS, all);
      }
      await logs.flush();
    },
  };
};

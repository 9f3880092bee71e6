// The control methods' ports: what a person sees of the parts, and asks of them.
import { isWithin, pathText, problemText } from '../../schema/config/problem.ts';
import type { Definition } from '../../schema/config.ts';
import type { Paths } from '../../schema/paths.ts';
import type { JsonObject } from '../../schema/tool.ts';
import { PROTOCOL, type Successor, type SuccessorStatus, VERSION, type WhichWorkspace } from '../../schema/wire.ts';
import { createHandlers } from '../api/handlers.ts';
import { createMemory, type Tree } from '../api/memory.ts';
import { resourcesNow } from '../api/resources.ts';
import type { Environment } from '../config/environment.ts';
import type { ConfigSource } from '../config/source.ts';
import type { Descriptors } from '../descriptors.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../session/registry.ts';
import type { Store, Trusts } from '../store/store.ts';
import type { InstanceStatus } from '../upstream/contract.ts';
import { createControl } from './control.ts';
import { createHere } from './here.ts';
import type { Parts } from './parts.ts';
import type { Places } from './places.ts';
import type { Polling } from './polling.ts';
import { serverRows } from './report.ts';
import { warmthOf } from './warmth.ts';
import { savedBy, whyOf } from './why.ts';

export interface MethodsOptions {
  readonly pid: number;
  readonly paths: Paths;
  readonly startedAt: number;
  readonly config: ConfigSource;
  readonly places: Places;
  readonly environment: Environment;
  readonly store: Store;
  readonly parts: Parts;
  readonly descriptors: Descriptors;
  readonly registry: Registry;
  readonly handover: {
    plan(successor: Successor, withinMs: number, isAsked?: boolean): void;
    status(): SuccessorStatus | null;
    warning(): string | undefined;
  };
  readonly polling: Pick<Polling, 'warning'>;
  readonly rootOf: (cwd: string) => Promise<string | null>;
  /** The workspace that a person means, as a shim would say it. */
  readonly workspaceOf: (which: WhichWorkspace) => Promise<string | null>;
  /** What of workspaces' own files a person trusted. */
  readonly trusts: Trusts;
  readonly log: Log;
  /** Sessions may have other definitions now. */
  readonly onSync: () => void;
  readonly onStop: () => void;
}

/** A line on the shims that are of another version than this daemon, where there are any. */
const otherVersions = (versions: readonly string[]): string | undefined => {
  const others = [...new Set(versions.filter((version) => version !== VERSION))].sort();
  if (others.length === 0) return undefined;
  return `Shims of another version are connected (${others.join(', ')}); the daemon is ${VERSION}. They are served, and new sessions start the installed one.`;
};

/** Loaded when somebody first asks: a daemon that serves agents alone needs none of it. */
export const createMethods = (options: MethodsOptions) => {
  const { pid, paths, config, places, environment, store, parts, registry, handover, workspaceOf } = options;
  const { catalog, pool, calls, ledger, desk } = parts;
  const definitionsAt = places.definitions;
  const memory = createMemory();
  const control = createControl({
    definitionsAt,
    definitions: () => definitions(),
    desk,
    rootOf: options.rootOf,
    onGone: (caller) => ledger.sessionGone(caller, () => pool.now()?.endSession(caller)),
  });
  const here = createHere({
    ...{ places, registry, environment, config, workspaceOf },
    instances: () => pool.now()?.status() ?? [],
    trusts: options.trusts,
    onSync: options.onSync,
    log: options.log,
  });
  const definitions = (): readonly Definition[] => {
    const held = [definitionsAt(null), ...registry.all().map((session) => session.definitions())];
    return [...new Set(held.flatMap((one) => [...one.values()]))];
  };
  const warnings = (): string[] =>
    [
      ...config.problems().map(problemText),
      ...places.problems(),
      store.health === 'disk' ? undefined : store.health,
      environment.warning(),
      parts.typesWarning(),
      handover.warning(),
      options.polling.warning(),
      otherVersions(registry.all().map(({ hello }) => hello.version)),
    ].filter((warning) => warning !== undefined);

  const treesOf = async (instances: readonly InstanceStatus[]): Promise<ReadonlyMap<number, Tree | null>> => {
    const pids = instances.flatMap((instance) => (instance.pid === null ? [] : [instance.pid]));
    return new Map(await Promise.all(pids.map(async (one) => [one, await memory.ofTree(one)] as const)));
  };

  return createHandlers({
    pid,
    daemon: async () => ({
      pid,
      version: VERSION,
      protocol: PROTOCOL,
      uptimeSeconds: Math.round((Date.now() - options.startedAt) / 1000),
      home: paths.home ?? paths.state,
      socket: paths.socket,
      memoryBytes: (await memory.ofProcess(pid)) ?? 0,
      callsInFlight: calls.running().length,
      resources: resourcesNow(),
      descriptors: options.descriptors.now(),
      store: store.health,
      successor: handover.status(),
      warnings: warnings(),
      suggestions: places.held().flatMap((workspace) => {
        const names = places.suggestions(workspace).map(({ name }) => name);
        return names.length === 0 ? [] : [{ workspace, names }];
      }),
    }),
    servers: async () => {
      const instances = pool.now()?.status() ?? [];
      return serverRows({
        definitions: definitions(),
        instances,
        trees: await treesOf(instances),
        viewOf: (definition, owned) => {
          // A cold server belongs to no root: what is known of it for any open session is worth showing.
          const roots = owned === null ? [null, ...registry.all().map((session) => session.root())] : [owned];
          const shown = roots.map((root) =>
            catalog.viewOf(definitionsAt(root), root).servers.find((server) => server.definition === definition),
          );
          return shown.find((server) => server?.listing !== undefined) ?? shown[0];
        },
        rootOfSession: (id) => registry.find(id)?.root() ?? null,
        toolWarningsOf: parts.toolWarningsOf,
        warmthOf: (definition, instance) => warmthOf(definition, instance, store.warmth),
        problemsOf: (name) =>
          config
            .problems()
            .filter(({ path }) => isWithin(path, pathText(['mcpServers', name])))
            .map(problemText),
        now: Date.now(),
      });
    },
    saved: async () => {
      const instances = pool.now()?.status() ?? [];
      // Without a session there is nobody who would have started anything.
      if (registry.size() === 0) return { processes: 0, memoryBytes: 0 };
      const own = [pid, ...registry.all().map(({ hello }) => hello.pid)];
      const [trees, ...sizes] = await Promise.all([treesOf(instances), ...own.map((one) => memory.ofProcess(one))]);
      const { processes, memoryBytes } = savedBy(instances, trees);
      return {
        processes: processes - own.length,
        memoryBytes: memoryBytes - sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
      };
    },
    why: async (server, cwd) => {
      const offered = await here.offered(server, cwd === undefined ? null : await options.rootOf(cwd));
      const definition = control.find(server) ?? offered[0]?.decision.definition ?? control.definitionOf(server);
      const instances = (pool.now()?.status() ?? []).filter(
        ({ server: name, origin }) => name === server && origin === definition.origin,
      );
      const sessions = registry.all().map((session) => session.status());
      const applies = offered.map(({ root, decision: { definition: from, plugin, holds, atoms } }) => ({
        ...{ workspace: root, plugin, origin: from.origin, holds, atoms },
      }));
      return whyOf({ definition, instances, sessions, trees: await treesOf(instances), applies });
    },
    list: here.list,
    suggest: here.suggest,
    sync: here.sync,
    trust: here.trust,
    sessions: () => registry.all().map((session) => session.status()),
    recentCalls: (count) => [...calls.running(), ...store.recentCalls(count)].slice(0, count),
    recentRuns: ledger.recent,
    declarations: ({ cwd }, servers, detail, signal) => control.declarations(cwd, servers, detail, signal),
    call: ({ cwd }, server, tool, args, signal) => control.call(cwd, server, tool, args as JsonObject, signal),
    run: ({ cwd }, script, timeoutMs, signal) => control.run(cwd, script, timeoutMs, signal),
    reload: async (given) => {
      environment.refresh(given);
      await config.reload();
      await places.reload();
      return warnings();
    },
    restart: async (server) => {
      control.definitionOf(server);
      return (await pool()).restart(server);
    },
    handOver: (successor, withinMs) => {
      const waitingFor = parts.inUse();
      // The answer must be on its way before anything ends.
      setImmediate(() => handover.plan(successor, withinMs, true));
      return waitingFor;
    },
    stop: options.onStop,
  });
};

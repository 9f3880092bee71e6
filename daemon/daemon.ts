// Opens the parts in order and introduces them to each other; closes them in reverse. What main.ts and tests start.
import { createHash } from 'node:crypto';
import { pathText, problemText } from '../schema/config/problem.ts';
import type { Definition } from '../schema/config.ts';
import { messageOf } from '../schema/errors.ts';
import type { Paths } from '../schema/paths.ts';
import { PROTOCOL, VERSION } from '../schema/wire.ts';
import { createEvents } from './api/events.ts';
import { createServer } from './api/server.ts';
import { createUpgrade } from './api/upgrade.ts';
import { createCallPath } from './callpath.ts';
import { canonical } from './catalog/catalog.ts';
import { createCurrentCatalog } from './catalog/current.ts';
import { createDeclarations } from './catalog/declarations.ts';
import type { EnvironmentAccount } from './config/base.ts';
import { createEnvironment } from './config/environment.ts';
import { expand } from './config/expand.ts';
import { openConfig } from './config/source.ts';
import { createContact } from './contact.ts';
import { createControl } from './control.ts';
import { createDesk } from './desk.ts';
import { late } from './late.ts';
import { createCloser } from './life/closer.ts';
import { createIdle } from './life/idle.ts';
import { bindSocket } from './life/listen.ts';
import { takeLock } from './life/lock.ts';
import { watchOwnership } from './life/watch.ts';
import type { Log } from './log.ts';
import { createReception } from './reception.ts';
import { createRegistry } from './session/registry.ts';
import { openStore } from './store/open.ts';
import { rootOfDeclared, workspaceOf, workspaceRoot } from './workspace/root.ts';

export interface DaemonOptions {
  readonly account: EnvironmentAccount & { readonly uid: number };
  readonly paths: Paths;
  readonly log: Log;
  /** The process's own variables; they reach servers only where a person's shell started the daemon. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly startedByPerson: boolean;
  /** The bundle of the sandbox worker. */
  readonly workerUrl: URL;
  readonly pid: number;
  /** Asks for the orderly end: idle, lock or socket lost, `metad daemon stop`. */
  readonly onEnd: (reason: string) => void;
}

export interface Daemon {
  close(): Promise<void>;
}

const MINUTE = 60_000;

/**
 * Identity of a definition in the catalog: what it reaches, and for whom its list may differ. A hash, since a pasted
 * definition may hold secrets.
 */
const catalogKeyOf = ({ reach, sharing }: Definition, root: string | null): string =>
  createHash('sha256')
    .update(canonical({ reach, root: sharing === 'user' ? null : root }))
    .digest('hex')
    .slice(0, 32);

/** Undefined where another daemon holds the lock. */
export const startDaemon = async (options: DaemonOptions): Promise<Daemon | undefined> => {
  const { account, paths, log, pid, onEnd } = options;
  const startedAt = Date.now();
  const closer = createCloser({ log });
  const scope = new AbortController();

  const lock = takeLock(paths.lock, { uid: account.uid });
  if (lock === undefined) return undefined;
  closer.add('lock', lock, (held) => held[Symbol.dispose]());
  try {
    const events = createEvents();
    const store = closer.add('store', openStore({ path: paths.database, log }), (open) => open[Symbol.dispose]());

    let ready = (): void => {};
    const opened = new Promise<void>((resolve) => {
      ready = resolve;
    });
    let reception: ReturnType<typeof createReception> | undefined;
    const server = createServer({
      handlers: () => handlers(),
      upgrade: createUpgrade({
        log,
        ready: opened,
        onSession: (hello, socket) => void reception?.(hello, socket).then(() => warmUp()),
      }),
      events,
      ready: opened,
      log,
      signal: scope.signal,
    });
    const socket = closer.add('socket', await bindSocket(server, paths, { uid: account.uid }), (bound) => {
      bound.close();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });

    const config = closer.add(
      'config',
      await openConfig({
        file: paths.configFile,
        log,
        onChange: ({ after }) => {
          pool.now()?.reconcile([...after.servers.values()]);
          idle.setLimit(after.daemon.idleExitMinutes * MINUTE);
          for (const session of registry.all()) session.refresh();
          events.emit({ kind: 'servers' });
        },
        onProblems: () => events.emit({ kind: 'warnings' }),
      }),
      (open) => open[Symbol.asyncDispose](),
    );
    const environment = closer.add(
      'environment',
      createEnvironment({ account, processEnv: options.environment, trusted: options.startedByPerson, log }),
      (open) => open[Symbol.dispose](),
    );

    const catalog = createCurrentCatalog({
      known: store.listings(),
      keyOf: catalogKeyOf,
      save: (listing) => store.saveListing(listing),
      onChanged: (from, to, change) => {
        for (const session of registry.all()) session.catalogChanged(from, to, change);
        events.emit({ kind: 'catalog', revision: to });
      },
    });
    const pool = late(async () => {
      const [{ createPool }] = await Promise.all([import('./upstream/pool.ts'), environment.ready()]);
      return createPool({
        log,
        expand: (definition) => expand(definition, { variables: environment.variables() }),
        baseEnvironment: environment.base,
        home: account.home,
        logs: paths.logs,
        onListed: (definition, owner, listed) => catalog.take(definition, owner.root, listed),
        onChange: () => {
          idle.update();
          events.emit({ kind: 'servers' });
        },
      });
    });
    closer.add('servers', pool, async () => pool.now()?.[Symbol.asyncDispose]());
    const sandbox = late(async () => {
      const { createSandbox } = await import('./sandbox/pool.ts');
      return createSandbox({
        log,
        maxWorkers: config.config().execute.maxWorkers,
        memoryBytes: config.config().execute.memoryMiB * 1024 * 1024,
        workerUrl: options.workerUrl,
      });
    });
    closer.add('sandbox', sandbox, async () => sandbox.now()?.[Symbol.asyncDispose]());

    let runs = 0;
    const calls = createCallPath({
      pool,
      record: (call) => store.recordCall(call),
      onChange: () => events.emit({ kind: 'calls' }),
      now: Date.now,
    });
    const desk = createDesk({
      config: config.config,
      catalog,
      declare: createDeclarations(),
      calls,
      contact: createContact({ pool, waitSeconds: () => config.config().listTools.waitSeconds, log }),
      statuses: () => pool.now()?.status() ?? [],
      sandbox,
      onRun: (change) => {
        runs += change;
        idle.update();
      },
    });
    const registry = createRegistry(() => {
      idle.update();
      events.emit({ kind: 'sessions' });
    });
    const idle = closer.add(
      'idle',
      createIdle({
        limitMs: config.config().daemon.idleExitMinutes * MINUTE,
        use: () => ({ sessions: registry.size(), calls: runs + (pool.now()?.callsInFlight() ?? 0) }),
        onIdle: () => onEnd('idle'),
      }),
      (timer) => timer[Symbol.dispose](),
    );
    const folders = { home: account.home };
    reception = createReception({
      log,
      config: config.config,
      registry,
      desk,
      workspaceOf: (hello) => workspaceOf(hello, folders),
      rootFrom: (folder) => rootOfDeclared([folder], folders),
      concerns: (key, root) => catalog.viewOf(config.config().servers, root).servers.some((shown) => shown.key === key),
      onChange: () => events.emit({ kind: 'sessions' }),
      onGone: (session) => pool.now()?.endSession(session),
      now: Date.now,
    });

    const warnings = (): string[] =>
      [
        ...config.problems().map(problemText),
        store.health === 'disk' ? undefined : store.health,
        environment.warning(),
      ].filter((warning) => warning !== undefined);
    const handlers = late(async () => {
      const [{ createHandlers }, { createMemory }, { serverRows }] = await Promise.all([
        import('./api/handlers.ts'),
        import('./api/memory.ts'),
        import('./report.ts'),
      ]);
      const memory = createMemory();
      const control = createControl({
        config: config.config,
        desk,
        rootOf: (cwd) => workspaceRoot(cwd, folders),
        onGone: (caller) => pool.now()?.endSession(caller),
      });
      return createHandlers({
        pid,
        daemon: async () => ({
          pid,
          version: VERSION,
          protocol: PROTOCOL,
          uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
          home: paths.home ?? paths.state,
          socket: paths.socket,
          memoryBytes: (await memory.ofProcess(pid)) ?? 0,
          callsInFlight: runs + calls.running().length,
          store: store.health,
          warnings: warnings(),
        }),
        servers: async () => {
          const instances = pool.now()?.status() ?? [];
          const pids = instances.flatMap((instance) => (instance.pid === null ? [] : [instance.pid]));
          const bytes = await Promise.all(pids.map((one) => memory.ofGroup(one)));
          return serverRows({
            definitions: config.config().servers.values(),
            instances,
            memory: new Map(pids.map((one, at) => [one, bytes[at] ?? 0])),
            listingOf: (definition, root) =>
              catalog
                .viewOf(config.config().servers, root)
                .servers.find((shown) => shown.definition.name === definition.name)?.listing,
            problemsOf: (name) =>
              config
                .problems()
                .filter(({ path }) => path.startsWith(pathText(['mcpServers', name])))
                .map(problemText),
            now: Date.now(),
          });
        },
        sessions: () => registry.all().map((session) => session.status()),
        recentCalls: (count) => [...calls.running(), ...store.recentCalls(count)].slice(0, count),
        declarations: ({ cwd }, servers, detail, signal) => control.declarations(cwd, servers, detail, signal),
        call: ({ cwd }, named, tool, args, signal) => control.call(cwd, named, tool, args as never, signal),
        run: ({ cwd }, script, timeoutMs, signal) => control.run(cwd, script, timeoutMs, signal),
        reload: async (given) => {
          environment.refresh(given);
          await config.reload();
          return warnings();
        },
        restart: async (name) => {
          control.checkServer(name);
          return (await pool()).restart(name);
        },
        stop: () => onEnd('metad daemon stop'),
      });
    });

    /** What a first session does not wait for: loaded once it is being answered. */
    const warmUp = (): void => {
      const quietly = (name: string, work: Promise<unknown>) =>
        void work.catch((error: unknown) => log('late-part.failed', { part: name, error: messageOf(error) }));
      setImmediate(() => {
        quietly('environment', environment.ready());
        quietly('servers', pool());
        quietly('sandbox', sandbox());
        quietly('config watch', config.watch());
      });
    };

    closer.add('sessions', registry, (open) => {
      scope.abort(new Error('metad is stopping.'));
      events.emit({ kind: 'closing' });
      for (const session of open.all()) session.close();
    });
    const ownership = watchOwnership({ owned: [lock, socket], onLost: onEnd });
    closer.add('ownership', ownership, (watch) => watch[Symbol.dispose]());
    store.pruneListings(
      new Set([...config.config().servers.values()].map((definition) => catalogKeyOf(definition, null))),
    );
    ready();
    log('ready', { version: VERSION, socket: paths.socket, milliseconds: Date.now() - startedAt });
    return {
      close: async () => {
        await closer.close();
      },
    };
  } catch (error) {
    await closer.close();
    throw error;
  }
};

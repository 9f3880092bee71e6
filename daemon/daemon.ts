// Opens the parts in order and introduces them to each other; closes them in reverse. What main.ts and tests start.
import type { Duplex } from 'node:stream';
import { MetadError, messageOf } from '../schema/errors.ts';
import type { Paths } from '../schema/paths.ts';
import { type Hello, VERSION } from '../schema/wire.ts';
import { createEvents } from './api/events.ts';
import type { EnvironmentAccount } from './config/base.ts';
import { createEnvironment } from './config/environment.ts';
import { openConfig } from './config/source.ts';
import { createDescriptors } from './descriptors.ts';
import { agentsOf } from './desk/agents.ts';
import { createParts } from './desk/parts.ts';
import { createPlaces } from './desk/places.ts';
import { createPolling } from './desk/polling.ts';
import { createReception } from './desk/reception.ts';
import { createFront } from './front.ts';
import { late } from './late.ts';
import { type Closer, createCloser } from './life/closer.ts';
import { createHandover } from './life/handover.ts';
import { createIdle } from './life/idle.ts';
import { type Lock, takeLockWithin } from './life/lock.ts';
import { createMeeting, isNewer } from './life/meeting.ts';
import { startSuccessor } from './life/successor.ts';
import { watchOwnership } from './life/watch.ts';
import type { Log } from './log.ts';
import { createRegistry } from './session/registry.ts';
import { openChoices } from './store/choices/choices.ts';
import { openStore } from './store/open.ts';
import { rootOfDeclared, workspaceOf, workspaceRoot } from './workspace/root.ts';

export interface DaemonOptions {
  readonly account: EnvironmentAccount & { readonly uid: number };
  readonly paths: Paths;
  readonly log: Log;
  /** The process's own variables; they reach servers only where a person's shell started the daemon. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly startedByPerson: boolean;
  /** Milliseconds for which a daemon that is leaving is waited for; 0: whoever has the lock stays the daemon. */
  readonly lockWaitMs?: number;
  /** The bundle of the sandbox worker. */
  readonly workerUrl: URL;
  /** The bundle of the worker that reads lockfiles. */
  readonly surveyUrl: URL;
  readonly pid: number;
  /** Asks for the orderly end: idle, lock or socket lost, `metad daemon stop`. */
  readonly onEnd: (reason: string) => void;
}

export interface Daemon {
  close(): Promise<void>;
  /** Ends every process that it started, at once: for an exit that waits for nothing. */
  abandon(): void;
}

const MINUTE = 60_000;

/** Undefined where another daemon holds the lock. Rejects, with everything closed again, where a part cannot open. */
export const startDaemon = async (options: DaemonOptions): Promise<Daemon | undefined> => {
  const closer = createCloser({ log: options.log });
  const { lock: path, socket } = options.paths;
  const lock = await takeLockWithin(path, { uid: options.account.uid, socket, waitMs: options.lockWaitMs ?? 0 });
  if (lock === undefined) return undefined;
  closer.add('lock', lock, (held) => held[Symbol.dispose]());
  let abandon = (): void => {};
  try {
    abandon = await open(options, lock, closer);
  } catch (error) {
    await closer.close();
    throw error;
  }
  return {
    close: async () => {
      await closer.close();
    },
    abandon,
  };
};

/** Gives what ends every process that the parts started, at once. */
const open = async (options: DaemonOptions, lock: Lock, closer: Closer): Promise<() => void> => {
  const { account, paths, log, pid, onEnd } = options;
  const startedAt = Date.now();
  const scope = new AbortController();
  const events = createEvents();
  const folders = { home: account.home };
  const descriptors = createDescriptors();
  const polling = createPolling(() => events.emit({ kind: 'warnings' }));

  const store = closer.add('store', openStore({ path: paths.database, log }), (kept) => kept[Symbol.dispose]());
  const choices = closer.add('choices', openChoices({ path: `${paths.data}/choices.db` }), (kept) =>
    kept[Symbol.dispose](),
  );

  const front = await createFront({ paths, uid: account.uid, events, descriptors, log, signal: scope.signal });
  closer.add('socket', front, (door) => {
    scope.abort(new Error('metad is stopping.'));
    return door.close();
  });
  const ownership = watchOwnership({ owned: [lock, front.socket], onLost: onEnd });
  closer.add('ownership', ownership, (watch) => watch[Symbol.dispose]());

  const source = await openConfig({
    file: paths.configFile,
    log,
    onChange: ({ after, difference }) => {
      if (['pluginFolders', 'registries'].some((key) => difference.settings.includes(key)))
        quietly('plugins', places.reload());
      applied();
      idle.setLimit(after.daemon.idleExitMinutes * MINUTE);
    },
    onProblems: () => events.emit({ kind: 'warnings' }),
    watching: { onPolling: polling.tell },
  });
  const config = closer.add('config', source, (watched) => watched[Symbol.asyncDispose]());
  const environment = closer.add(
    'environment',
    createEnvironment({
      account,
      processEnv: options.environment,
      trusted: options.startedByPerson,
      asksShell: () => config.config().daemon.loginShell,
      log,
    }),
    (taken) => taken[Symbol.asyncDispose](),
  );

  const places = createPlaces({
    config: config.config,
    plugins: paths.plugins,
    home: account.home,
    environment,
    store,
    choices,
    data: paths.data,
    signal: scope.signal,
    version: VERSION,
    surveyUrl: options.surveyUrl,
    onFiles: (root) => parts.pool.now()?.relist(root),
    onChange: () => applied(),
    onPolling: polling.tell,
    log,
  });
  closer.add('workspaces', places, (watched) => watched[Symbol.asyncDispose]());
  const definitionsAt = places.definitions;
  /** The definitions that apply somewhere may be others now. */
  const applied = (): void => {
    parts.pool
      .now()
      ?.reconcile(({ session, root }) =>
        session === null ? definitionsAt(root) : (registry.find(session)?.definitions() ?? definitionsAt(root)),
      );
    for (const session of registry.all()) session.refresh();
    events.emit({ kind: 'servers' });
  };

  const registry = createRegistry(() => {
    idle.update();
    events.emit({ kind: 'sessions' });
  });
  const parts = createParts({
    log,
    home: account.home,
    logs: paths.logs,
    state: paths.state,
    workerUrl: options.workerUrl,
    config: config.config,
    definitionsAt,
    waitingAt: places.waiting,
    environment,
    store,
    choices,
    descriptors,
    emit: events.emit,
    onUse: () => {
      idle.update();
      handover.update();
    },
    ...agentsOf(registry),
  });
  closer.add('groups', parts.groups, (groups) => groups[Symbol.asyncDispose]());
  closer.add('servers', parts.pool, (pool) => pool[Symbol.asyncDispose]());
  closer.add('sandbox', parts.sandbox, (sandbox) => sandbox[Symbol.asyncDispose]());
  closer.add('prewarm', parts.prewarm, (prewarm) => prewarm[Symbol.dispose]());
  closer.add('types', parts.types, (types) => types[Symbol.asyncDispose]());
  const idle = createIdle({
    limitMs: config.config().daemon.idleExitMinutes * MINUTE,
    use: () => ({ sessions: registry.size(), calls: parts.inUse() }),
    onIdle: () => onEnd('idle'),
  });
  closer.add('idle', idle, (timer) => timer[Symbol.dispose]());

  let callOff = (): void => {};
  const handover = createHandover({
    inUse: parts.inUse,
    prepare: async (successor) => {
      const { environment: own, startedByPerson } = options;
      const waiting = await startSuccessor(successor, { paths, environment: own, startedByPerson });
      callOff = waiting.callOff;
      return waiting;
    },
    onLeave: () => setImmediate(onEnd, 'hand-over'),
    onChange: () => events.emit({ kind: 'sessions' }),
    isNewer,
    log,
  });
  closer.add('handover', handover, (planned) => planned[Symbol.dispose]());

  const quietly = (part: string, work: Promise<unknown>) =>
    void work.catch((error: unknown) => log('late-part.failed', { part, error: messageOf(error) }));
  const watchConfig = () => quietly('config watch', config.watch());
  const rootOf = (cwd: string) => workspaceRoot(cwd, folders);
  const methods = late(async () => {
    const { createMethods } = await import('./desk/methods.ts');
    watchConfig(); // a person may change it before the first agent comes
    const onStop = () => {
      callOff(); // a person's stop is for whoever follows too
      onEnd('metad daemon stop');
    };
    return createMethods({
      pid,
      paths,
      startedAt,
      config,
      places,
      environment,
      store,
      parts,
      descriptors,
      registry,
      handover,
      polling,
      rootOf,
      workspaceOf: (which) => workspaceOf({ ...which, environment: {} }, folders),
      trusts: choices.trusts,
      log,
      onSync: applied,
      onStop,
    });
  });
  const receive = createReception({
    log,
    config: config.config,
    registry,
    parts,
    places,
    isLeaving: () => handover.status() !== null,
    workspaceOf: (hello) => workspaceOf(hello, folders),
    rootFrom: (folder) => rootOfDeclared([folder], folders),
    onChange: () => events.emit({ kind: 'sessions' }),
    now: Date.now,
  });
  closer.add('sessions', registry, (sessions) => {
    scope.abort(new Error('metad is stopping.'));
    events.emit({ kind: 'closing' });
    for (const session of sessions.all()) session.close();
  });
  closer.add('runs', parts.ledger, (ledger) => {
    ledger.interrupt();
    // Whoever waits is told before its session closes.
    return new Promise<void>((resolve) => setImmediate(resolve));
  });

  /** What a first session does not wait for: loaded once it is being answered. */
  const warmUp = (): void => {
    if (scope.signal.aborted) return;
    quietly('environment', environment.ready().then(applied)); // predicates may ask for its variables
    quietly('servers', parts.pool());
    quietly('sandbox', parts.sandbox());
    watchConfig();
    quietly('plugins', places.watch());
  };
  const admit = async (hello: Hello): Promise<(socket: Duplex) => void> => {
    // After a refusal too: the reason may be the config, whose next change must be seen.
    setImmediate(warmUp);
    descriptors.check('session', 'metad takes no further session');
    await places.ready();
    const begin = await receive(hello);
    // 503 to the shim: it waits for the next daemon.
    if (scope.signal.aborted) throw new MetadError('unavailable', 'metad is stopping.');
    return begin;
  };
  store.pruneListings();
  front.open({ methods, admit, meet: createMeeting({ plan: handover.plan, log }) });
  // Also where nobody asks for a server: what a killed daemon left is no use to anyone.
  setImmediate(() => scope.signal.aborted || quietly('groups', parts.groups()));
  log('ready', { version: VERSION, socket: paths.socket, milliseconds: Date.now() - startedAt });
  return () => {
    parts.pool.now()?.kill();
    parts.types.now()?.kill();
    void environment[Symbol.asyncDispose](); // its first signal goes out at once
    scope.abort(new Error('metad is stopping.')); // ends git
  };
};

// What does the work, whoever asks: the catalog as it is now, the backing servers, the sandbox, the call path.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config, Definition } from '../../schema/config.ts';
import { messageOf } from '../../schema/errors.ts';
import type { Level } from '../../schema/level.ts';
import type { JsonObject } from '../../schema/tool.ts';
import type { ControlEvent } from '../../schema/wire.ts';
import type { Checker } from '../arguments/check.ts';
import { type Change, canonical } from '../catalog/catalog.ts';
import { type CurrentCatalog, createCurrentCatalog } from '../catalog/current.ts';
import { createDeclarations, type Declarations } from '../catalog/declarations.ts';
import { createSearch } from '../catalog/search.ts';
import { createShapes } from '../catalog/shapes.ts';
import type { ViewServer } from '../catalog/view.ts';
import type { Environment } from '../config/environment.ts';
import { createExpander } from '../config/expander.ts';
import type { Descriptors } from '../descriptors.ts';
import { type Late, late } from '../late.ts';
import type { Log } from '../log.ts';
import { createLedger, type Ledger } from '../run/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AgentResources } from '../session/resources.ts';
import type { Choices, Store } from '../store/store.ts';
import type { SurfacePorts } from '../surface/ports.ts';
import { findChecker, missingChecker } from '../types/find.ts';
import type { Types } from '../types/types.ts';
import type { Asker, Pool } from '../upstream/contract.ts';
import type { Groups } from '../upstream/groups/groups.ts';
import { type Caller, type CallPath, createCallPath } from './call/callpath.ts';
import { createLearning } from './call/learn.ts';
import { createMismatches } from './call/mismatch.ts';
import { createContact } from './contact.ts';
import { createDesk } from './desk.ts';
import { createKeeping } from './keeping.ts';
import { createPrewarm, type Prewarm } from './prewarm.ts';
import { createAgentResources } from './resources/resources.ts';
import { createTypeNotes } from './type-notes.ts';

export interface PartsOptions {
  readonly log: Log;
  readonly home: string;
  readonly logs: string;
  /** A folder for what parts keep of their own. */
  readonly state: string;
  /** In `dist/` of metad's own package. */
  readonly workerUrl: URL;
  readonly config: () => Config;
  /** The definitions that apply at a workspace root. */
  readonly definitionsAt: (root: string | null) => ReadonlyMap<string, Definition>;
  /** Servers of a root's own that wait for the person's trust. */
  readonly waitingAt: (root: string | null) => number;
  readonly environment: Environment;
  readonly store: Store;
  readonly descriptors: Descriptors;
  readonly choices: Choices;
  readonly emit: (event: ControlEvent) => void;
  /** Calls or runs began or ended. */
  readonly onUse: () => void;
  /** A log message of a server that these sessions use. */
  readonly onMessage: (sessions: Iterable<string>, server: string, params: JsonObject) => void;
  readonly onResourceUpdated: (sessions: readonly string[], params: JsonObject) => void;
  readonly levelOf: (session: string) => Level | undefined;
  readonly askerOf: (session: string) => Asker | undefined;
  readonly onCatalogChanged: (from: number, to: number, change: Change) => void;
}

export interface Parts {
  readonly catalog: CurrentCatalog;
  readonly declarations: Declarations;
  /** The process groups that are on record; loading it ends what a killed daemon left. */
  readonly groups: Late<Groups>;
  readonly pool: Late<Pool>;
  readonly sandbox: Late<Sandbox>;
  readonly types: Late<Types>;
  /** What keeps type notes from being had, where they are asked for. */
  readonly typesWarning: () => string | undefined;
  readonly calls: CallPath;
  readonly ledger: Ledger;
  readonly desk: (caller: Caller) => SurfacePorts;
  readonly resources: (caller: Caller) => AgentResources;
  readonly prewarm: Prewarm;
  /** What is odd about a server's tools, as far as it is known. */
  readonly toolWarningsOf: (server: ViewServer) => readonly string[];
  /** Calls and scripts going on now. */
  readonly inUse: () => number;
}

const MIB = 1024 * 1024;

/** Equal for what is equal but for the order of its keys. */
const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

const close = (part: AsyncDisposable): PromiseLike<void> => part[Symbol.asyncDispose]();

/**
 * Identity of a definition in the catalog: what it reaches, and for whom its list may differ. A hash, since a pasted
 * definition may hold secrets.
 */
const catalogKeyOf = ({ reach, sharing }: Definition, root: string | null): string =>
  hashOf({ reach, root: sharing === 'user' ? null : root });

export const createParts = (options: PartsOptions): Parts => {
  const { log, config, environment, store, emit, onUse } = options;
  const shapes = createShapes({
    isOn: () => config().learnReturnTypes,
    hashOf,
    load: (key) => store.shapes(key),
    save: (row) => store.saveShape(row),
    remove: (key, tool) => store.removeShape(key, tool),
  });
  const search = createSearch({ index: () => store.toolIndex(), pause: () => setImmediate() });
  const catalog = createCurrentCatalog({
    known: () => store.listings(),
    onUsed: (keys) => store.useListings(keys),
    keyOf: catalogKeyOf,
    save: (listing) => {
      store.saveListing(listing);
      search
        .renew(listing.key, listing.tools)
        .catch((error: unknown) => log('search.failed', { server: listing.server, error: messageOf(error) }));
    },
    onChanged: (from, to, change) => {
      shapes.forget(change.key, [...change.removed, ...change.altered]);
      options.onCatalogChanged(from, to, change);
      emit({ kind: 'catalog', revision: to });
    },
  });

  const groups = late(async (): Promise<Groups> => {
    const { openGroups } = await import('../upstream/groups/groups.ts');
    return openGroups({ folder: join(options.state, 'groups'), log });
  }, close);

  // Both wait until the first session is answered: they cost more to load than all that it needs.
  const pool = late(async (): Promise<Pool> => {
    const [{ createPool }, { createLauncher }, { add, environment: mark, reaped }] = await Promise.all([
      import('../upstream/pool.ts'),
      import('../upstream/launch/launcher.ts'),
      groups(),
      environment.ready(),
    ]);
    // Two processes of one server would have one database, port or browser profile between them.
    await reaped;
    return createPool({
      log,
      expand: createExpander(environment.variables),
      beforeStart: (server) => options.descriptors.check('server', `Server \`${server}\` is not started`),
      baseEnvironment: () => ({ ...environment.base(), ...mark() }),
      home: options.home,
      logs: `${options.logs}/servers`,
      onMessage: options.onMessage,
      onResourceUpdated: (sessions, _, params) => options.onResourceUpdated(sessions, params),
      levelOf: options.levelOf,
      askerOf: options.askerOf,
      marks: store,
      onGroup: (server, group) => {
        const forget = add(server, group);
        return () => void forget();
      },
      launcher: createLauncher({ kept: store.warmth, log }),
      directStart: () => config().directStart,
      onStarted: ({ name }, { ms, how = '' }) => store.warmth.recordStart({ server: name, at: Date.now(), ms, how }),
      onListed: (definition, owner, listed) => catalog.take(definition, owner.root, listed),
      onChange: () => {
        onUse();
        emit({ kind: 'servers' });
      },
    });
  }, close);
  const sandbox = late(async (): Promise<Sandbox> => {
    const { createSandbox } = await import('../sandbox/pool.ts');
    const { maxWorkers, memoryMiB } = config().execute;
    return createSandbox({ log, maxWorkers, memoryBytes: memoryMiB * MIB, workerUrl: options.workerUrl });
  }, close);

  const own = fileURLToPath(new URL('..', options.workerUrl)).replace(/[\\/]$/, '');
  const types = late(async (): Promise<Types> => {
    const { createTypes } = await import('../types/types.ts');
    const program = () => {
      const found = findChecker(own);
      return 'program' in found ? found.program : undefined;
    };
    return createTypes({ log, program, folder: join(options.state, 'types') });
  }, close);

  // A daemon that is only asked what there is needs no ajv.
  const checker = late(async (): Promise<Checker> => {
    const { createChecker } = await import('../arguments/check.ts');
    return createChecker({ unchecked: (tool, why) => log('arguments.unchecked', { tool, why }) });
  });

  const learning = createLearning(shapes, log);
  const watchResult = createMismatches({ checker: checker.now, log });
  const calls = createCallPath({
    pool,
    record: (call) => store.recordCall(call),
    onCall: (server, root) => store.warmth.recordUse({ workspace: root ?? '', server, at: Date.now() }),
    onChange: () => {
      onUse();
      emit({ kind: 'calls' });
    },
    check: async (server, tool, args) => (checker.now() ?? (await checker())).args(server.namespace, tool, args),
    observe: (server, tool, result) => {
      learning(server, tool, result);
      watchResult(server, tool, result);
    },
    now: Date.now,
  });
  const ledger = createLedger({
    store,
    keepsArguments: () => config().execute.traceArguments,
    onChange: () => {
      onUse();
      emit({ kind: 'calls' });
    },
  });
  const declarations = createDeclarations(shapes.observed);
  const desk = createDesk({
    config,
    catalog,
    waitingAt: options.waitingAt,
    declare: declarations.declare,
    search,
    calls,
    contact: createContact({ pool, waitSeconds: () => config().listTools.waitSeconds, log }),
    statuses: () => pool.now()?.status() ?? [],
    sandbox,
    typeNotes: createTypeNotes(declarations.declare, types),
    keeping: createKeeping({ store, choices: options.choices }),
    ledger,
  });
  const resources = createAgentResources({ pool, log });
  const toolWarningsOf = (server: ViewServer) => [...declarations.warningsOf(server), ...watchResult.of(server.tools)];
  const typesWarning = () => (config().execute.typeNotes ? missingChecker(own) : undefined);
  const inUse = () => ledger.running() + calls.running().length;
  return {
    catalog,
    declarations,
    groups,
    pool,
    sandbox,
    types,
    typesWarning,
    calls,
    ledger,
    desk,
    resources,
    prewarm: createPrewarm({
      isOn: () => config().prewarm,
      definitionsAt: options.definitionsAt,
      warmth: store.warmth,
      pool,
      log,
    }),
    toolWarningsOf,
    inUse,
  };
};

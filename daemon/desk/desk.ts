// What one caller can do: see its view, meet servers, call tools, run scripts. The four surfaces stand on this.
import type { Config, Definition } from '../../schema/config.ts';
import type { CurrentCatalog } from '../catalog/current.ts';
import type { Declare } from '../catalog/declarations.ts';
import type { Search } from '../catalog/search.ts';
import type { Ledger, RunOwner } from '../run/ledger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SurfacePorts, TypeNotes } from '../surface/ports.ts';
import type { InstanceStatus, Owner } from '../upstream/pool.ts';
import { type Caller, type CallPath, ownerOf } from './call/callpath.ts';
import { inParallel } from './call/parallel.ts';
import { instanceFor, stateFor } from './contact.ts';
import type { Keeping } from './keeping.ts';

export interface DeskOptions {
  readonly config: () => Config;
  readonly catalog: CurrentCatalog;
  /** Servers of a root's own that wait for the person's trust. */
  readonly waitingAt: (root: string | null) => number;
  readonly declare: Declare;
  readonly search: Search;
  readonly calls: CallPath;
  readonly contact: (definitions: readonly Definition[], owner: Owner, signal: AbortSignal) => Promise<void>;
  readonly statuses: () => readonly InstanceStatus[];
  readonly sandbox: () => Promise<Sandbox>;
  readonly typeNotes: TypeNotes;
  readonly keeping: Keeping;
  readonly ledger: Ledger;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const runOwnerOf = (caller: Caller): RunOwner => ({
  session: caller.id,
  agent: caller.agent?.() ?? 'unknown',
  root: caller.root(),
});

export const createDesk =
  ({
    config,
    catalog,
    waitingAt,
    declare,
    search,
    calls,
    contact,
    statuses,
    sandbox,
    typeNotes,
    keeping,
    ledger,
  }: DeskOptions) =>
  (caller: Caller): SurfacePorts => ({
    view: () => catalog.viewOf(caller.definitions(), caller.root()),
    waiting: () => waitingAt(caller.root()),
    get budgetTokens() {
      return config().listTools.budgetTokens;
    },
    get scriptSeconds() {
      const { timeoutSeconds, totalSeconds } = config().execute;
      return { standard: timeoutSeconds, most: totalSeconds };
    },
    get maxOutputCharacters() {
      return config().execute.maxOutputCharacters;
    },
    unlisted: (servers) => {
      const relisting = statuses().filter((status) => status.relisting);
      return servers.filter(
        ({ listing, definition }) =>
          listing === undefined ||
          (relisting.length > 0 && instanceFor(relisting, definition, ownerOf(caller)) !== undefined),
      );
    },
    discover: (servers, signal) =>
      contact(
        servers.map(({ definition }) => definition),
        ownerOf(caller),
        signal,
      ),
    declare,
    search,
    stateOf: ({ definition }) => stateFor(instanceFor(statuses(), definition, ownerOf(caller))),
    call: (server, tool, args, scope) => calls.call(caller, server, tool, args, scope),
    get typeNotes() {
      return config().execute.typeNotes ? typeNotes : undefined;
    },
    ...keeping(caller),
    run: async ({ script, namespaces, timeoutMs, signal, call, service }) => {
      const { totalSeconds, memoryMiB, stackKiB, maxCalls, maxLogCharacters, maxParallelCalls } = config().execute;
      const engine = await sandbox();
      return engine.run({
        script,
        namespaces,
        signal,
        call: inParallel(call, maxParallelCalls),
        ...(service && { service }),
        limits: {
          timeoutMs,
          totalMs: totalSeconds * 1000,
          memoryBytes: memoryMiB * MIB,
          stackBytes: stackKiB * KIB,
          maxCalls,
          maxLogCharacters,
        },
      });
    },
    beginRun: (work, options) => ledger.begin(runOwnerOf(caller), work, options),
    findRun: (id) => ledger.find(runOwnerOf(caller), id),
    get detachSeconds() {
      return config().execute.detachSeconds;
    },
  });

// Where a shim's connection becomes a session: its workspace, its surface, its place among the others.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Config } from '../../schema/config.ts';
import type { Hello } from '../../schema/wire.ts';
import { checkSurface } from '../api/hello.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../session/registry.ts';
import { openSession, type Session } from '../session/session.ts';
import { createCodeSurface } from '../surface/code.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Caller } from './call/callpath.ts';
import type { Parts } from './parts.ts';

export interface ReceptionOptions {
  readonly log: Log;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly parts: Pick<Parts, 'catalog' | 'desk' | 'ledger' | 'pool' | 'prewarm' | 'resources'>;
  readonly places: Workspaces;
  /** Whether this daemon is about to leave: then it starts nothing ahead. */
  readonly isLeaving: () => boolean;
  /** The workspace of a hello (what it was told, else where it stands). @throws MetadError where `--workspace` names no folder. */
  readonly workspaceOf: (hello: Hello) => Promise<string | null>;
  readonly rootFrom: (folder: string) => Promise<string | null>;
  readonly onChange: () => void;
  readonly now: () => number;
}

/** What the first session of a workspace waits for its lockfiles to be read. */
const KNOWN_MS = 400;

const callerOf = (session: Session): Caller => ({
  id: session.id,
  root: session.root,
  asker: session.asker,
  definitions: session.definitions,
  agent: () => session.status().agent,
});

/**
 * Finds out what a hello asks for; what it gives opens the session on the shim's socket.
 * @throws MetadError `unsupported` for a surface that is not there, or as `workspaceOf`.
 */
export const createReception =
  (options: ReceptionOptions) =>
  async (hello: Hello): Promise<(socket: Duplex) => void> => {
    const { registry, parts, places, log, now, onChange } = options;
    const { catalog, desk, ledger, pool, prewarm, resources } = parts;
    const surface = hello.surface ?? options.config().surface;
    checkSurface(surface);
    const root = await options.workspaceOf(hello);
    await places.known(root, KNOWN_MS);
    const gone = (closed: Session): void => {
      registry.remove(closed);
      places.release(closed.id);
      ledger.sessionGone(closed.id, () => pool.now()?.endSession(closed.id));
    };
    const stateOf = (session: Session) => {
      if (!registry.all().includes(session) || options.isLeaving()) return 'gone';
      return session.status().protocol === null ? 'opening' : 'open';
    };
    return (socket) => {
      const session = openSession({
        id: randomUUID().slice(0, 8),
        hello,
        surface,
        socket,
        root,
        log,
        now,
        rootFrom: options.rootFrom,
        definitionsAt: places.definitions,
        isFollowing: () => options.config().autoSync,
        concerns: (key, { definitions, root: rootOf }) =>
          catalog.viewOf(definitions(), rootOf()).servers.some((shown) => shown.key === key),
        onRoots: ({ id, root: rootOf }) => {
          places.hold(id, rootOf());
          pool.now()?.rootsChanged(id, rootOf());
        },
        onLevel: ({ id }) => pool.now()?.levelChanged(id),
        onChange,
        viewFor: (opened) => createCodeSurface(desk(callerOf(opened)), hello.callTool === true),
        resourcesFor: (opened) => resources(callerOf(opened)),
        onClose: gone,
      });
      registry.add(session);
      places.hold(session.id, session.root());
      prewarm.opened(
        () => ({ session: session.id, root: session.root() }),
        () => stateOf(session),
      );
    };
  };

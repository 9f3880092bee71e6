// Where a shim's connection becomes a session: its workspace, its surface, its place among the others.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Config } from '../../schema/config.ts';
import type { Hello } from '../../schema/wire.ts';
import { checkSurface } from '../api/hello.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../session/registry.ts';
import type { AgentResources } from '../session/resources.ts';
import type { Definitions } from '../session/selection.ts';
import { openSession, type Session } from '../session/session.ts';
import { createCodeSurface } from '../surface/code.ts';
import type { SurfacePorts } from '../surface/ports.ts';
import type { Caller } from './call/callpath.ts';

export interface ReceptionOptions {
  readonly log: Log;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly desk: (caller: Caller) => SurfacePorts;
  readonly resources: (caller: Caller) => AgentResources;
  /** The workspace of a hello (what it was told, else where it stands). @throws MetadError where `--workspace` names no folder. */
  readonly workspaceOf: (hello: Hello) => Promise<string | null>;
  readonly rootFrom: (folder: string) => Promise<string | null>;
  readonly definitionsAt: (root: string | null) => Definitions;
  /** Resolves when what applies at a root is known, within a bounded time. */
  readonly known: (root: string | null) => Promise<void>;
  readonly concerns: (key: string, session: Session) => boolean;
  readonly onChange: () => void;
  readonly onRoots: (session: Session) => void;
  readonly onLevel: (session: Session) => void;
  /** A session was opened on its shim's socket. */
  readonly onOpened?: (session: Session) => void;
  /** A session is gone; its own instances may go too. */
  readonly onGone: (session: string) => void;
  readonly now: () => number;
}

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
    const { registry, onChange, onGone } = options;
    const surface = hello.surface ?? options.config().surface;
    checkSurface(surface);
    const root = await options.workspaceOf(hello);
    await options.known(root);
    return (socket) => {
      const session = openSession({
        id: randomUUID().slice(0, 8),
        hello,
        surface,
        socket,
        root,
        log: options.log,
        now: options.now,
        rootFrom: options.rootFrom,
        definitionsAt: options.definitionsAt,
        isFollowing: () => options.config().autoSync,
        concerns: options.concerns,
        onRoots: options.onRoots,
        onLevel: options.onLevel,
        onChange,
        viewFor: (opened) => createCodeSurface(options.desk(callerOf(opened)), hello.callTool === true),
        resourcesFor: (opened) => options.resources(callerOf(opened)),
        onClose: (closed) => {
          registry.remove(closed);
          onGone(closed.id);
        },
      });
      registry.add(session);
      options.onOpened?.(session);
    };
  };

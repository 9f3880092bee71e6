// Where a shim's connection becomes a session: its workspace, its surface, its place among the others.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Config, Surface } from '../../schema/config.ts';
import type { Hello } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../session/registry.ts';
import { openSession, type Session } from '../session/session.ts';
import { createCodeSurface } from '../surface/code.ts';
import type { SurfacePorts } from '../surface/ports.ts';
import type { Caller } from './callpath.ts';

export interface ReceptionOptions {
  readonly log: Log;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly desk: (caller: Caller) => SurfacePorts;
  /** The workspace of a hello (DESIGN §5.0). @throws MetadError where `--workspace` names no folder. */
  readonly workspaceOf: (hello: Hello) => Promise<string | null>;
  readonly rootFrom: (folder: string) => Promise<string | null>;
  /** Whether a catalog key belongs to a definition that applies at this root. */
  readonly concerns: (key: string, root: string | null) => boolean;
  readonly onChange: () => void;
  /** A session is gone; its own instances may go too. */
  readonly onGone: (session: string) => void;
  readonly now: () => number;
}

const callerOf = (session: Session): Caller => ({
  id: session.id,
  root: session.root,
  asker: session.asker,
});

/** Gives the session once it is open; the socket's bytes wait meanwhile. */
export const createReception =
  (options: ReceptionOptions) =>
  async (hello: Hello, socket: Duplex): Promise<Session | undefined> => {
    const { registry, onChange, onGone } = options;
    const surface = (hello.surface ?? options.config().surface) as Surface;
    const root = await options.workspaceOf(hello);
    if (socket.destroyed) return undefined;
    const session = openSession({
      id: randomUUID().slice(0, 8),
      hello,
      surface,
      socket,
      root,
      log: options.log,
      now: options.now,
      rootFrom: options.rootFrom,
      concerns: options.concerns,
      onChange,
      viewFor: (opened) => createCodeSurface(options.desk(callerOf(opened)), hello.callTool === true),
      onClose: (closed) => {
        registry.remove(closed);
        onGone(closed.id);
      },
    });
    registry.add(session);
    return session;
  };

// One agent connection, from hello to close: who it is, what it may see, what it is owed.
import type { Duplex } from 'node:stream';
import type { Surface } from '../../schema/config.ts';
import type { Level } from '../../schema/level.ts';
import type { JsonObject } from '../../schema/tool.ts';
import type { Hello, SessionStatus } from '../../schema/wire.ts';
import { type Change, changeLine, merged } from '../catalog/catalog.ts';
import { type Log, withFields } from '../log.ts';
import { settledWithin } from '../scope.ts';
import type { SurfaceView } from '../surface/ports.ts';
import type { Asker } from '../upstream/pool.ts';
import { type Agent, serveAgent } from './mcp.ts';
import type { AgentResources } from './resources.ts';
import { createSelection, type Definitions, namesOf, serversLine } from './selection.ts';

export interface Session {
  readonly id: string;
  readonly hello: Hello;
  readonly surface: Surface;
  /** Ends when the agent is gone or the daemon closes. */
  readonly signal: AbortSignal;
  root(): string | null;
  /** By name. */
  definitions(): Definitions;
  /** With `autoSync` off: takes what applies now. Gives whether that is anything else. */
  sync(): boolean;
  /** Undefined where the agent cannot be asked (protocol revision 2026-07-28 has no requests from servers). */
  asker(): Asker | undefined;
  /** The catalog went on: what changed is told with the next result, once. */
  catalogChanged(from: number, to: number, change: Change): void;
  /** The definitions that apply may have changed; pushes `tools/list_changed` if the tools array did. */
  refresh(): void;
  /** How serious servers' log messages must be for this agent; undefined: it wants none. */
  level(): Level | undefined;
  /** A server's `notifications/message`. */
  message(server: string, params: JsonObject): void;
  /** A server's `notifications/resources/updated`, for a resource to which the agent has subscribed. */
  resourceUpdated(params: JsonObject): void;
  status(): SessionStatus;
  close(): void;
}

export interface SessionOptions {
  readonly id: string;
  readonly hello: Hello;
  readonly surface: Surface;
  readonly socket: Duplex;
  readonly log: Log;
  readonly root: string | null;
  readonly now: () => number;
  /** Called once, when the session can already be asked for its root and signal. */
  readonly viewFor: (session: Session) => SurfaceView;
  /** Likewise. Default: the agent is told of no resources. */
  readonly resourcesFor?: (session: Session) => AgentResources;
  /** A folder that a legacy agent named as its first root: the workspace that it is in, or null. */
  readonly rootFrom: (folder: string) => Promise<string | null>;
  /** The definitions that apply at a root. */
  readonly definitionsAt: (root: string | null) => Definitions;
  /** Whether the session follows what applies, or keeps what it began with. */
  readonly isFollowing: () => boolean;
  /** Whether a catalog key belongs to one of its definitions. */
  readonly concerns: (key: string, session: Session) => boolean;
  /** The agent has just said that its roots are others, or metad has found another root for it. */
  readonly onRoots: (session: Session) => void;
  readonly onLevel: (session: Session) => void;
  readonly onChange: () => void;
  readonly onClose: (session: Session) => void;
}

/** How long a call waits for the agent to say in which folder it works. */
const ROOTS_MS = 2000;

export const openSession = (options: SessionOptions): Session => {
  const { id, hello, surface, socket, now, onChange, onClose } = options;
  const log = withFields(options.log, { session: id });
  const scope = new AbortController();
  const since = now();
  let root = options.root;
  let calls = 0;
  /** Questions for the agent's roots; only the last one's answer counts. */
  let asked = 0;
  let rooted: Promise<unknown> = Promise.resolve();
  const selection = createSelection(options.definitionsAt, options.isFollowing);
  /** Names of the servers that the agent knows of. */
  let told: readonly string[] | undefined;
  let owed: { from: number; to: number; changes: ReadonlyMap<string, Change> } | undefined;
  let shown: string | undefined;
  let agent: Agent | undefined;
  let level: Level | undefined;

  /** The line on changes that the agent has not been told of, once. */
  const takeOwed = (): string | undefined => {
    const names = namesOf(session.definitions());
    const servers = told && serversLine(told, names);
    if (told !== undefined) told = names;
    const line = owed && changeLine(owed.from, owed.to, [...owed.changes.values()]);
    owed = undefined;
    return [line, servers].filter((part) => part !== undefined).join('; ') || undefined;
  };

  const session: Session = {
    id,
    hello,
    surface,
    signal: scope.signal,
    root: () => root,
    definitions: () => selection.now(root),
    sync: () => {
      const before = selection.now(root);
      selection.sync();
      session.refresh();
      return selection.now(root) !== before;
    },
    asker: () => agent?.asker(),
    catalogChanged: (from, to, change) => {
      if (change.first || !options.concerns(change.key, session)) return;
      const changes = new Map(owed?.changes);
      const before = changes.get(change.key);
      const sum = before === undefined ? change : merged(before, change);
      if (sum === undefined) changes.delete(change.key);
      else changes.set(change.key, sum);
      owed = { from: owed?.from ?? from, to, changes };
    },
    refresh: () => {
      // Byte-stable for the agent: nothing is pushed unless what it was shown is no longer true.
      const text = JSON.stringify(view.tools());
      if (shown === undefined || text === shown) return;
      shown = text;
      agent?.toolsChanged();
    },
    level: () => level,
    message: (server, params) => agent?.message(server, params),
    resourceUpdated: (params) => agent?.resourceUpdated(params),
    status: () => ({
      id,
      agent: agent?.name() ?? hello.agent ?? 'unknown',
      pid: hello.pid,
      version: hello.version,
      workspace: root,
      surface,
      protocol: agent?.protocol() ?? null,
      sinceSeconds: Math.round((now() - since) / 1000),
      calls,
    }),
    close: () => {
      if (scope.signal.aborted) return;
      scope.abort(new Error('The session is over.'));
      agent?.close();
      log('session.closed', { calls });
      onClose(session);
    },
  };
  const view = options.viewFor(session);

  agent = serveAgent({
    socket,
    log,
    instructions: view.instructions,
    resources: options.resourcesFor?.(session),
    tools: () => {
      const tools = view.tools();
      shown = JSON.stringify(tools);
      told ??= namesOf(session.definitions());
      return tools;
    },
    call: async (name, args, callScope) => {
      calls += 1;
      onChange();
      await settledWithin(ROOTS_MS, rooted);
      const result = await view.call(name, args, callScope);
      const line = takeOwed();
      return line === undefined ? result : { ...result, content: [...result.content, { type: 'text', text: line }] };
    },
    onReady: async (agentRoots) => {
      onChange();
      options.onRoots(session);
      // Where the shim knew a workspace, it stays
      if (options.root !== null) return;
      asked += 1;
      const question = asked;
      const answered = agentRoots();
      rooted = answered;
      const folder = await answered;
      const next = folder === undefined ? null : await options.rootFrom(folder);
      // Roots that changed while this answer was under way are the answer to a later question.
      if (question !== asked || next === root) return;
      root = next;
      log('session.root', { root });
      options.onRoots(session);
      session.refresh();
      onChange();
    },
    onLevel: (wanted) => {
      level = wanted;
      options.onLevel(session);
    },
    now,
    onClose: session.close,
  });
  log('session.opened', { pid: hello.pid, surface, root, resumed: hello.resumed === true });
  return session;
};

// The MCP side of a session: both protocol eras over one socket, by the SDK.

import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  CLIENT_INFO_META_KEY,
  type Implementation,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { MetadError, messageOf, toWire } from '../../schema/errors.ts';
import { isLevel, type Level } from '../../schema/level.ts';
import type { Json, JsonObject, ToolResult } from '../../schema/tool.ts';
import { VERSION } from '../../schema/wire.ts';
import type { Log } from '../log.ts';
import type { CallScope, SurfaceTool } from '../surface/ports.ts';
import type { Asker } from '../upstream/pool.ts';
import { createHearers } from './messages.ts';
import { startProgress } from './progress.ts';
import { createSocketTransport } from './transport.ts';

/** How long a person may take over a question that a server asks by way of the agent. */
const QUESTION_MS = 600_000;

/** How long a shim may take to hang up: one that is stopped (Ctrl-Z) would keep the daemon from closing. */
const GOODBYE_MS = 1000;

/** Results of the agent go to the server that asked as they are; checking them is that server's matter. */
const anything: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'metad', validate: (value) => ({ value: value as JsonObject }) },
};

export interface Agent {
  /** Its own name and version, once it has said them. */
  readonly name: () => string | undefined;
  readonly protocol: () => string | undefined;
  readonly asker: () => Asker | undefined;
  readonly toolsChanged: () => void;
  /** A server's log message, for as far as the agent asked for such. */
  readonly message: (server: string, params: JsonObject) => void;
  readonly close: () => void;
}

export interface AgentOptions {
  readonly socket: Duplex;
  readonly log: Log;
  readonly instructions: () => string;
  readonly tools: () => readonly SurfaceTool[];
  readonly call: (name: string, args: JsonObject, scope: CallScope) => Promise<ToolResult>;
  /** A legacy agent is initialized, or its roots changed; `roots` asks it for the folder of its first root. */
  readonly onReady: (roots: () => Promise<string | undefined>) => Promise<void>;
  /** How serious the log messages must be that the agent wants; undefined: it wants none. */
  readonly onLevel: (level: Level | undefined) => void;
  readonly now: () => number;
  readonly onClose: () => void;
}

interface Peer {
  readonly name: string;
  readonly protocol: string | undefined;
}

/** Modern agents say who they are in every request (`_meta`, revision 2026-07-28), legacy ones once. */
const peerOf = (server: Server, context?: ServerContext): Peer | undefined => {
  const said = context?.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const info = (said?.[CLIENT_INFO_META_KEY] as Implementation | undefined) ?? server.getClientVersion();
  const protocol = (said?.[PROTOCOL_VERSION_META_KEY] as string | undefined) ?? server.getNegotiatedProtocolVersion();
  return info === undefined ? undefined : { name: `${info.name} ${info.version}`, protocol };
};

const firstFolder = async (server: Server): Promise<string | undefined> => {
  if (server.getClientCapabilities()?.roots === undefined) return undefined;
  // By `request`: the SDK's own listRoots() refuses the whole answer where one root is no file.
  const { roots } = await server.request({ method: 'roots/list' }, anything, { timeout: 10_000 });
  const uris = (Array.isArray(roots) ? (roots as readonly Json[]) : []).map((root) => (root as JsonObject)['uri']);
  const uri = uris.find((one) => typeof one === 'string' && one.startsWith('file:'));
  return typeof uri === 'string' ? fileURLToPath(uri) : undefined;
};

export const serveAgent = (options: AgentOptions): Agent => {
  const { socket, log, onClose } = options;
  const transport = createSocketTransport(socket, log);
  let current: Server | undefined;
  let era: 'legacy' | 'modern' = 'legacy';
  let peer: Peer | undefined;
  const hearers = createHearers(options.now, options.onLevel);
  let deafen = () => {};

  /** A request of a modern agent hears while it goes on. */
  const hearsBy = ({ mcpReq }: ServerContext): (() => void) => {
    const said = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const level = said?.[LOG_LEVEL_META_KEY];
    if (!isLevel(level)) return () => {};
    return hearers.add(level, (params) =>
      pass(mcpReq.notify({ method: 'notifications/message', params: { ...params } } as never)),
    );
  };
  const pass = (sent: Promise<void>): void =>
    void sent.catch((error: unknown) => log('session.message-failed', { error: messageOf(error) }));

  const build = (served: 'legacy' | 'modern'): Server => {
    era = served;
    const server = new Server(
      { name: 'metad', version: VERSION },
      { capabilities: { tools: { listChanged: true }, logging: {} }, instructions: options.instructions() },
    );
    server.setRequestHandler('tools/list', (_, context) => {
      peer ??= peerOf(server, context);
      return { tools: options.tools() as never };
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      peer ??= peerOf(server, context);
      const progress = startProgress(context, log);
      const deaf = hearsBy(context);
      try {
        const { signal } = context.mcpReq;
        const scope = progress.report ? { signal, progress: progress.report } : { signal };
        return (await options.call(params.name, (params.arguments ?? {}) as JsonObject, scope)) as never;
      } catch (error) {
        if (error instanceof MetadError && error.code === 'not-found') {
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
        }
        if (!(error instanceof MetadError)) log('session.call-failed', { tool: params.name, error: messageOf(error) });
        // A bug's own words are for the log: they may tell of anything.
        throw new ProtocolError(ProtocolErrorCode.InternalError, toWire(error).message);
      } finally {
        deaf();
        progress.stop();
      }
    });
    if (served === 'legacy')
      server.setRequestHandler('logging/setLevel', ({ params }) => {
        deafen();
        deafen = hearers.add(params.level, (sent) =>
          pass(server.notification({ method: 'notifications/message', params: { ...sent } } as never)),
        );
        return {};
      });
    const ready = () =>
      void options
        .onReady(() => firstFolder(server))
        .catch((error: unknown) => log('session.roots-failed', { error: messageOf(error) }));
    server.oninitialized = () => {
      peer = peerOf(server);
      ready();
    };
    if (served === 'legacy') server.setNotificationHandler('notifications/roots/list_changed', ready);
    server.onerror = (error) => log('session.protocol', { error: error.message });
    current = server;
    return server;
  };

  const handle = serveStdio(({ era: served }) => build(served), {
    transport,
    onerror: (error) => log('session.protocol', { error: error.message }),
  });
  socket.once('close', onClose);

  return {
    name: () => peer?.name,
    protocol: () => peer?.protocol,
    asker: () => {
      if (current === undefined || era === 'modern') return undefined;
      const server = current;
      return {
        capabilities: (server.getClientCapabilities() ?? {}) as JsonObject,
        ask: (method, params, signal) =>
          server.request({ method, params: { ...params } }, anything, { signal, timeout: QUESTION_MS }),
      };
    },
    toolsChanged: () => {
      current?.sendToolListChanged().catch((error: unknown) => log('session.push-failed', { error: messageOf(error) }));
    },
    message: hearers.offer,
    close: () => {
      handle.close().catch((error: unknown) => log('session.close-failed', { error: messageOf(error) }));
      socket.end();
      if (socket.destroyed) return;
      const timer = setTimeout(() => socket.destroy(), GOODBYE_MS);
      socket.once('close', () => clearTimeout(timer));
    },
  };
};

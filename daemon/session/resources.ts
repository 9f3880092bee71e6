// Resources towards one agent: listed, read and subscribed as they are at their servers, URIs unchanged.
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MetadError, messageOf, toWire } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/tool.ts';
import type { Log } from '../log.ts';

export interface AgentResources {
  /** Of the servers that run for this session; none is started. */
  list(signal: AbortSignal): Promise<readonly JsonObject[]>;
  templates(signal: AbortSignal): Promise<readonly JsonObject[]>;
  /** The result of `resources/read`. @throws MetadError `not-found` where no server that runs has it. */
  read(uri: string, signal: AbortSignal): Promise<JsonObject>;
  /** @throws as `read`; `unsupported` where its server takes no subscriptions. */
  subscribe(uri: string, signal: AbortSignal): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

/** Revision 2026-07-28 has no `resources/subscribe`. */
export const resourcesCapability = (era: 'legacy' | 'modern') => (era === 'legacy' ? { subscribe: true } : {});

export const serveResources = (
  server: Server,
  resources: AgentResources,
  { era, log }: { readonly era: 'legacy' | 'modern'; readonly log: Log },
): void => {
  const told = async <T>(uri: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof MetadError && error.code === 'not-found') {
        // The SDK sends -32602 in both eras, whatever 2025-11-25 says.
        throw new ResourceNotFoundError(uri, error.message);
      }
      if (!(error instanceof MetadError)) log('session.resource-failed', { error: messageOf(error) });
      throw new ProtocolError(ProtocolErrorCode.InternalError, toWire(error).message);
    }
  };
  const signalOf = ({ mcpReq }: ServerContext): AbortSignal => mcpReq.signal;
  server.setRequestHandler('resources/list', (_, context) =>
    told('', async () => ({ resources: await resources.list(signalOf(context)) }) as never),
  );
  server.setRequestHandler('resources/templates/list', (_, context) =>
    told('', async () => ({ resourceTemplates: await resources.templates(signalOf(context)) }) as never),
  );
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) =>
    told(uri, async () => (await resources.read(uri, signalOf(context))) as never),
  );
  if (era === 'modern') return;
  server.setRequestHandler('resources/subscribe', ({ params: { uri } }, context) =>
    told(uri, async () => {
      await resources.subscribe(uri, signalOf(context));
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) =>
    told(uri, async () => {
      await resources.unsubscribe(uri);
      return {};
    }),
  );
};

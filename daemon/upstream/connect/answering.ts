// Streamable HTTP whose every request is answered: a stream that ends without the answer counts as one.
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NO_ANSWER } from '../failure.ts';
import type { Relations } from './relations.ts';

type Deliver = NonNullable<StreamableHTTPClientTransport['onmessage']>;

/** JSON-RPC's own range for errors of an implementation. */
const LOST = -32_000;

/**
 * The SDK says so at the end of a stream that it cannot resume, but its client listens only for its own subscriptions:
 * any other request would wait for its time limit. Changes the transport and gives it back.
 * @param relations is told what arrives on the stream of which request
 */
export const answering = (
  transport: StreamableHTTPClientTransport,
  relations: Relations,
): StreamableHTTPClientTransport => {
  /** Requests without an answer yet, with what ends the stream on which it would come. */
  const open = new Map<string | number, AbortController>();
  let watched: Deliver | undefined;

  /** The client sets its own before it sends anything. */
  const watch = (): void => {
    const deliver = transport.onmessage;
    if (deliver === undefined || deliver === watched) return;
    watched = (message: JSONRPCMessage, ...more: unknown[]) => {
      if (!('method' in message) && message.id !== undefined) open.delete(message.id);
      (deliver as (...all: unknown[]) => void)(message, ...more);
    };
    transport.onmessage = watched;
  };

  /** The same transport for one request: what the SDK reads from its response it gives to this one's `onmessage`. */
  const of = (related: string | number | undefined): StreamableHTTPClientTransport => {
    if (related === undefined) return transport;
    const deliver: Deliver = (message, ...more) => {
      if ('method' in message && 'id' in message) relations.note(message.id, String(related));
      transport.onmessage?.(message, ...more);
    };
    return new Proxy(transport, {
      get: (target, key, receiver) => (key === 'onmessage' ? deliver : Reflect.get(target, key, receiver)),
      set: (target, key, value) => Reflect.set(target, key, value),
    });
  };

  const { send } = transport;
  /** The client passes it on to any transport; the type of this one does not say so. */
  const relatedOf = (options: object | undefined): string | number | undefined =>
    (options as { readonly relatedRequestId?: string | number } | undefined)?.relatedRequestId;
  transport.send = async (message, options) => {
    watch();
    // Nobody waits for it any more, and the server may never end its stream: each would cost a socket for ever.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const { requestId } = (message.params ?? {}) as { requestId?: string | number };
      const cancelled = requestId === undefined ? undefined : open.get(requestId);
      if (requestId !== undefined) open.delete(requestId);
      return send.call(transport, message, options).finally(() => cancelled?.abort());
    }
    if (Array.isArray(message) || !('method' in message) || !('id' in message))
      return send.call(transport, message, options);
    const { id } = message;
    const ending = new AbortController();
    open.set(id, ending);
    try {
      await send.call(of(relatedOf(options)), message, {
        // Where the SDK gives one, closing the stream is how that era cancels.
        ...options,
        requestSignal: options?.requestSignal ?? ending.signal,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          if (!open.delete(id)) return;
          const error = { code: LOST, message: 'the connection broke before the answer', data: NO_ANSWER };
          transport.onmessage?.({ jsonrpc: '2.0', id, error });
        },
      });
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
  return transport;
};

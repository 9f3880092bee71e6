// Hands messages on in an order that the SDK's client can follow.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * The SDK handles a response at once but a notification one microtask later. Both out of one read, the last progress of a
 * call would come after its result and be dropped; so what follows a notification waits for that microtask.
 */
export const createInbox = (deliver: (message: JSONRPCMessage) => void): ((message: JSONRPCMessage) => void) => {
  let waiting: JSONRPCMessage[] | undefined;

  const flush = (): void => {
    const messages = waiting ?? [];
    waiting = undefined;
    for (const message of messages) take(message);
  };
  const take = (message: JSONRPCMessage): void => {
    if (waiting !== undefined) {
      waiting.push(message);
      return;
    }
    deliver(message);
    if ('method' in message && !('id' in message)) {
      waiting = [];
      queueMicrotask(flush);
    }
  };
  return take;
};

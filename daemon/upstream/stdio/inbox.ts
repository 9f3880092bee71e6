// Hands messages on in an order that the SDK's client can follow.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/**
 * The SDK handles a response at once but a notification one microtask later. Both out of one read, the last progress of a
 * call would come after its result and be dropped; so what follows a notification waits for that microtask.
 */
export const createInbox = (deliver: (message: JSONRPCMessage) => void): ((message: JSONRPCMessage) => void) => {
  let waiting: JSONRPCMessage[] = [];
  let next = 0;
  let paused = false;

  const give = (message: JSONRPCMessage): void => {
    deliver(message);
    if (!('method' in message) || 'id' in message) return;
    paused = true;
    queueMicrotask(flush);
  };
  const flush = (): void => {
    paused = false;
    // By position: passing the rest on anew behind each notification would cost the square of a long batch.
    for (let message = waiting[next]; message !== undefined && !paused; message = waiting[next]) {
      next += 1;
      give(message);
    }
    if (next < waiting.length) return;
    waiting = [];
    next = 0;
  };
  return (message) => {
    if (paused) waiting.push(message);
    else give(message);
  };
};

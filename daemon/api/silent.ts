// Connections that say nothing: whoever connects has so long to make a whole request, then the connection is closed.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds from the connection to the end of the head of its first request. */
export const SILENCE_MS = 5000;

/**
 * Watches the connections of a server that has not been bound yet. No timer runs while nobody is silent. Node's own
 * limit, `headersTimeout`, is looked at by a timer that always runs, and only every half minute.
 */
export const closeSilent = (server: Server, milliseconds = SILENCE_MS): void => {
  /** In the order in which they came, with the time of it. */
  const silent = new Map<Socket, number>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    timer = undefined;
    for (const [socket, since] of silent) {
      const left = since + milliseconds - performance.now();
      if (left > 0) {
        timer = setTimeout(look, left + 1).unref();
        return;
      }
      silent.delete(socket);
      socket.destroy();
    }
  };
  const spoke = (socket: Socket): void => {
    silent.delete(socket);
  };

  server.on('connection', (socket) => {
    silent.set(socket, performance.now());
    socket.once('close', () => spoke(socket));
    if (timer === undefined) timer = setTimeout(look, milliseconds).unref();
  });
  server.on('request', ({ socket }) => spoke(socket));
  server.on('upgrade', ({ socket }) => spoke(socket));
};

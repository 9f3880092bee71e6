// The front door: the socket answers from its first moment on, and whoever comes early waits inside until all is open.
import type { Duplex } from 'node:stream';
import type { Paths } from '../schema/paths.ts';
import type { Contract, Greeting, Hello } from '../schema/wire.ts';
import type { Events } from './api/events.ts';
import { createServer } from './api/server.ts';
import { createUpgrade } from './api/upgrade.ts';
import type { Descriptors } from './descriptors.ts';
import { bindSocket } from './life/listen.ts';
import type { Log } from './log.ts';

/** What is behind the door. */
export interface Rooms {
  readonly methods: () => Promise<Contract>;
  /** Whether there can be such a session; where it rejects, the shim is told why. */
  readonly admit: (hello: Hello) => Promise<(socket: Duplex) => void>;
  /** Hears of every client's metad. */
  readonly meet: (greeting: Greeting) => void;
}

export interface FrontOptions {
  readonly paths: Paths;
  readonly uid: number;
  readonly events: Events;
  readonly descriptors: Descriptors;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface Front {
  readonly socket: Awaited<ReturnType<typeof bindSocket>>;
  /** From now on those who wait are let in. */
  open(rooms: Rooms): void;
  /** Resolves when nobody is connected any more. */
  close(): Promise<void>;
}

/** @throws as `bindSocket` */
export const createFront = async ({ paths, uid, events, descriptors, log, signal }: FrontOptions): Promise<Front> => {
  let rooms: Rooms | undefined;
  let open = (_: Rooms): void => {};
  const opened = new Promise<Rooms>((resolve) => {
    open = (given) => {
      rooms = given;
      resolve(given);
    };
  });
  const server = createServer({
    handlers: async () => (await opened).methods(),
    upgrade: createUpgrade({
      log,
      ready: opened,
      meet: (greeting) => rooms?.meet(greeting),
      admit: async (hello) => (await opened).admit(hello),
    }),
    events,
    ready: opened,
    checkRoom: () => descriptors.check('connection', 'metad takes no connection'),
    log,
    signal,
  });
  const socket = await bindSocket(server, paths, { uid });
  return {
    socket,
    open,
    close: () => {
      socket.close();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

// The event stream: one emitter for the whole daemon, and its form as Server-Sent Events.
import type { ServerResponse } from 'node:http';
import type { ControlEvent } from '../../schema/wire.ts';

export type Listener = (event: ControlEvent) => void;

export interface Events {
  /** Says that something has changed. Costs next to nothing while nobody listens. */
  emit(event: ControlEvent): void;
  /** Hears every event from now on, bursts reduced to one of a kind; gives the way to stop. */
  subscribe(listener: Listener): () => void;
  listeners(): number;
}

/** @param options.pauseMs events of one kind are told at most once in this time, the last one wins. Default 100. */
export const createEvents = ({ pauseMs = 100 }: { readonly pauseMs?: number } = {}): Events => {
  const listeners = new Set<Listener>();
  const pending = new Map<ControlEvent['kind'], ControlEvent>();
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const events = [...pending.values()];
    pending.clear();
    for (const event of events) for (const listener of [...listeners]) listener(event);
  };
  return {
    emit: (event) => {
      if (listeners.size === 0) return;
      pending.set(event.kind, event);
      // Whoever hears the last one must hear all before it, and the loop may not turn again.
      if (event.kind === 'closing') flush();
      else timer ??= setTimeout(flush, pauseMs).unref();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          clearTimeout(timer);
          timer = undefined;
          pending.clear();
        }
      };
    },
    listeners: () => listeners.size,
  };
};

/**
 * Writes the events to a client until it leaves or the daemon closes. A client that reads slowly gets no queue of its
 * own: what it missed is told once, when it reads again.
 * @param keepAliveMs between comment lines that find out a dead peer
 */
export const streamEvents = (events: Events, response: ServerResponse, keepAliveMs = 15_000): void => {
  const missed = new Map<ControlEvent['kind'], ControlEvent>();
  let blocked = false;
  const write = (text: string) => {
    blocked = !response.write(text);
  };
  const send = (event: ControlEvent) => {
    if (blocked && event.kind !== 'closing') missed.set(event.kind, event);
    else write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    if (event.kind === 'closing') response.end();
  };
  const stop = events.subscribe(send);
  const beat = setInterval(() => {
    if (!blocked) write(': still here\n\n');
  }, keepAliveMs).unref();
  response.on('drain', () => {
    blocked = false;
    const told = [...missed.values()];
    missed.clear();
    for (const event of told) send(event);
  });
  response.on('close', () => {
    stop();
    clearInterval(beat);
  });
  response.on('error', () => response.destroy());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  write(': hello\n\n');
};

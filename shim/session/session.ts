// One agent's session over the daemons that come and go beneath it: who may speak now, what waits, what is replayed.
import type { Readable, Writable } from 'node:stream';
import { type Envelope, envelopeOf } from '../line/envelope.ts';
import { eachLine } from '../line/lines.ts';
import { createEnd, type End, LINE_LIMIT } from '../line/pump.ts';
import { cancelledId, errorLine, isWhole, TOO_LONG, UNREACHABLE } from '../line/replies.ts';
import type { Link } from '../upgrade.ts';
import { createDaemons, type DaemonsParts } from './daemons.ts';
import { createNotes } from './notes.ts';
import { createQueue } from './queue.ts';
import { createRecovery, type Recovery } from './recover.ts';

/** Bytes of the agent's that wait for a daemon before its stdin is left unread. */
const QUEUE_LIMIT = 8 * 1024 * 1024;
/** A daemon's goodbye to a listen request is a short line; longer ones go out before they are read. */
const SHORT = 64 * 1024;
/** Milliseconds that answers still due may take after the agent's end of input. */
const LAST_ANSWERS_MS = 1200;

export interface SessionParts {
  readonly input: Readable;
  readonly output: Writable;
  readonly connect: DaemonsParts['connect'];
  /** Tells a person, on stderr. */
  tell(sentence: string): void;
  /** The session is over; what was written to `output` may still be on its way. Called once. */
  over(): void;
}

export interface Session {
  /** Ends at once: what is in flight is the daemon's to cancel. */
  leave(): void;
  /** True when no daemon ever took the session, and the agent was told why. */
  readonly failed: boolean;
}

/** `down`: no daemon, and none is started before the agent writes. `resuming`: the replay is under way. */
type Phase = 'connecting' | 'resuming' | 'open' | 'down' | 'over';

/** Opens a session: connects (and starts a daemon where there is none), then forwards until the agent leaves. */
export const createSession = ({ input, output, connect, tell, over }: SessionParts): Session => {
  const notes = createNotes();
  const queue = createQueue();
  const holds = new Set<'queue' | 'daemon'>();
  let phase: Phase = 'connecting';
  let link: { readonly socket: Link['socket']; readonly end: End } | undefined;
  let recovery: Recovery | undefined;
  let lastCall: NodeJS.Timeout | undefined;
  let wants = true; // something waits that a daemon may be started for; true at first: an agent that spawns us wants one
  let agentIsFull = false;
  let leaving = false;
  let lastWords: string | undefined;
  const is = (...phases: readonly Phase[]): boolean => phases.includes(phase);

  const finish = () => {
    if (is('over')) return;
    phase = 'over';
    daemons.stop();
    clearTimeout(lastCall);
    link?.socket.end();
    over();
  };

  const finishIfDone = () => {
    if (leaving && !notes.busy() && queue.length === 0) finish();
  };

  const hold = (why: 'queue' | 'daemon', on: boolean) => {
    if (on) holds.add(why);
    else holds.delete(why);
    if (holds.size > 0) agent.pause();
    else agent.resume();
  };

  const toDaemon = (line: Buffer, envelope: Envelope | undefined) => {
    link?.end.write(line);
    notes.sent(line, envelope);
  };

  /** No daemon is there for the agent's line: it waits, unless it concerns a daemon that is dead. */
  const wait = (line: Buffer, envelope: Envelope | undefined) => {
    if (envelope?.kind === 'answer') {
      const passed = is('resuming') ? recovery?.fromAgent(line, envelope) : undefined;
      if (passed !== undefined) link?.end.write(passed);
      return;
    }
    if (envelope?.method === 'notifications/cancelled') {
      const id = cancelledId(line) ?? '';
      if (queue.drop(id)) return;
      if (!is('resuming') || !notes.listens.has(id)) return notes.cancelled(id);
    }
    queue.push(line, envelope);
    wants = true;
    if (queue.bytes > QUEUE_LIMIT) hold('queue', true);
  };

  const fromAgent = (block: Buffer) => {
    if (is('open') && recovery === undefined) {
      link?.end.write(block);
      eachLine(block, (line) => notes.sent(line, envelopeOf(line)));
      return;
    }
    eachLine(block, (line) => {
      const envelope = envelopeOf(line);
      if (!is('open')) return wait(line, envelope);
      const passed = recovery?.fromAgent(line, envelope);
      if (passed !== undefined) toDaemon(passed, envelope);
    });
    if (is('down') && wants) void daemons.search(true);
  };

  const fromDaemon = (block: Buffer) => {
    if (recovery === undefined && notes.listens.size === 0) {
      daemons.heard();
      agent.write(block);
      eachLine(block, (line) => notes.received(line, envelopeOf(line)));
    } else eachLine(block, fromWatchedDaemon);
    finishIfDone();
  };

  const fromWatchedDaemon = (line: Buffer) => {
    if (recovery === undefined && line.length > SHORT) {
      agent.write(line);
      return notes.received(line, envelopeOf(line));
    }
    const envelope = envelopeOf(line);
    const passed = recovery === undefined ? line : recovery.fromDaemon(line, envelope);
    if (passed === undefined) return;
    // A daemon that leaves in order ends open listen requests; the agent's goes on with the next daemon.
    if (envelope?.kind === 'answer' && !envelope.failed && notes.listens.has(envelope.id)) return;
    daemons.heard();
    agent.write(passed);
    notes.received(line, envelope);
  };

  /** No daemon can be had: whoever waits is told, and the agent's next message tries again. */
  const fail = (sentence: string) => {
    if (sentence !== lastWords) tell(sentence);
    lastWords = sentence;
    wants = false;
    phase = 'down';
    const left = queue.takeAll();
    for (const { envelope } of left) {
      if (envelope?.kind === 'request') agent.write(errorLine(envelope.id, UNREACHABLE, sentence));
    }
    queue.unshift(left.filter(({ envelope }) => envelope?.kind === 'notification'));
    if (queue.bytes > QUEUE_LIMIT) queue.takeAll(); // else stdin would stay unread, and nothing could ever wake us
    hold('queue', false);
    if (leaving) finish();
  };

  const opened = () => {
    phase = 'open';
    wants = false;
    daemons.settled();
    lastWords = undefined;
    if (recovery !== undefined) agent.write(Buffer.concat(notes.listChanged()));
    for (const { line, envelope } of queue.takeAll()) toDaemon(line, envelope);
    hold('queue', false);
    finishIfDone();
  };

  const lost = (socket: Link['socket']) => {
    if (link?.socket !== socket) return;
    link = undefined;
    recovery = undefined;
    socket.destroy();
    if (is('over')) return;
    hold('daemon', false);
    const { answers, again } = notes.lost();
    agent.write(Buffer.concat(answers));
    if (leaving) return finish();
    queue.unshift(again.map((line) => ({ line, envelope: envelopeOf(line) })));
    if (again.length > 0) wants = true;
    daemons.lost();
  };

  const attach = ({ socket, head }: Link, generation: number) => {
    const end = createEnd({
      source: socket,
      sink: socket,
      block: fromDaemon,
      tooLong: () => {
        tell(`The metad daemon sent a line of more than ${LINE_LIMIT} bytes; the connection is given up.`);
        lost(socket);
      },
      full: (on) => hold('daemon', on),
      ended: () => lost(socket),
      broken: () => {}, // `ended` follows, once what the daemon still said is read
    });
    link = { socket, end };
    if (generation === 1) opened();
    else {
      phase = 'resuming';
      recovery = createRecovery({
        generation,
        notes,
        send: end.write,
        done: opened,
        failed: (reason) => {
          link = undefined;
          recovery = undefined;
          socket.destroy();
          fail(reason);
        },
      });
      recovery.begin();
    }
    if (head.length > 0) end.take(head);
    if (!agentIsFull) end.resume();
  };

  const daemons = createDaemons({
    connect,
    wanted: () => wants,
    searching: () => {
      phase = 'connecting';
    },
    found: attach,
    none: () => {
      phase = 'down';
    },
    failed: fail,
  });

  const agent = createEnd({
    source: input,
    sink: output,
    block: fromAgent,
    tooLong: (head) => {
      const sentence = `metad passes on no message of more than ${LINE_LIMIT} bytes; this one was left out.`;
      const envelope = envelopeOf(head);
      if (envelope?.kind === 'request') agent.write(errorLine(envelope.id, TOO_LONG, sentence));
      tell(sentence);
    },
    full: (on) => {
      agentIsFull = on;
      if (on) link?.end.pause();
      else link?.end.resume();
    },
    ended: (rest) => {
      if (rest.length > 0 && isWhole(rest)) fromAgent(Buffer.concat([rest, Buffer.from('\n')]));
      leaving = true;
      lastCall = setTimeout(finish, LAST_ANSWERS_MS);
      finishIfDone();
    },
    broken: finish,
  });
  void daemons.search(true);

  return {
    leave: finish,
    get failed() {
      return daemons.generation === 0 && lastWords !== undefined;
    },
  };
};

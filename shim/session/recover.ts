// A session on its second daemon, or a later one: the opening is replayed, and the two ends' ids are kept apart.
import { type Envelope, envelopeOf, withId } from '../line/envelope.ts';
import { cancelledId, subscriptionOf, valueAt, withCancelledId } from '../line/replies.ts';
import type { Notes } from './notes.ts';

/** What the agent's messages must pass on a daemon that did not see the session begin. */
export interface Recovery {
  /** Sends the replay; `done` or `failed` follows, at once where there is nothing to replay. */
  begin(): void;
  /** The daemon's line as the agent may see it; undefined when it is an answer to the replay. */
  fromDaemon(line: Buffer, envelope: Envelope | undefined): Buffer | undefined;
  /** The agent's line as this daemon may see it; undefined when it answers a daemon that is dead. */
  fromAgent(line: Buffer, envelope: Envelope | undefined): Buffer | undefined;
}

export interface RecoveryParts {
  /** Counts connections: 2 for the first recovery. */
  readonly generation: number;
  readonly notes: Notes;
  send(line: Buffer): void;
  done(): void;
  /** The new daemon cannot go on with this session; the reason is a sentence. */
  failed(reason: string): void;
}

/** Why the answer to a replayed opening does not continue the session, or undefined. */
const mismatch = (reply: Buffer, { failed }: Envelope, { opening }: Notes): string | undefined => {
  if (failed) return `The new metad daemon refused to go on with this session: ${valueAt(reply, 'error', 'message')}.`;
  const now = valueAt(reply, 'result', opening?.era === 'legacy' ? 'protocolVersion' : 'supportedVersions');
  const agreed = opening?.version;
  const same = Array.isArray(now) ? now.includes(agreed) : now === undefined || now === agreed;
  return same
    ? undefined
    : `The new metad daemon speaks protocol ${now}, but this session agreed on ${agreed}. Start the agent's session again.`;
};

/**
 * Every daemon counts its own requests from 0, so a late answer to the dead one could pass for an answer to the new
 * one. Hence requests of a later daemon reach the agent under a label of their generation, and an answer without it is
 * swallowed: no table of open requests is needed, and none can be wrong.
 */
export const createRecovery = ({ generation, notes, send, done, failed }: RecoveryParts): Recovery => {
  const prefix = `metad-shim:${generation}:`;
  const replayId = JSON.stringify(`${prefix}replay`);
  const acknowledging = new Set<string>();
  let replaying = false;
  const labelled = (id: string): string => JSON.stringify(prefix + id);

  const goOn = () => {
    if (notes.opening?.era === 'legacy' && notes.initialized !== undefined) send(notes.initialized);
    for (const [id, listen] of notes.listens) {
      if (listen.acknowledged) acknowledging.add(id);
      send(listen.line);
    }
    done();
  };

  return {
    begin: () => {
      const line = notes.opening?.line;
      const envelope = line && envelopeOf(line);
      if (line === undefined || envelope === undefined) return goOn();
      replaying = true;
      send(withId(line, envelope, replayId));
    },
    fromDaemon: (line, envelope) => {
      if (envelope === undefined) return line;
      const { kind, id, method } = envelope;
      if (kind === 'request') return withId(line, envelope, labelled(id));
      if (kind === 'answer') {
        if (!replaying || id !== replayId) return line;
        replaying = false;
        const reason = mismatch(line, envelope, notes);
        if (reason === undefined) goOn();
        else failed(reason);
        return undefined;
      }
      if (method === 'notifications/subscriptions/acknowledged') {
        return acknowledging.delete(subscriptionOf(line) ?? '') ? undefined : line;
      }
      if (method === 'notifications/cancelled') {
        const named = cancelledId(line);
        return named === undefined ? line : withCancelledId(line, labelled(named));
      }
      return line;
    },
    fromAgent: (line, envelope) => {
      if (envelope?.kind !== 'answer') return line;
      const id: unknown = JSON.parse(envelope.id);
      if (typeof id !== 'string' || !id.startsWith(prefix)) return undefined;
      return withId(line, envelope, id.slice(prefix.length));
    },
  };
};

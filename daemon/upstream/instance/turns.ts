// Whose call an instance gets next: so many at a time, the others wait, one of each session in turn.
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';
import { matchesGlob } from '../../../schema/glob.ts';
import { reasonOf } from '../../scope.ts';
import { createGate } from '../gate.ts';
import type { CallRequest } from './contract.ts';

/** Calls in flight on one instance, unless its definition says otherwise. */
const MAX_CONCURRENT = 16;
/** Calls that wait for their turn on one instance. */
export const MAX_WAITING = 256;

const isSerial = ({ serial }: Definition, tool: string): boolean =>
  serial === true || (Array.isArray(serial) && serial.some((pattern: string) => matchesGlob(pattern, tool)));

/**
 * Gives what lets the next one in, once the call may be sent; at once where nobody is in the way.
 * @throws MetadError `limit` where too many wait, or why the call ended while it waited.
 */
export type TakeTurn = (request: CallRequest) => (() => void) | Promise<() => void>;

/**
 * @param definition its newest form: its limits count from the next turn on
 * @param asks whether calls of that tool run for one session at a time, since their server asks during them
 */
export const createTurns = (definition: () => Definition, asks: (tool: string) => boolean): TakeTurn => {
  const most = (): number => definition().maxConcurrent ?? MAX_CONCURRENT;
  const gate = createGate({
    limit: most,
    waiting: MAX_WAITING,
    full: () => {
      const { name, origin } = definition();
      const inside = `${most()} calls in flight (\`maxConcurrent\` in ${origin})`;
      return new MetadError(
        'limit',
        `Server \`${name}\` has ${inside} and ${MAX_WAITING} that wait; this one was not made.`,
      );
    },
  });
  return ({ scope: { signal }, session, tool }) => {
    const pass = { signal, of: session, alone: isSerial(definition(), tool), owned: asks(tool) };
    return (
      gate.enterNow(pass) ??
      gate.enter(pass).catch((error: unknown) => {
        throw signal.aborted ? reasonOf(signal) : error;
      })
    );
  };
};

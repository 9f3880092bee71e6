// The types that a failed script is checked against: those of the servers that it mentions.
import { setImmediate } from 'node:timers/promises';
import type { Declare } from '../catalog/declarations.ts';
import type { TypeNotes } from '../surface/ports.ts';
import type { Declaration, Types } from '../types/types.ts';

/** Where nobody has seen a server's declarations yet they are made now: a fifth of a second for so many. */
const MOST_OF_ONE = 1000;
const MOST_TOOLS = 2500;

export const createTypeNotes =
  (declare: Declare, types: () => Promise<Types>): TypeNotes =>
  async (script, servers, signal) => {
    let left = MOST_TOOLS;
    const known = servers.filter(({ tools: { length } }) => {
      if (length === 0 || length > Math.min(left, MOST_OF_ONE)) return false;
      left -= length;
      return true;
    });
    const declarations: Declaration[] = [];
    for (const server of known) {
      declarations.push({ namespace: server.namespace, text: declare(server, 'signatures').text });
      await setImmediate(); // others come between two servers
    }
    return declarations.length === 0 ? [] : (await types()).notes(script, declarations, signal);
  };

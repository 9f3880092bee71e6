// The types that a failed script is checked against: those of the servers that it mentions.
import type { Declare } from '../catalog/declarations.ts';
import type { TypeNotes } from '../surface/ports.ts';
import type { Types } from '../types/types.ts';

/** Declaring more tools than this in one go would hold up everyone else. */
const MOST_TOOLS = 2500;

export const createTypeNotes =
  (declare: Declare, types: () => Promise<Types>): TypeNotes =>
  async (script, servers, signal) => {
    let left = MOST_TOOLS;
    const declared = servers.filter(({ tools }) => {
      if (tools.length === 0 || tools.length > left) return false;
      left -= tools.length;
      return true;
    });
    if (declared.length === 0) return [];
    const { notes } = await types();
    const declarations = declared.map((server) => ({
      namespace: server.namespace,
      text: declare(server, 'signatures').text,
    }));
    return notes(script, declarations, signal);
  };

// How many calls one script may have open on each server.
import type { ScriptRun } from '../../surface/ports.ts';
import { createGate, type Gate } from '../../upstream/gate.ts';

/** The same call for one run: at most `limit` at a time on each server, the others in the order in which they were made. */
export const inParallel = (call: ScriptRun['call'], limit: number): ScriptRun['call'] => {
  const gates = new Map<string, Gate>();
  return async (server, tool, args, signal) => {
    const gate = gates.get(server) ?? createGate({ limit: () => limit });
    gates.set(server, gate);
    const leave = gate.enterNow({ signal }) ?? (await gate.enter({ signal }));
    try {
      return await call(server, tool, args, signal);
    } finally {
      leave();
    }
  };
};

// Questions of servers in a run that goes on by itself: nobody waits for it, so nobody is asked.
import { nobodyToAsk } from '../../upstream/call/ask.ts';
import type { Asker } from '../../upstream/pool.ts';

const WHY = 'The script goes on in the background, and nobody waits for it who could be asked.';

/** Asks for as long as somebody waits; a question that is already on a screen stays there. */
export const whileAttended = (asker: Asker | undefined, isAttended: (() => boolean) | undefined): Asker | undefined => {
  if (asker === undefined || isAttended === undefined) return asker;
  return {
    capabilities: asker.capabilities,
    ask: async (method, params, signal) =>
      isAttended() ? asker.ask(method, params, signal) : nobodyToAsk(method, WHY),
  };
};

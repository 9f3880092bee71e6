// Not a server: the tools that the chaos fixtures have in common. Every tool gives back the nonce that it was called with.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from './serve.mjs';

const nonce = { type: 'string' };
const number = { type: 'number' };
const schema = (properties = {}) => ({ type: 'object', properties: { nonce, ...properties }, required: ['nonce'] });

/**
 * `echo {nonce, ms?, size?}` · `effect {nonce, ms?}` writes the nonce to the ledger, then answers · `report {nonce,
 * steps}` reports progress · `ask {nonce}` asks whoever called for the nonce · `noise {nonce, lines}` floods stderr and
 * the log · `never {nonce}` does not answer · `quit {nonce}` ends the server.
 * @param {{ name: string, ledger: string, log: (line: string) => void }} options
 * @returns tools as `serve` takes them; `run(args, { progress, ask })`
 */
export const chaosTools = ({ name, ledger, log }) => ({
  echo: {
    inputSchema: schema({ ms: number, size: number }),
    run: async ({ nonce, ms = 0, size = 0 }) => {
      if (ms > 0) await sleep(ms);
      return text({ nonce, server: name, filler: 'x'.repeat(size) });
    },
  },
  effect: {
    inputSchema: schema({ ms: number }),
    run: async ({ nonce, ms = 0 }) => {
      appendFileSync(ledger, `${nonce}\n`);
      if (ms > 0) await sleep(ms);
      return text({ nonce });
    },
  },
  report: {
    inputSchema: schema({ steps: number }),
    run: async ({ nonce, steps = 3 }, { progress }) => {
      for (let at = 1; at <= steps; at += 1) {
        progress({ progress: at, total: steps, message: nonce });
        await sleep(5);
      }
      return text({ nonce });
    },
  },
  ask: {
    inputSchema: schema(),
    run: async ({ nonce }, { ask }) => {
      const requestedSchema = { type: 'object', properties: { nonce: { type: 'string' } } };
      const said = await ask({ message: nonce, requestedSchema }).catch((error) => ({ refused: error.message }));
      return text({ nonce, said });
    },
  },
  noise: {
    inputSchema: schema({ lines: number }),
    run: ({ nonce, lines = 100 }) => {
      for (let at = 0; at < lines; at += 1) log(`noise of ${name}, line ${at}, ${'~'.repeat(80)}`);
      return text({ nonce });
    },
  },
  never: { inputSchema: schema(), run: () => new Promise(() => {}) },
  quit: { inputSchema: schema(), run: () => process.exit(7) },
});

// growing: `add {name, times?, everyMs?, hold?}` adds a callable tool and sends list_changed so many times (default 1),
// so far apart (default at once), before it answers; with `hold` it answers after `release`; `lists` gives the number of tools/list requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serve, text } from './serve.mjs';

let lists = 0;
let release = () => {};
const tools = {
  lists: { run: () => text(String(lists)) },
  release: {
    run: () => {
      release();
      return text('released');
    },
  },
  add: {
    run: async ({ name, times = 1, everyMs = 0, hold = false }) => {
      tools[name] = { description: `Was added as ${name}.`, run: () => text(`this is ${name}`) };
      for (let sent = 0; sent < times; sent += 1) {
        if (sent > 0 && everyMs > 0) await sleep(everyMs);
        send({ method: 'notifications/tools/list_changed' });
      }
      if (hold)
        await new Promise((resolve) => {
          release = resolve;
        });
      return text('added');
    },
  },
};

serve({
  name: 'growing',
  tools,
  capabilities: { tools: { listChanged: true } },
  on: {
    'tools/list': () => {
      lists += 1;
      return {
        tools: Object.entries(tools).map(([name, { run: _, ...rest }]) => ({
          name,
          description: `The ${name} tool.`,
          inputSchema: { type: 'object' },
          ...rest,
        })),
      };
    },
  },
});

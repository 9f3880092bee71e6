// changing: its list changes. `grow {times?}` adds one tool and sends list_changed so many times (default 1); `empty`
// makes the list empty, `tear` makes it fail, `mend` makes it whole again, each with one list_changed; `lists` gives the
// number of tools/list requests. list_changed is not announced in the capabilities, as with many real
// servers. Argument `torn`: the list fails from the start; `restless`: after the first list it tells changes in a loop, until
// the second one, which takes a second.
import { setTimeout as sleep } from 'node:timers/promises';
import { send, serve, text } from './serve.mjs';

let size = 1;
let mode = process.argv[2] === 'torn' ? 'tear' : 'whole';
let lists = 0;
const restless = process.argv[2] === 'restless';
let telling;
const change = (how, times = 1) => {
  mode = how;
  for (let sent = 0; sent < times; sent += 1) send({ method: 'notifications/tools/list_changed' });
  return text('changed');
};

serve({
  name: 'changing',
  on: {
    'tools/list': async () => {
      lists += 1;
      if (restless && lists === 1) telling = setInterval(() => change('whole'), 20);
      if (restless && lists === 2) {
        await sleep(1000);
        clearInterval(telling);
      }
      if (mode === 'tear') throw new Error('the list is torn');
      const length = mode === 'empty' ? 0 : size;
      return {
        tools: Array.from({ length }, (_, at) => ({ name: `grown-${at + 1}`, inputSchema: { type: 'object' } })),
      };
    },
  },
  tools: {
    grow: {
      run: ({ times }) => {
        size += 1;
        return change('whole', times);
      },
    },
    empty: { run: () => change('empty') },
    tear: { run: () => change('tear') },
    mend: { run: () => change('whole') },
    lists: { run: () => text(String(lists)) },
  },
});

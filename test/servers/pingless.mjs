// pingless: answers everything but `ping`, which it drops; `pings` gives how many came, `pid` its process id.
import { serve, text } from './serve.mjs';

let pings = 0;
serve({
  name: 'pingless',
  on: {
    ping: () => {
      pings += 1;
    },
  },
  tools: { pings: { run: () => text(String(pings)) }, pid: { run: () => text(String(process.pid)) } },
});

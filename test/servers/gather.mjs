// gather: `gather {of, n}` answers nobody until `of` calls are there, or nobody else came for 300 ms, and then all of them,
// the last one first; `hold {of, n}` is the same but waits as long as it takes; `most` gives how many it ever held at once;
// `next {n}` answers at once; `nap {ms}` after a while and says how many napped with it. `gather`, `hold`, `next` give `n`
// back.
import { send, serve, text } from './serve.mjs';

let waiting = [];
let most = 0;
let quiet;
let napping = 0;

const flush = () => {
  clearTimeout(quiet);
  for (const reply of waiting) send(reply);
  waiting = [];
};

const hold = ({ of, n }, { id }) => {
  clearTimeout(quiet);
  waiting.unshift({ id, result: text(String(n)) });
  most = Math.max(most, waiting.length);
  if (waiting.length >= of) flush();
};

serve({
  name: 'gather',
  tools: {
    gather: {
      run: (args, call) => {
        hold(args, call);
        if (waiting.length > 0) quiet = setTimeout(flush, 300);
      },
    },
    hold: { run: hold },
    most: { run: () => text(String(most)) },
    next: { run: ({ n }) => text(String(n)) },
    nap: {
      run: async ({ ms }) => {
        napping += 1;
        const together = napping;
        await new Promise((resolve) => setTimeout(resolve, ms));
        napping -= 1;
        return text(String(together));
      },
    },
  },
});

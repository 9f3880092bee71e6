// gather: `gather {of, n}` answers nobody until `of` calls are there, and then all of them, the last one first; `next {n}`
// answers at once. Both give `n` back.
import { send, serve, text } from './serve.mjs';

let waiting = [];
serve({
  name: 'gather',
  tools: {
    gather: {
      run: ({ of, n }, { id }) => {
        waiting.unshift({ id, result: text(String(n)) });
        if (waiting.length < of) return;
        for (const reply of waiting) send(reply);
        waiting = [];
      },
    },
    next: { run: ({ n }) => text(String(n)) },
  },
});

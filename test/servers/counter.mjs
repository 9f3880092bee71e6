// counter: keeps state. `add {by?}` gives the new value, `get` the value.
import { serve, text } from './serve.mjs';

let value = 0;
serve({
  name: 'counter',
  tools: {
    add: {
      run: ({ by = 1 }) => {
        value += by;
        return text(String(value));
      },
    },
    get: { run: () => text(String(value)) },
  },
});

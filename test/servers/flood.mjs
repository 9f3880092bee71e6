// flood: writes 300 KiB to stderr, a third of it without a newline, before it answers initialize and again during `call`;
// `fail` writes `the last straw` to stderr and exits with code 9.
import { writeSync } from 'node:fs';
import { serve, text } from './serve.mjs';

// Synchronously: whoever does not drain stderr blocks this server for good.
const flood = () => {
  writeSync(2, 'x'.repeat(100 * 1024));
  writeSync(2, `\n${`${'y'.repeat(99)}\n`.repeat(2 * 1024)}`);
};

flood();
serve({
  name: 'flood',
  tools: {
    call: {
      run: () => {
        flood();
        return text('still here');
      },
    },
    fail: {
      run: () => {
        flood();
        writeSync(2, 'the last straw\n');
        process.exit(9);
      },
    },
  },
});

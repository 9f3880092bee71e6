// deaf: `deafen` answers, then closes its stdin but lives on, so that the next write to it breaks (then `deaf now` is on stderr); `ok` answers.
import { closeSync } from 'node:fs';
import { serve, text } from './serve.mjs';

setTimeout(() => process.exit(), 180_000); // Not for ever, should a test die.
serve({
  name: 'deaf',
  tools: {
    ok: { run: () => text(String(process.pid)) },
    deafen: {
      run: () => {
        setTimeout(() => {
          process.stdin.destroy();
          try {
            closeSync(0);
          } catch {}
          process.stderr.write('deaf now\n');
        }, 20);
        return text('bye');
      },
    },
  },
});

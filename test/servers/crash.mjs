// crash: exits. Argument `start` (default): before initialize, with code 3 and a line on stderr; `refuse`: answers
// initialize with an error, then exits; `call`: `crash {code?, after?}` ends it in mid-call, `ok` answers.
import { send, serve, text } from './serve.mjs';

const how = process.argv[2] ?? 'start';
if (how === 'start') {
  process.stderr.write('cannot find my settings\n', () => process.exit(3));
} else {
  serve({
    name: 'crash',
    on:
      how === 'refuse'
        ? {
            initialize: (request) => {
              send({ id: request.id, error: { code: -32000, message: 'not today' } });
              setTimeout(() => process.exit(1), 20);
            },
          }
        : {},
    tools: {
      ok: { run: () => text('ok') },
      crash: {
        run: ({ code = 7, after = 0 }) => {
          process.stderr.write('the disk is on fire\n');
          setTimeout(() => process.exit(code), after);
        },
      },
    },
  });
}

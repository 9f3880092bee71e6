// noisy: prints a banner and a half-line without newline before its first reply, a debug line between two replies and
// JSON that is no JSON-RPC. `say {text}` echoes.
import { serve, text } from './serve.mjs';

process.stdout.write('Widget bridge v7 ready\n');
process.stdout.write('loading plugins ... {half');

serve({
  name: 'noisy',
  tools: {
    say: {
      run: (args) => {
        process.stdout.write('debug: handling a call\n{"level":"info","msg":"not for you"}\n[1,2]\n');
        return text(args.text ?? '');
      },
    },
  },
});

// huge: its first argument is the length of its list (default 3); `blob {bytes}` gives a text of that size; `list {count}` makes the next listing so long (list_changed is sent).
import { send, serve, text } from './serve.mjs';

let count = Number(process.argv[2] ?? 3);
serve({
  name: 'huge',
  on: {
    'tools/list': () => ({
      tools: Array.from({ length: count }, (_, at) => ({ name: `huge-${at}`, inputSchema: { type: 'object' } })),
    }),
  },
  tools: {
    blob: { run: ({ bytes = 1_000_000 }) => text('b'.repeat(bytes)) },
    list: {
      run: (args) => {
        count = args.count;
        send({ method: 'notifications/tools/list_changed' });
        return text('ok');
      },
    },
  },
});

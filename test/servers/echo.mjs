// echo: answers at once. `echo {text}` gives the text back, `fail {text}` an isError result, `odd` a result with fields
// that no schema knows, `shapeless {result}` that result, `pid` its process id. Tools carry odd schemas on purpose. No arguments.
import { serve, text } from './serve.mjs';

serve({
  name: 'echo',
  instructions: 'Say something.',
  tools: {
    echo: {
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      annotations: { readOnlyHint: true },
      'x-unknown': { kept: true },
      run: (args) => text(args.text),
    },
    fail: { run: (args) => ({ ...text(args.text ?? 'failed'), isError: true }) },
    odd: {
      inputSchema: true,
      outputSchema: false,
      run: () => ({ content: [{ type: 'hologram', depth: 3 }], structuredContent: [1, 2], extra: { kept: true } }),
    },
    error: {
      inputSchema: null,
      run: () => {
        throw Object.assign(new Error('no such thing'), { code: 404 });
      },
    },
    shapeless: { run: ({ result }) => result },
    pid: { run: () => text(String(process.pid)) },
  },
});

// answering: gives what it is told to. `give {value}` answers with `value` as JSON text, `structure {value}` as
// structuredContent, `say {text}` with a plain text, `typed {value}` as `give` but with an outputSchema, `fail {value}` as
// an error; `deep` sends an answer nested 50,000 deep to an id that nobody waits for, then its own. `redefine` gives `give` another description, with one list_changed.
import { send, serve, text } from './serve.mjs';

let give = 'Gives what it is told to.';
const tools = {
  give: { run: ({ value }) => text(JSON.stringify(value)) },
  structure: { run: ({ value }) => ({ content: [], structuredContent: value }) },
  say: { run: (args) => text(args.text) },
  typed: {
    outputSchema: { type: 'object', properties: { published: { type: 'number' } } },
    run: ({ value }) => text(JSON.stringify(value)),
  },
  fail: { run: ({ value }) => ({ ...text(JSON.stringify(value)), isError: true }) },
  deep: {
    run: () => {
      const data = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
      process.stdout.write(`{"jsonrpc":"2.0","id":7777,"error":{"code":1,"message":"x","data":${data}}}\n`);
      return text('sent');
    },
  },
  redefine: {
    run: () => {
      give = 'Gives it in another way.';
      send({ method: 'notifications/tools/list_changed' });
      return text('done');
    },
  },
};

serve({
  name: 'answering',
  tools,
  on: {
    'tools/list': () => ({
      tools: Object.entries(tools).map(([name, { run: _, ...rest }]) => ({
        name,
        description: name === 'give' ? give : `The ${name} tool.`,
        inputSchema: { type: 'object' },
        ...rest,
      })),
    }),
  },
});

// answering: gives what it is told to. `give {value}` answers with `value` as JSON text, `structure {value}` as
// structuredContent, `say {text}` with a plain text, `typed {value}` as `give` but with an outputSchema, `fail {value}` as
// an error. `redefine` gives `give` another description, with one list_changed.
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

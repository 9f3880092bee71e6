// strict: tools with schemas that are meant. `take` gives its arguments back as structured content; `merge` fails with a
// text and structured content that its outputSchema forbids; `drift` answers with structured content that does not fit;
// `taken` gives how many calls of `take` came; `parts` gives two texts.
import { serve, text } from './serve.mjs';

let taken = 0;
const outputSchema = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};

serve({
  name: 'strict',
  tools: {
    take: {
      inputSchema: {
        type: 'object',
        properties: {
          ids: { type: 'array', items: { type: 'number' } },
          limit: { type: 'integer', maximum: 100 },
          note: { type: 'string' },
        },
        additionalProperties: false,
      },
      run: (args) => {
        taken += 1;
        return { content: [], structuredContent: args };
      },
    },
    taken: { run: () => text(String(taken)) },
    merge: {
      outputSchema,
      run: () => ({ isError: true, ...text('branch is protected'), structuredContent: { code: 17 } }),
    },
    drift: { outputSchema, run: () => ({ ...text('drifted'), structuredContent: { id: 4 } }) },
    parts: { run: () => ({ content: [...text('{"a":1}').content, ...text('two').content] }) },
  },
});

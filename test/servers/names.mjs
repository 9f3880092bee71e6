// names: tools by any names. First argument: who this is; the second: a JSON list of names, or of tools with more in
// them; the third: its instructions. Every tool answers `WHO RAW-NAME`.
import { serve, text } from './serve.mjs';

const [, , who = 'names', list = '["one"]', instructions] = process.argv;
const tools = JSON.parse(list).map((tool) => (typeof tool === 'string' ? { name: tool } : tool));
serve({
  name: who,
  instructions,
  on: {
    'tools/list': () => ({ tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) }),
    'tools/call': ({ params }) => text(`${who} ${params.name}`),
  },
});

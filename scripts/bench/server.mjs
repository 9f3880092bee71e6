// A backing server that does next to nothing. Usage: server.mjs [TOOLS|FILE] (how many tools it lists, 2 at least, or a
// JSON file of those that it lists beside its own 2)
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const given = process.argv[2] ?? '2';
const count = Number(given);
const tools = [
  {
    name: 'echo',
    description: 'Gives back its text.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  {
    name: 'large',
    description: 'A text of that many characters.',
    inputSchema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
  },
  ...(Number.isNaN(count)
    ? JSON.parse(readFileSync(given, 'utf8'))
    : Array.from({ length: Math.max(0, count - 2) }, (_, at) => ({
        name: `update_record_${at}`,
        description: `Updates record number ${at} in the store and gives back what it holds now.`,
        inputSchema: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Which record.' },
            fields: { type: 'object', additionalProperties: { type: 'string' }, description: 'New values by name.' },
            mode: { type: 'string', enum: ['merge', 'replace'], default: 'merge' },
          },
          required: ['id', 'fields'],
        },
      }))),
];

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) => ({
    content: [{ type: 'text', text: name === 'large' ? 'x'.repeat(args.size) : String(args.text) }],
  }),
  ping: () => ({}),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = RESULTS[method];
    const outcome = answer ? { result: answer(params) } : { error: { code: -32601, message: `no method ${method}` } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  })
  .on('close', () => process.exit(0));

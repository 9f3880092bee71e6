// A hand-written stdio server for end-to-end tests: state, large texts, slow and out-of-order answers, sudden ends.
// Usage: e2e-lab.mjs [--mode ready|silent|exit|noisy|flood|mute-ping] [--log FILE]
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { mode: { type: 'string', default: 'ready' }, log: { type: 'string' } } });
const { mode, log } = values;
const note = (line) => log && appendFileSync(log, `${line}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const flood = () => process.stderr.write(`${'flood '.repeat(40)}\n`.repeat(700) + 'x'.repeat(130_000));

note(`start ${process.pid}`);
if (mode === 'exit') {
  process.stderr.write('cannot find the harbour map\n');
  process.exit(3);
}
if (mode === 'noisy') process.stdout.write('Widget bridge v7 ready\nloading half a line');
if (mode === 'noisy') process.stdout.write('\n');
if (mode === 'flood') flood();

const object = (properties = {}) => ({ type: 'object', properties });
const TOOLS = [
  { name: 'echo', description: 'Gives back its text.', inputSchema: object({ text: { type: 'string' } }) },
  {
    name: 'slow',
    description: 'Gives back its text after some time.',
    inputSchema: object({ text: { type: 'string' }, ms: { type: 'number' } }),
  },
  { name: 'add', description: 'Adds to the counter.', inputSchema: object({ by: { type: 'number' } }) },
  { name: 'read', description: 'Reads the counter.', inputSchema: object() },
  { name: 'large', description: 'A text of that many characters.', inputSchema: object({ size: { type: 'number' } }) },
  { name: 'die', description: 'Ends the server in mid-call.', inputSchema: object() },
  { name: 'never', description: 'Never answers.', inputSchema: object() },
];

let counter = 0;
const text = (id, value) => send({ id, result: { content: [{ type: 'text', text: String(value) }] } });

const call = (id, name, args = {}) => {
  note(`call ${name} ${JSON.stringify(args)}`);
  if (mode === 'noisy') process.stdout.write('debug: a line between two replies\n');
  if (mode === 'flood') flood();
  switch (name) {
    case 'echo':
      return text(id, args.text);
    case 'slow':
      return void setTimeout(() => text(id, args.text), args.ms);
    case 'add':
      counter += args.by;
      return text(id, counter);
    case 'read':
      return text(id, counter);
    case 'large':
      return text(id, 'é'.repeat(args.size));
    case 'die':
      process.stderr.write('the mast broke\n');
      return void process.exit(9);
    case 'never':
      return undefined;
    default:
      return send({ id, error: { code: -32602, message: `no tool ${name}` } });
  }
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (mode === 'silent') return;
    if (method === 'initialize')
      send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'lab', version: '1.0.0' },
        },
      });
    else if (method === 'tools/list') send({ id, result: { tools: TOOLS } });
    else if (method === 'tools/call') call(id, params.name, params.arguments);
    else if (method === 'notifications/cancelled') note(`cancelled ${params.requestId}`);
    else if (method === 'ping' && mode !== 'mute-ping') send({ id, result: {} });
    else if (id !== undefined && method !== 'ping')
      send({ id, error: { code: -32601, message: `no method ${method}` } });
  })
  .on('close', () => {
    note('end');
    process.exit(0);
  });

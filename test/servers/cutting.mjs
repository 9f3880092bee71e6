// cutting: a server over Streamable HTTP whose connection breaks after a request was received and before its answer. Its
// first line on stdout is its URL. Arguments: how it breaks (`silent`: before any header; `stream`: in the middle of an
// event stream; `body`: in the middle of a JSON body), then what breaks the first time it is asked: a method, or the name
// of a tool. Tools: sendInvoice (no hints), readInvoice (read-only), putInvoice (idempotent), received (how often each
// method and tool came). Ends when its stdin does.
import { createServer } from 'node:http';
import { text } from './serve.mjs';

const [how, ...breaking] = process.argv.slice(2);
const received = {};
const TOOLS = [
  { name: 'sendInvoice', inputSchema: { type: 'object' } },
  { name: 'readInvoice', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'putInvoice', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } },
  { name: 'received', inputSchema: { type: 'object' } },
];

const resultOf = ({ method, params }) => {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'cutting', version: '1.0.0' },
    };
  if (method === 'tools/list') return { tools: TOOLS };
  if (method !== 'tools/call') return {};
  return text(params.name === 'received' ? received : `${params.name} ran`);
};

const cut = (response) => {
  if (how === 'stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': working on it\n\n');
  } else if (how === 'body') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":');
  }
  setTimeout(() => response.socket.destroy(), how === 'silent' ? 0 : 50);
};

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const message = JSON.parse(body);
  if (message.id === undefined) return response.writeHead(202).end();
  const names = [message.method, message.params?.name].filter(Boolean);
  for (const name of names) received[name] = (received[name] ?? 0) + 1;
  if (names.some((name) => breaking.includes(name) && received[name] === 1)) return cut(response);
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) }));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));

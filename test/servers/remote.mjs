// remote: a server over HTTP on a free loopback port; its first line on stdout is its URL. Argument `http` (default):
// Streamable HTTP; `sse`: the older HTTP+SSE transport alone (POST to the URL gives 405); a number: that HTTP status for
// everything. `echo {text}`, `headers` (of the call's request), `requests` (how many came), `forget` (drops all sessions,
// so that the next request gets 404), `form {ms}` (asks after that time, on the stream of the call), `hang` (never answers). Ends when its stdin does.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { text } from './serve.mjs';

const how = process.argv[2] ?? 'http';
const sessions = new Map();
let requests = 0;

const create = () => {
  const server = new McpServer({ name: 'remote', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: { text: z.string() } }, (args) => text(args.text));
  server.registerTool('headers', {}, (extra) => text(extra.requestInfo?.headers ?? {}));
  server.registerTool('requests', {}, () => text(String(requests)));
  server.registerTool('hang', {}, () => new Promise(() => {}));
  server.registerTool('form', { inputSchema: { ms: z.number().optional() } }, async ({ ms = 0 }, extra) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = { message: 'Your name?', requestedSchema };
    return text(await extra.sendRequest({ method: 'elicitation/create', params }, z.any()));
  });
  server.registerTool('forget', {}, () => {
    setTimeout(() => sessions.clear(), 20);
    return text('forgotten');
  });
  return server;
};

const streamable = async (request, response) => {
  const id = request.headers['mcp-session-id'];
  if (id !== undefined) {
    const known = sessions.get(id);
    if (known) return known.handleRequest(request, response);
    return response.writeHead(404).end('no such session');
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => sessions.set(session, transport),
  });
  await create().connect(transport);
  await transport.handleRequest(request, response);
};

const sse = async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (request.method === 'GET' && url.pathname === '/mcp') {
    const transport = new SSEServerTransport('/messages', response);
    sessions.set(transport.sessionId, transport);
    return create().connect(transport);
  }
  const transport = url.pathname === '/messages' && sessions.get(url.searchParams.get('sessionId'));
  if (transport) return transport.handlePostMessage(request, response);
  response.writeHead(405).end();
};

const server = createServer((request, response) => {
  requests += 1;
  if (/^\d+$/.test(how)) return response.writeHead(Number(how)).end('refused');
  void (how === 'sse' ? sse : streamable)(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));

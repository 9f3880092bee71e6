// chaos-web: the tools of chaos-tools.mjs over Streamable HTTP. Usage: chaos-web.mjs --ledger FILE [--port N]; its first
// line on stdout is its URL. It keeps no session that it has not opened itself: after a new start there is 404 for all.
// Ends when its stdin does.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { chaosTools } from './chaos-tools.mjs';

const { values } = parseArgs({
  options: { ledger: { type: 'string', default: '/dev/null' }, port: { type: 'string', default: '0' } },
});
const log = (line) => process.stderr.write(`${line}\n`);
const tools = chaosTools({ name: 'web', ledger: values.ledger, log });
const sessions = new Map();

const create = () => {
  const server = new Server({ name: 'web', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.entries(tools).map(([name, { inputSchema }]) => ({
      name,
      description: `The ${name} tool.`,
      inputSchema,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const progressToken = params._meta?.progressToken;
    const progress = (step) => {
      if (progressToken !== undefined)
        void extra.sendNotification({ method: 'notifications/progress', params: { progressToken, ...step } });
    };
    const ask = (question) => server.elicitInput(question, { relatedRequestId: extra.requestId });
    return tools[params.name].run(params.arguments ?? {}, { progress, ask });
  });
  return server;
};

const serve = async (request, response) => {
  const id = request.headers['mcp-session-id'];
  if (id !== undefined) {
    const known = sessions.get(id);
    if (known) return known.handleRequest(request, response);
    return response.writeHead(404).end('no such session');
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => sessions.set(session, transport),
    onsessionclosed: (session) => sessions.delete(session),
  });
  await create().connect(transport);
  await transport.handleRequest(request, response);
};

const server = createServer((request, response) => {
  void serve(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
});
server.listen(Number(values.port), '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`),
);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));

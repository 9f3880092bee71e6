// Not a server: the least that one needs. JSON-RPC lines by hand, so that every byte is under the fixture's control.
import { createInterface } from 'node:readline';

/** Writes one message as one line. */
export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

export const text = (value) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

let asked = 0;
const waiting = new Map();

/** Asks the client something; rejects with its error. */
export const ask = (method, params) =>
  new Promise((resolve, reject) => {
    const id = `ask-${++asked}`;
    waiting.set(id, { resolve, reject });
    send({ id, method, params });
  });

/**
 * Serves until stdin ends. `tools` maps names to `{ description?, inputSchema?, run(args, request) }`; `run` gives a
 * result, a promise of one, or undefined for no answer at all. `on` overrides whole methods: it gets the request and may
 * give a result; where it gives undefined nothing is answered.
 * @param {{ name?: string, tools?: object, on?: object, onNotification?: (message: object) => void, capabilities?: object, instructions?: string }} options
 */
export const serve = ({ name = 'fixture', tools = {}, on = {}, onNotification, capabilities, instructions } = {}) => {
  const methods = {
    initialize: ({ params }) => ({
      protocolVersion: params.protocolVersion,
      capabilities: capabilities ?? { tools: {} },
      serverInfo: { name, version: '1.0.0' },
      ...(instructions ? { instructions } : {}),
    }),
    ping: () => ({}),
    'tools/list': () => ({
      tools: Object.entries(tools).map(([tool, { run: _, ...rest }]) => ({
        name: tool,
        description: `The ${tool} tool.`,
        inputSchema: { type: 'object' },
        ...rest,
      })),
    }),
    'tools/call': (request) => {
      const tool = tools[request.params.name];
      if (!tool) throw Object.assign(new Error(`Unknown tool: ${request.params.name}`), { code: -32602 });
      return tool.run(request.params.arguments ?? {}, request);
    },
    ...on,
  };
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) one?.reject(Object.assign(new Error(message.error.message), message.error));
      else one?.resolve(message.result);
      return;
    }
    if (message.id === undefined) return onNotification?.(message);
    const method = methods[message.method];
    if (!method) return send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
    try {
      const result = await method(message);
      if (result !== undefined) send({ id: message.id, result });
    } catch (error) {
      send({ id: message.id, error: { code: error.code ?? -32603, message: error.message, data: error.data } });
    }
  });
};

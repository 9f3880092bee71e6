// modern: speaks 2026-07-28 alone and refuses initialize. `echo {text}`; `level` gives the log level of its call; `name` needs an elicitation (input_required)
// before it answers. Argument `exit`: exits after the refusal, so that the next try needs a process of its own.

import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

if (process.argv[2] === 'exit') {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (line, ...rest) =>
    String(line).includes('"error"') ? write(line, () => process.exit(1)) : write(line, ...rest);
}

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1.0.0' });
    server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    server.registerTool('level', {}, (context) => ({
      content: [{ type: 'text', text: String(context.mcpReq.envelope?.['io.modelcontextprotocol/logLevel']) }],
    }));
    server.registerTool('name', {}, (context) => {
      const answer = acceptedContent(context.mcpReq.inputResponses, 'who');
      if (answer) return { content: [{ type: 'text', text: `Hello ${answer.name}` }] };
      return inputRequired({
        inputRequests: {
          who: inputRequired.elicit({
            message: 'Who?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          }),
        },
      });
    });
    return server;
  },
  { legacy: 'reject' },
);

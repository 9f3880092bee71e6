// The surface `code`: list_tools (declarations on demand) and execute (a program over the tools).
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/tool.ts';
import { failure } from './answer.ts';
import { callTool } from './call.ts';
import { execute } from './execute/execute.ts';
import { listTools } from './list.ts';
import { instructions, menu } from './menu.ts';
import type { SurfacePorts, SurfaceTool, SurfaceView } from './ports.ts';

/** Claude Code defers every MCP tool behind a search of its own unless the tool says this. */
const ALWAYS = { 'anthropic/alwaysLoad': true } as const;

const strings = (description?: string): JsonObject => ({
  type: 'array',
  items: { type: 'string' },
  ...(description !== undefined && { description }),
});

// Every word here is paid for by every session: 50 servers may cost 600 tokens at connect (`npm run bench -- tokens`).
const listToolsTool = (index: string): SurfaceTool => ({
  name: 'list_tools',
  description: `TypeScript declarations of this workspace's MCP tools; call before execute.\n${index}`,
  inputSchema: {
    type: 'object',
    properties: {
      servers: strings(),
      tools: strings('globs'),
      query: { type: 'string', description: 'a task in words' },
      detail: { type: 'string', enum: ['names', 'signatures', 'full'] },
    },
  },
  annotations: { readOnlyHint: true },
  _meta: ALWAYS,
});

const executeTool = ({ standard }: SurfacePorts['scriptSeconds']): SurfaceTool => ({
  name: 'execute',
  description:
    "Runs JavaScript over those tools; only its value reaches you: filter and join inside. Servers are globals: `await files.read_file({path: 'a.txt'})`. Top-level await and return work. A failing tool throws. console.log and emit(x) are shown; store.get/set keep JSON. No other I/O.",
  inputSchema: {
    type: 'object',
    properties: {
      script: { type: 'string' },
      background: { type: 'boolean' },
      resume: { type: 'string', description: 'run id' },
      timeout_seconds: { type: 'number', description: `script time, default ${standard}` },
    },
  },
  _meta: ALWAYS,
});

/** For agents that run programs of their own: one plain call instead of a script inside a script. */
const callToolTool: SurfaceTool = {
  name: 'call_tool',
  description: 'Calls one tool of one server and returns its own result.',
  inputSchema: {
    type: 'object',
    properties: {
      server: { type: 'string' },
      tool: { type: 'string' },
      arguments: { type: 'object' },
    },
    required: ['server', 'tool'],
  },
  _meta: ALWAYS,
};

/** @param withCallTool the shim was started with `--call-tool` */
export const createCodeSurface = (ports: SurfacePorts, withCallTool: boolean): SurfaceView => {
  const handlers = new Map([
    ['list_tools', listTools],
    ['execute', execute],
    ...(withCallTool ? [['call_tool', callTool] as const] : []),
  ]);
  return {
    instructions: () => instructions(ports.view()),
    tools: () => [
      listToolsTool(menu(ports.view(), ports.waiting?.())),
      executeTool(ports.scriptSeconds),
      ...(withCallTool ? [callToolTool] : []),
    ],
    call: async (name, args, scope) => {
      const handler = handlers.get(name);
      if (handler === undefined) {
        throw new MetadError(
          'not-found',
          `metad has no tool ${name} here. It has: ${[...handlers.keys()].join(', ')}.`,
        );
      }
      try {
        return await handler(ports, args, scope);
      } catch (error) {
        if (error instanceof MetadError) return failure(messageOf(error));
        throw error;
      }
    },
  };
};

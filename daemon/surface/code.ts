// The surface `code`: list_tools (declarations on demand) and execute (a program over the tools).
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { JsonObject } from '../../schema/tool.ts';
import { failure } from './answer.ts';
import { callTool } from './call.ts';
import { execute } from './execute.ts';
import { listTools } from './list.ts';
import { instructions, menu } from './menu.ts';
import type { SurfacePorts, SurfaceTool, SurfaceView } from './ports.ts';

/** Claude Code defers every MCP tool behind a search of its own unless the tool says this. */
const ALWAYS = { 'anthropic/alwaysLoad': true } as const;

const strings = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });

const listToolsTool = (index: string): SurfaceTool => ({
  name: 'list_tools',
  description: `TypeScript declarations of the tools that this workspace's MCP servers offer. Call it before execute. Without parameters: everything, as detailed as fits; the parameters narrow it.\n${index}`,
  inputSchema: {
    type: 'object',
    properties: {
      servers: strings('only these servers'),
      tools: strings('only these tools; * matches any text'),
      query: { type: 'string', description: 'what you want to do; best matches first' },
      detail: { type: 'string', enum: ['names', 'signatures', 'full'] },
    },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  _meta: ALWAYS,
});

const executeTool = ({ standard, most }: SurfacePorts['scriptSeconds']): SurfaceTool => ({
  name: 'execute',
  description: `Runs a JavaScript program over the tools in a sandbox and returns its value; only that reaches you, so filter and join inside. Each server is a global object: \`const {content} = await files.read_file({path: "a.txt"})\`. Top-level await and return work; without return the last expression is the value. Promise.all runs calls side by side. A failing tool throws. console.log is shown. No network, files or modules but through tools.`,
  inputSchema: {
    type: 'object',
    properties: {
      script: { type: 'string', description: 'the program' },
      timeout_seconds: {
        type: 'number',
        description: `script time, not counting time in tools; ${standard} unless given, at most ${most}`,
      },
    },
    required: ['script'],
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
      listToolsTool(menu(ports.view())),
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

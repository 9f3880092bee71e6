// `call_tool`: one tool of one server, its own result.
import { MetadError } from '../../schema/errors.ts';
import type { JsonObject, ToolResult } from '../../schema/tool.ts';
import { readArguments } from './arguments.ts';
import { serverNamed, toolNamed } from './find.ts';
import { invoke } from './invoke.ts';
import type { CallScope, SurfacePorts } from './ports.ts';

export const callTool = async (ports: SurfacePorts, args: JsonObject, scope: CallScope): Promise<ToolResult> => {
  const read = readArguments('call_tool', args, ['server', 'tool', 'arguments']);
  const server = read.string('server');
  const tool = read.string('tool');
  if (server === undefined || tool === undefined) {
    throw new MetadError('bad-request', 'call_tool needs `server` and `tool`.');
  }
  const result = await callByName(ports, server, tool, read.object('arguments') ?? {}, scope);
  if (!result.isError || result.content.length === 0) return result;
  // Some agents show nothing but structured content where there is any, and a failure's reason is its text.
  const { structuredContent: _, ...shown } = result;
  return shown;
};

/** Finds both by raw or script name; meets a server whose tools are unknown first. */
export const callByName = async (
  ports: SurfacePorts,
  serverName: string,
  toolName: string,
  args: JsonObject,
  scope: CallScope,
): Promise<ToolResult> => {
  const found = serverNamed(ports.view(), serverName);
  if (ports.unlisted([found]).length > 0) await ports.discover([found], scope.signal);
  const server = serverNamed(ports.view(), serverName);
  return invoke(ports, server, toolNamed(ports, server, toolName), args, scope);
};

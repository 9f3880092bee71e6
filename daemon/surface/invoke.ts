// One call of a tool that was found by name. Where it fails because the server has dropped the tool, it says so.
import { MetadError } from '../../schema/errors.ts';
import type { JsonObject, ToolResult } from '../../schema/tool.ts';
import { findServer, type NamedTool, type ViewServer } from '../catalog/view.ts';
import { textPart } from './answer.ts';
import { removedSentence } from './find.ts';
import type { CallScope, SurfacePorts } from './ports.ts';

/** Undefined where the server still has the tool, or does not run and so cannot tell. */
const whyGone = async (
  ports: SurfacePorts,
  server: ViewServer,
  { raw }: NamedTool,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (ports.stateOf(server).state !== 'ready') return undefined;
  // The name may be from a list of an earlier start. The list of this one is at hand or on its way.
  await ports.discover([server], signal);
  const now = findServer(ports.view(), server.definition.name);
  if (now?.listing?.freshness !== 'confirmed') return undefined;
  return now.listing.tools.some(({ name }) => name === raw) ? undefined : removedSentence(now, raw);
};

/** As `ports.call`. */
export const invoke = async (
  ports: SurfacePorts,
  server: ViewServer,
  tool: NamedTool,
  args: JsonObject,
  scope: CallScope,
): Promise<ToolResult> => {
  try {
    const result = await ports.call(server, tool, args, scope);
    if (!result.isError) return result;
    const why = await whyGone(ports, server, tool, scope.signal);
    return why === undefined ? result : { ...result, content: [...result.content, textPart(why)] };
  } catch (error) {
    if (!(error instanceof MetadError) || error.code !== 'upstream') throw error;
    const why = await whyGone(ports, server, tool, scope.signal);
    if (why === undefined) throw error;
    throw new MetadError('not-found', `${why} It answered: ${error.message}`, { cause: error });
  }
};

// `metad tools [SERVER…]`: TypeScript declarations on stdout.
import { type CommonOptions, type Context, DONE, note, print, printJson } from '../context.ts';
import { pathsFor, reach } from '../reach.ts';

export interface ToolsOptions extends CommonOptions {
  readonly detail?: string;
}

export const tools = async (context: Context, servers: readonly string[], options: ToolsOptions): Promise<number> => {
  const { client } = await reach(context, options);
  const result = await client.tools({ cwd: context.cwd, servers, detail: options.detail ?? 'full' });
  if (options.json) printJson(context, result);
  else if (result.text === '')
    note(context, `There is nothing to declare: ${pathsFor(context, options).configFile} names no server.`);
  else print(context, result.text);
  return DONE;
};

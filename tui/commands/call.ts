// `metad call SERVER.TOOL JSON`: one tool, its text on stdout.
import { messageOf } from '../../schema/errors.ts';
import type { Contract, Methods } from '../../schema/wire.ts';
import {
  type CommonOptions,
  type Context,
  DONE,
  FAILED,
  note,
  print,
  printJson,
  readInput,
  UsageError,
} from '../context.ts';
import { formatBytes } from '../format.ts';
import { reach } from '../reach.ts';

type Result = Methods['call']['result'];
type Arguments = Methods['call']['params']['arguments'];

/**
 * `server.tool` at the first dot; where a server's own name holds dots, the longest name that fits decides.
 * @throws UsageError when there are no two parts
 */
export const splitTarget = (target: string, servers: readonly string[]): { server: string; tool: string } => {
  const named = servers
    .filter((name) => target.startsWith(`${name}.`))
    .sort((one, other) => other.length - one.length)[0];
  const at = named === undefined ? target.indexOf('.') : named.length;
  const [server, tool] = [target.slice(0, at), target.slice(at + 1)];
  if (at < 1 || tool === '')
    throw new UsageError(`"${target}" names no tool: write SERVER.TOOL, e.g. files.read_file.`);
  return { server, tool };
};

/** @throws UsageError unless it is one JSON object; nothing at all is an empty one. */
export const parseArguments = (text: string): Arguments => {
  let value: unknown;
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text);
    // The object written down as JSON once more, as models do.
    if (typeof value === 'string') value = JSON.parse(value);
  } catch (error) {
    throw new UsageError(`The arguments are no JSON: ${messageOf(error)}. Quote them, e.g. '{"path": "/tmp"}'.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The arguments must be one JSON object, e.g. \'{"path": "/tmp"}\'.');
  return Object.fromEntries(Object.entries(value));
};

const field = (part: unknown, name: string): unknown =>
  typeof part === 'object' && part !== null && name in part ? Reflect.get(part, name) : undefined;

/** What can be read of a result: its texts, else its structured content. What cannot is named apart. */
export const readable = ({ content, structuredContent }: Result): { texts: string[]; others: string[] } => {
  const texts: string[] = [];
  const others: string[] = [];
  for (const part of content) {
    const text = field(part, 'text') ?? field(field(part, 'resource'), 'text');
    const data = field(part, 'data') ?? field(field(part, 'resource'), 'blob');
    const kind = [field(part, 'type'), field(part, 'mimeType') ?? field(part, 'uri')].filter(Boolean).join(' ');
    if (typeof text === 'string') texts.push(text);
    else others.push(typeof data === 'string' ? `${kind}, ${formatBytes(Math.floor((data.length * 3) / 4))}` : kind);
  }
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent, null, 2));
  return { texts, others };
};

const targetOf = async (client: Contract, target: string) => {
  const ambiguous = target.split('.').length > 2;
  return splitTarget(target, ambiguous ? (await client.status({})).servers.map(({ name }) => name) : []);
};

export const call = async (
  context: Context,
  target: string,
  json: string | undefined,
  options: CommonOptions,
): Promise<number> => {
  // Both are checked before a daemon is started for nothing.
  splitTarget(target, []);
  const args = parseArguments(json === '-' ? await readInput(context) : (json ?? ''));
  const { client } = await reach(context, options);
  const { server, tool } = await targetOf(client, target);
  const result = await client.call({ cwd: context.cwd, server, tool, arguments: args });
  if (options.json) printJson(context, result);
  else {
    const { texts, others } = readable(result);
    for (const text of texts) (result.isError ? note : print)(context, text);
    for (const other of others) note(context, `[${other}; --json prints it]`);
  }
  return result.isError ? FAILED : DONE;
};

// A file of a workspace that declares servers (`.mcp.json` and its like) to definitions, with all that is wrong with it.
import type { Node } from 'jsonc-parser';
import type { Definition } from '../config.ts';
import { childOf, parseJsonc, plainValue, propertiesOf } from './jsonc.ts';
import { type Problem, pathText } from './problem.ts';
import { type Report, warnOfDoubles } from './read.ts';
import { kindOf } from './sentence.ts';
import { readServer } from './server.ts';

export interface FileShape {
  /** The key under which the servers stand. */
  readonly key: 'mcpServers' | 'servers';
  /** Keys of a server that mean something to the agent of that file alone: nobody is warned of them. */
  readonly quiet: readonly string[];
  /** metad's own file: keys beside the servers are a mistake there. In an agent's file they are that agent's. */
  readonly isOwn: boolean;
}

export interface DeclaredServer {
  readonly definition: Definition;
  /** Its entry as written, objects without prototype; of a doubled key the first. For comparing, nothing else. */
  readonly entry: unknown;
}

export interface FileReading {
  /** In the order of the file. Undefined where the file as a whole cannot be read. */
  readonly servers: readonly DeclaredServer[] | undefined;
  readonly problems: readonly Problem[];
}

/** More nobody has, and checking each is work of the daemon's before anybody trusts anything. */
const MOST_SERVERS = 200;

/** Nobody reads more, and whoever wrote the file decides how many there are. Errors go first. */
const MOST_PROBLEMS = 20;

const few = (problems: readonly Problem[]): readonly Problem[] => {
  if (problems.length <= MOST_PROBLEMS) return problems;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const told = [...errors, ...problems.filter(({ severity }) => severity !== 'error')].slice(0, MOST_PROBLEMS);
  const [last] = told.slice(-1);
  const more = `and ${problems.length - told.length} more like this.`;
  return last === undefined ? told : [...told.slice(0, -1), { ...last, message: `${last.message} … ${more}` }];
};

const OTHER_KEYS = ['mcpServers', 'servers'] as const;

/**
 * Reads the servers of a workspace's file; nothing in them is expanded. Pure, and never throws for what the file holds.
 * A server that asks for an input (`${input:id}`) is an error: metad asks nobody.
 * @param origin absolute path of the file, for problems and definitions
 */
export const readWorkspaceFile = (source: Uint8Array, origin: string, shape: FileShape): FileReading => {
  const parsed = parseJsonc(source, origin);
  if (!parsed.ok) return { servers: undefined, problems: [parsed.problem] };
  const { jsonc } = parsed;
  const { root } = jsonc;
  const { key } = shape;
  const problems: Problem[] = [];
  const report: Report = (severity, node, path, message) =>
    void problems.push({ severity, file: origin, ...jsonc.at(node), path: pathText(path), message });

  if (root.type !== 'object') {
    report('error', root, [], `The file must be an object in { }, but is ${kindOf(root)}.`);
    return { servers: undefined, problems };
  }
  const node = childOf(root, key);
  if (node !== undefined && node.type !== 'object') {
    report('error', node, [key], `${key} must be an object in { }, but is ${kindOf(node)}.`);
    return { servers: undefined, problems };
  }
  const declared = propertiesOf(node);
  if (declared.length > MOST_SERVERS) {
    report(
      'error',
      node ?? root,
      [key],
      `${key} has ${declared.length} servers, and at most ${MOST_SERVERS} are read: none of them is.`,
    );
    return { servers: undefined, problems };
  }
  warnOfOthers(root, shape, report);
  warnOfDoubles(root, [], jsonc, report);
  const servers = new Map<string, DeclaredServer | undefined>();
  for (const { name, value } of declared) {
    if (servers.has(name)) continue;
    const about: Report = (severity, at, path, message) => {
      const [, , field] = path;
      const isQuiet = severity === 'warning' && path.length === 3 && shape.quiet.includes(String(field));
      if (!isQuiet) report(severity, at, path, message);
    };
    const definition = readServer(name, value, origin, about, key);
    const asks = definition !== undefined && reportInputs(value, [key, name], root, report);
    servers.set(name, definition === undefined || asks ? undefined : { definition, entry: plainValue(value) });
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { servers: [...servers.values()].filter((server) => server !== undefined), problems: few(problems) };
};

const warnOfOthers = (root: Node, { key, isOwn }: FileShape, report: Report): void => {
  for (const { name, key: at } of propertiesOf(root)) {
    if (name === key || name === '$schema') continue;
    if (OTHER_KEYS.some((other) => other === name))
      report('warning', at, [name], `${name} is left out: in this file servers stand under "${key}".`);
    else if (isOwn)
      report('warning', at, [name], `${pathText([name])} is left out: a workspace's file sets nothing but "${key}".`);
  }
};

/** What VS Code would ask a person for, by id. */
const promptOf = (root: Node, id: string): string => {
  const inputs = childOf(root, 'inputs');
  const input = (inputs?.children ?? []).find((one) => childOf(one, 'id')?.value === id);
  const said = input && childOf(input, 'description')?.value;
  return typeof said === 'string' ? ` (${JSON.stringify(said.slice(0, 100))})` : '';
};

/** Whether the server asks for inputs; each place where it does is reported. */
const reportInputs = (server: Node, path: readonly PropertyKey[], root: Node, report: Report): boolean => {
  let asks = false;
  const walk = (node: Node, below: readonly PropertyKey[]): void => {
    const id = node.type === 'string' ? /\$\{input:([^}]*)\}/.exec(String(node.value))?.[1] : undefined;
    if (id !== undefined) {
      asks = true;
      report(
        'error',
        node,
        below,
        `${pathText(below)} asks for the input ${JSON.stringify(id)}${promptOf(root, id)}, and metad asks nobody: put the value into a variable of your shell and write \${env:NAME} instead, or declare the server in your own config.json.`,
      );
    }
    if (node.type === 'array') for (const [at, child] of (node.children ?? []).entries()) walk(child, [...below, at]);
    for (const { name, value } of propertiesOf(node)) walk(value, [...below, name]);
  };
  walk(server, path);
  return asks;
};

// `list_tools`: declarations of what the caller may use, narrowed as it asks, within a token budget.
import { fit as fitWithin } from '../../schema/declare/budget.ts';
import { DETAILS, type Detail } from '../../schema/declare/declare.ts';
import { MetadError } from '../../schema/errors.ts';
import { matchesGlob } from '../../schema/glob.ts';
import type { JsonObject, ToolResult } from '../../schema/tool.ts';
import type { Match } from '../catalog/search.ts';
import type { NamedTool, ViewServer } from '../catalog/view.ts';
import { answer } from './answer.ts';
import { readArguments } from './arguments.ts';
import { near, serverNamed, unknownTools } from './find.ts';
import type { CallScope, SurfacePorts } from './ports.ts';

/** Who asks for a stated detail of stated servers or tools means it: such an answer may take this many budgets. */
const STATED_BUDGETS = 5;
const QUERY_RESULTS = 20;

const DEFAULT_DETAIL: Detail = 'signatures';

/** By raw name, script name or either behind `server.`; `*` matches any text. */
const isNamed = (server: ViewServer, tool: NamedTool, pattern: string): boolean =>
  [tool.raw, tool.script].some(
    (name) =>
      matchesGlob(pattern, name) ||
      [server.definition.name, server.namespace].some((owner) => matchesGlob(pattern, `${owner}.${name}`)),
  );

const withTools = (server: ViewServer, keep: (tool: NamedTool) => boolean): ViewServer => ({
  ...server,
  tools: server.tools.filter(keep),
});

/** @throws MetadError `not-found` for a name that is nobody's, with the servers whose tools are not known, if any. */
const narrowed = (
  ports: SurfacePorts,
  all: readonly ViewServer[],
  patterns: readonly string[] | undefined,
): readonly ViewServer[] => {
  const servers = all.filter(({ listing }) => listing !== undefined);
  if (patterns === undefined) return servers;
  const unmet = all.filter(({ listing }) => listing === undefined).map((server) => ` ${unknownTools(ports, server)}`);
  for (const pattern of patterns) {
    if (servers.some((server) => server.tools.some((tool) => isNamed(server, tool, pattern)))) continue;
    const known = servers.flatMap((server) => server.tools.map(({ script }) => script));
    throw new MetadError('not-found', `No tool here matches ${pattern}.${near(pattern, known)}${unmet.join('')}`);
  }
  return servers
    .map((server) => withTools(server, (tool) => patterns.some((pattern) => isNamed(server, tool, pattern))))
    .filter(({ tools }) => tools.length > 0);
};

/** The servers of the best matches, best first, each with its matching tools. */
const serversOf = (best: readonly Match[]): readonly ViewServer[] =>
  [...new Set(best.map(({ server }) => server))].map((server) =>
    withTools(server, (tool) => best.some((match) => match.server === server && match.tool === tool)),
  );

/** One comment line per server that is missing or not up to date, so that none is missing in silence. */
const remarks = (ports: SurfacePorts, servers: readonly ViewServer[]): string[] =>
  servers.flatMap((server) => {
    if (server.listing === undefined) return [`// ${unknownTools(ports, server)}`];
    const { name } = server.definition;
    const partly = server.listing.warnings.slice(0, 3).map((warning) => `// ${name}: ${warning}`);
    if (server.listing.freshness !== 'stale') return partly;
    return [...partly, `// ${name}: this is its last good list; it could not be renewed.`];
  });

/** Waits, bounded, for the tools of servers that were never met. */
const met = async (
  ports: SurfacePorts,
  names: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly ViewServer[]> => {
  const pick = (): readonly ViewServer[] => {
    const view = ports.view();
    return names === undefined ? view.servers : [...new Set(names.map((name) => serverNamed(view, name)))];
  };
  const unseen = ports.unlisted(pick());
  if (unseen.length > 0) await ports.discover(unseen, signal);
  return pick();
};

const NONE =
  '// No server is configured for this workspace. Servers are added under `mcpServers` in metad’s config.json.';

export const listTools = async (ports: SurfacePorts, args: JsonObject, scope: CallScope): Promise<ToolResult> => {
  const read = readArguments('list_tools', args, ['servers', 'tools', 'query', 'detail']);
  const names = read.strings('servers');
  const patterns = read.strings('tools');
  const query = read.string('query');
  const detail = read.oneOf('detail', DETAILS);

  const servers = await met(ports, names?.length ? names : undefined, scope.signal);
  if (servers.length === 0) return answer(NONE);
  const wanted = narrowed(ports, servers, patterns?.length ? patterns : undefined);
  const shown = query === undefined ? wanted : serversOf(await ports.search(wanted, query, QUERY_RESULTS));
  const stated = detail !== undefined && (names !== undefined || patterns !== undefined || query !== undefined);
  const { text } = fitWithin(
    shown.map((server) => ({
      server: server.definition.name,
      namespace: server.namespace,
      tools: server.tools,
      instructions: server.listing?.instructions,
      declare: (wantedDetail) => ports.declare(server, wantedDetail),
    })),
    ports.budgetTokens * (stated ? STATED_BUDGETS : 1),
    { most: detail ?? DEFAULT_DETAIL, isAsked: stated },
  );
  const empty = shown.length === 0 && query !== undefined ? `// Nothing here matches: ${query}\n` : '';
  const notes = remarks(ports, servers);
  return answer(`${text}${empty}${notes.join('\n')}`.trimEnd());
};

/** The declarations of these servers (all where none is named), at one detail and with no budget: for a person. */
export const declarations = async (
  ports: SurfacePorts,
  names: readonly string[],
  detail: string,
  signal: AbortSignal,
): Promise<string> => {
  const chosen = DETAILS.find((known) => known === detail);
  if (chosen === undefined) throw new MetadError('bad-request', `\`detail\` must be one of ${DETAILS.join(', ')}.`);
  const servers = await met(ports, names.length === 0 ? undefined : names, signal);
  const texts = servers
    .filter(({ listing }) => listing !== undefined)
    .map((server) => ports.declare(server, chosen).text);
  return [...texts, ...remarks(ports, servers)].join('\n');
};

// `list_tools` of a server with 50 tools that does not run: in the daemon alone, and as the agent sees it.
import { createCurrentCatalog } from '../../daemon/catalog/current.ts';
import { createDeclarations } from '../../daemon/catalog/declarations.ts';
import { createCodeSurface } from '../../daemon/surface/code.ts';
import type { SurfaceView } from '../../daemon/surface/ports.ts';
import { readConfig } from '../../schema/config/read.ts';
import type { Tool } from '../../schema/tool.ts';
import { temporaryHome } from '../../test/helpers/home.ts';
import { benchServer, lineClient, type Measure, median, quantile, shimClient, timed } from './harness.ts';

const ROUNDS = 200;
const AGENT_ROUNDS = 30;
const REQUEST = { servers: ['fifty'] };

const toolsOf = async ({ command, args }: { command: string; args: readonly string[] }): Promise<readonly Tool[]> => {
  await using server = lineClient(command, args);
  await server.open();
  return (await server.request('tools/list'))['tools'] as readonly Tool[];
};

/** The surface over a catalog as a daemon has it that has just read it from its database. */
const surfaceOver = (tools: readonly Tool[]): SurfaceView => {
  const { config } = readConfig(JSON.stringify({ mcpServers: { fifty: benchServer('50') } }), 'bench');
  if (config === undefined) throw new Error('the config of the bench cannot be read');
  const catalog = createCurrentCatalog({
    known: () => [{ key: 'fifty', server: 'fifty', tools, freshness: 'cached', listedAt: 0, warnings: [] }],
    keyOf: () => 'fifty',
    save: () => {},
    onChanged: () => {},
  });
  return createCodeSurface(
    {
      view: () => catalog.viewOf(config.servers, null),
      budgetTokens: config.listTools.budgetTokens,
      scriptSeconds: { standard: 30, most: 600 },
      maxOutputCharacters: 20_000,
      unlisted: () => [],
      discover: async () => {},
      search: async () => [],
      declare: createDeclarations().declare,
      stateOf: () => ({ state: 'cold', reason: null }),
      call: () => Promise.reject(new Error('nothing is called')),
      beginRun: () => {
        throw new Error('not used');
      },
      findRun: () => {
        throw new Error('not used');
      },
      detachSeconds: 45,
      run: () => Promise.reject(new Error('nothing is run')),
      keepResult: () => false,
      service: () => Promise.reject(new Error('nothing is asked')),
    },
    false,
  );
};

const list = async (surface: SurfaceView): Promise<void> => {
  const { content } = await surface.call('list_tools', REQUEST, { signal: new AbortController().signal });
  if (!content[0]?.text?.includes('update_record_47')) throw new Error('list_tools did not list them');
};

const inDaemon = async (): Promise<{ first: number[]; later: number[] }> => {
  const tools = await toolsOf(benchServer('50'));
  const [first, later]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const surface = surfaceOver(tools);
    first.push(await timed(() => list(surface)));
    later.push(await timed(() => list(surface)));
  }
  return { first, later };
};

const asAgent = async (): Promise<number> => {
  await using home = temporaryHome({ mcpServers: { fifty: benchServer('50') } });
  {
    await using client = shimClient(home.home);
    await client.open();
    await client.call('list_tools', REQUEST);
  }
  await home.stop();
  await using client = shimClient(home.home);
  await client.open();
  const took: number[] = [];
  for (let round = 0; round < AGENT_ROUNDS; round += 1)
    took.push(await timed(() => client.call('list_tools', REQUEST)));
  const state = (await home.server('fifty'))?.state;
  if (state !== undefined && state !== 'cold') throw new Error(`the server is ${state}, not cold`);
  return median(took);
};

export const measure: Measure = async (say) => {
  say('in the daemon');
  const { first, later } = await inDaemon();
  say('as the agent sees it');
  return [
    {
      id: 'list-cold',
      what: '`list_tools` for a 50-tool server from the catalog, server cold, p50 in the daemon',
      unit: 'ms',
      value: median(first),
      note: `nothing declared before; p95 ${quantile(first, 0.95).toFixed(2)}; asked again ${median(later).toFixed(2)} ms`,
    },
    { id: 'list-agent', what: 'the same as the agent sees it, p50', unit: 'ms', value: await asAgent() },
  ];
};

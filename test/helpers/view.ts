// Definitions, listings and views of made-up servers, and the ports of a surface over them.
import { catalogOf } from '../../daemon/catalog/catalog.ts';
import { createDeclarations } from '../../daemon/catalog/declarations.ts';
import { createViews, type View } from '../../daemon/catalog/view.ts';
import type { ScriptRun, SurfacePorts } from '../../daemon/surface/ports.ts';
import type { Definition } from '../../schema/config.ts';
import type { Listing, Tool } from '../../schema/tool.ts';
import { testLedger } from './ledger.ts';
import { testListing } from './listing.ts';

export const definition = (name: string, change: Partial<Definition> = {}): Definition => ({
  name,
  reach: { kind: 'stdio', command: name, args: [], env: {} },
  sharing: 'workspace',
  sharedBy: 'default',
  sharingReason: 'As it is.',
  disabled: false,
  callTimeoutMs: 1000,
  startTimeoutMs: 1000,
  idleMs: 1000,
  origin: 'config.json',
  ...change,
});

export const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `The ${name} tool.`,
  inputSchema: { type: 'object' },
  ...more,
});

/** Tools by name, or undefined where nothing is known of the server. */
export type Known = readonly (string | Tool)[] | undefined;

export const listingOf = (key: string, known: readonly (string | Tool)[], change: Partial<Listing> = {}): Listing =>
  testListing(key, {
    server: key,
    tools: known.map((one) => (typeof one === 'string' ? tool(one) : one)),
    ...change,
  });

/** A view of servers; the key of a definition is its name. */
export const viewOf = (servers: Readonly<Record<string, Known>>, definitions?: readonly Definition[]): View => {
  const listings = Object.entries(servers).flatMap(([name, known]) =>
    known === undefined ? [] : [listingOf(name, known, { instructions: '' })],
  );
  const all = definitions ?? Object.keys(servers).map((name) => definition(name));
  return createViews(({ name }) => name)(() => catalogOf(listings), all, null);
};

export interface TestPorts extends SurfacePorts {
  /** Names of servers in the order in which they were asked to be met. */
  readonly met: string[];
  readonly runs: ScriptRun[];
  /** `server.tool` of each call. */
  readonly called: string[];
  /** JSON of what was kept, by the name of its run. */
  readonly kept: Map<string, string>;
}

const OWNER = { session: 'test', agent: 'test', root: null };

/** Ports over a view that nothing stands behind: calls give their own name, runs give `done`. */
export const testPorts = (view: View | (() => View), change: Partial<SurfacePorts> = {}): TestPorts => {
  const met: string[] = [];
  const runs: ScriptRun[] = [];
  const called: string[] = [];
  const ledger = testLedger();
  const kept = new Map<string, string>();
  return {
    kept,
    met,
    runs,
    called,
    view: typeof view === 'function' ? view : () => view,
    budgetTokens: 4000,
    scriptSeconds: { standard: 30, most: 600 },
    maxOutputCharacters: 20_000,
    unlisted: (servers) => servers.filter(({ listing }) => listing === undefined),
    discover: async (servers) => void met.push(...servers.map((one) => one.definition.name)),
    search: async (servers, query) =>
      servers.flatMap((server) =>
        server.tools
          .filter(({ raw }) => query.split(' ').some((word) => raw.includes(word)))
          .map((tool) => ({ server, tool, score: 1 })),
      ),
    declare: createDeclarations().declare,
    stateOf: () => ({ state: 'cold', reason: null }),
    call: async (server, one) => {
      called.push(`${server.definition.name}.${one.raw}`);
      return { content: [{ type: 'text', text: one.raw }] };
    },
    beginRun: (work, options) => ledger.begin(OWNER, work, options),
    findRun: (id) => ledger.find(OWNER, id),
    detachSeconds: 45,
    run: async (run) => {
      runs.push(run);
      return { ok: true, value: 'done', logs: [] };
    },
    keepResult: (runId, body) => {
      kept.set(runId, body);
      return true;
    },
    service: async () => undefined,
    ...change,
  };
};

export const scope = () => ({ signal: new AbortController().signal });

export const said = ({ content }: { content: readonly { text?: string }[] }): string =>
  content.map(({ text }) => text ?? '').join('\n');

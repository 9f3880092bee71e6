import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { openSession, type Session } from '../../../daemon/session/session.ts';
import { createSocketTransport } from '../../../daemon/session/transport.ts';
import type { CallScope, SurfaceTool, SurfaceView } from '../../../daemon/surface/ports.ts';
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';
import { eventually } from '../../helpers/eventually.ts';
import { socketPair } from '../../helpers/sockets.ts';
import { definition } from '../../helpers/view.ts';

const listTools: SurfaceTool = { name: 'list_tools', description: 'first', inputSchema: { type: 'object' } };

const setUp = async (root: string | null = '/w', call?: SurfaceView['call']) => {
  const pair = await socketPair();
  const closed: Session[] = [];
  let tools: readonly SurfaceTool[] = [listTools];
  let scope: CallScope | undefined;
  let definitions: ReadonlyMap<string, Definition> = new Map();
  let following = true;
  const session = openSession({
    id: 'one',
    hello: { protocol: 1, version: '0', pid: 1, cwd: '/', environment: {}, agent: 'someone' },
    surface: 'code',
    socket: pair.far,
    log: () => {},
    root,
    now: () => 0,
    viewFor: () => ({
      instructions: () => 'two steps',
      tools: () => tools,
      call:
        call ??
        (async (name, _, given) => {
          scope = given;
          return { content: [{ type: 'text', text: name }] };
        }),
    }),
    rootFrom: async (folder) => (folder === '/nowhere' ? null : folder),
    definitionsAt: () => definitions,
    isFollowing: () => following,
    concerns: (key) => key === 'mine',
    onRoots: () => {},
    onLevel: () => {},
    onChange: () => {},
    onClose: (gone) => void closed.push(gone),
  });
  return {
    session,
    closed,
    transport: createSocketTransport(pair.near, () => {}),
    scope: () => scope,
    /** Servers of these names apply now. */
    apply: (names: readonly string[], follows = true) => {
      definitions = new Map(names.map((name) => [name, definition(name)]));
      following = follows;
      session.refresh();
    },
    show: (next: readonly SurfaceTool[]) => {
      tools = next;
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
};

const change = (key: string, first = false) => ({ key, server: 'sqlx', added: ['a'], removed: [], altered: [], first });
const said = (result: unknown) => (result as { content: { text: string }[] }).content.map(({ text }) => text);
const v2 = (options: object = {}) => new Client({ name: 'v2', version: '2' }, options);
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

test.each([
  ['legacy', {}, '2025-11-25'],
  ['modern', modern, '2026-07-28'],
] as const)('a session serves the %s era and knows its agent', async (_, options, protocol) => {
  await using at = await setUp();
  const client = v2(options);
  await client.connect(at.transport);
  expect(client.getInstructions()).toBe('two steps');
  expect((await client.listTools()).tools).toMatchObject([{ name: 'list_tools' }]);
  expect(said(await client.callTool({ name: 'anything', arguments: {} }))).toEqual(['anything']);
  expect(at.session.status()).toMatchObject({ agent: 'v2 2', protocol, workspace: '/w', calls: 1 });
  expect(at.session.asker() === undefined).toBe(protocol === '2026-07-28');
  await client.close();
  await eventually(() => expect(at.closed).toEqual([at.session]));
  expect(at.session.signal.aborted).toBe(true);
});

test('a change that concerns the session is told with the next result, once, and summed', async () => {
  await using at = await setUp();
  const client = v2();
  await client.connect(at.transport);
  at.session.catalogChanged(1, 2, change('mine', true));
  at.session.catalogChanged(2, 3, change('other'));
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x']);
  at.session.catalogChanged(12, 13, change('mine'));
  at.session.catalogChanged(13, 14, change('mine'));
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x', 'catalog 12 → 14: +2 in sqlx']);
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x']);
});

test('servers that come and go are told with the next result, once, to an agent that was shown others', async () => {
  await using at = await setUp();
  at.apply(['files']);
  const client = v2();
  await client.connect(at.transport);
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x']);
  await client.listTools();
  at.apply(['files', 'sqlx', 'next']);
  at.apply(['sqlx']);
  at.session.catalogChanged(1, 2, change('mine'));
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x', 'catalog 1 → 2: +1 in sqlx; servers: +sqlx −files']);
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x']);
});

test('a session that does not follow keeps its servers until it is told to sync', async () => {
  await using at = await setUp();
  at.apply(['files']);
  const client = v2();
  await client.connect(at.transport);
  await client.listTools();
  at.apply(['files', 'sqlx'], false);
  expect([...at.session.definitions().keys()]).toEqual(['files']);
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x']);
  at.session.sync();
  expect([...at.session.definitions().keys()]).toEqual(['files', 'sqlx']);
  expect(said(await client.callTool({ name: 'x' }))).toEqual(['x', 'servers: +sqlx']);
});

test.each([
  ['legacy', {}],
  ['modern', modern],
] as const)('refresh() pushes list_changed to a %s agent only where its tools array changed', async (_, options) => {
  await using at = await setUp();
  let pushes = 0;
  const client = v2({
    ...options,
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => (pushes += 1) } },
  });
  await client.connect(at.transport);
  await client.listTools();
  at.session.refresh();
  at.show([{ ...listTools, description: 'second' }]);
  at.session.refresh();
  at.session.refresh();
  await eventually(() => expect(pushes).toBe(1));
  // Whatever was pushed before this answer has been seen with it.
  await client.callTool({ name: 'x' });
  expect(pushes).toBe(1);
});

test('the first file root of a legacy agent is its workspace where the shim knew none, and again when it changes', async () => {
  await using at = await setUp(null);
  let uri = 'file:///first';
  const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities: { roots: { listChanged: true } } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: 'https://x.example/' as never }, { uri }],
  }));
  await client.connect(at.transport as never);
  await eventually(() => expect(at.session.root()).toBe('/first'));
  uri = 'file:///second';
  await client.sendRootsListChanged();
  await eventually(() => expect(at.session.root()).toBe('/second'));
  uri = 'file:///nowhere';
  await client.sendRootsListChanged();
  await eventually(() => expect(at.session.root()).toBeNull());
});

test('what the shim was told goes before the roots of the agent', async () => {
  await using at = await setUp('/told');
  const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities: { roots: {} } });
  let asked = 0;
  client.setRequestHandler(ListRootsRequestSchema, () => {
    asked += 1;
    return { roots: [{ uri: 'file:///other' }] };
  });
  await client.connect(at.transport as never);
  await client.listTools();
  expect([at.session.root(), asked]).toEqual(['/told', 0]);
});

test('a call ends with its session, hears of progress only where asked, and fails by name for a tool that is none', async () => {
  const steps: unknown[] = [];
  await using at = await setUp('/w', async (name, _, { signal, progress }) => {
    if (name === 'nothing') throw new MetadError('not-found', 'metad has no tool nothing here.');
    progress?.(1, 'a step');
    // The 2.x client forgets who wanted to hear of progress once it has the answer.
    if (progress) await eventually(() => expect(steps).toEqual(['a step']));
    if (name === 'asked') return { content: [{ type: 'text', text: String(progress !== undefined) }] };
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const client = v2();
  await client.connect(at.transport);
  await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
  expect(said(await client.callTool({ name: 'asked' }))).toEqual(['false']);
  const asking = client.callTool({ name: 'asked' }, { onprogress: (step) => steps.push(step.message) });
  expect(said(await asking)).toEqual(['true']);
  expect(steps).toEqual(['a step']);
  const waiting = client.callTool({ name: 'wait' }).catch(String);
  at.session.close();
  expect(await waiting).toMatch(/closed|Connection/i);
  expect(at.closed).toHaveLength(1);
  at.session.close();
  expect(at.closed).toHaveLength(1);
});

import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { openSession, type Session } from '../../../daemon/session/session.ts';
import { PROTOCOL, VERSION } from '../../../schema/wire.ts';
import { eventually } from '../../helpers/eventually.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A session whose agent is this test: what it said is in `heard`. */
const openWith = (root: string | null, call: () => Promise<string> = async () => 'done') => {
  const heard: Message[] = [];
  const socket = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      for (const line of String(chunk).split('\n').filter(Boolean)) heard.push(JSON.parse(line));
      done();
    },
  });
  const say = (message: object) => void socket.push(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const roots: string[] = [];
  const session: Session = openSession({
    id: 's',
    hello: { protocol: PROTOCOL, version: VERSION, pid: 1, cwd: '/', environment: {} },
    surface: 'code',
    socket,
    log: () => {},
    root,
    now: () => 0,
    viewFor: (opened) => ({
      instructions: () => '',
      tools: () => [{ name: 'where', description: String(opened.root()), inputSchema: { type: 'object' } }],
      call: async () => ({ content: [{ type: 'text', text: `${await call()} in ${opened.root()}` }] }),
    }),
    rootFrom: async (folder) => {
      roots.push(folder);
      return `${folder}/root`;
    },
    definitionsAt: () => new Map(),
    isFollowing: () => true,
    concerns: () => true,
    onRoots: () => {},
    onLevel: () => {},
    onChange: () => {},
    onClose: () => {},
  });
  const answer = (id: number) =>
    eventually(() => {
      const found = heard.find((one) => one.id === id && one.method === undefined);
      if (found === undefined) throw new Error(`no answer to ${id}: ${JSON.stringify(heard)}`);
      return found;
    });
  /** The daemon's `count`th question for roots, answered. */
  const tellRoots = async (count: number, ...folders: string[]) => {
    const question = await eventually(() => {
      const found = heard.filter(({ method }) => method === 'roots/list')[count - 1];
      if (found === undefined) throw new Error('not asked');
      return found;
    });
    say({ id: question.id, result: { roots: folders.map((folder) => ({ uri: `file://${folder}` })) } });
  };
  const initialize = async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'test', version: '1' },
    };
    say({ id: 0, method: 'initialize', params });
    await answer(0);
    say({ method: 'notifications/initialized' });
  };
  return { session, socket, say, answer, tellRoots, initialize, heard, roots, [Symbol.dispose]: () => session.close() };
};

test('an agent without a workspace is asked for its roots, and again when they change', async () => {
  using agent = openWith(null);
  await agent.initialize();
  await agent.tellRoots(1, '/one', '/other');
  await eventually(() => expect(agent.session.root()).toBe('/one/root'));
  agent.say({ method: 'notifications/roots/list_changed' });
  await agent.tellRoots(2, '/two');
  await eventually(() => expect(agent.session.root()).toBe('/two/root'));
  agent.say({ method: 'notifications/roots/list_changed' });
  await agent.tellRoots(3);
  await eventually(() => expect(agent.session.root()).toBeNull());
});

test('roots that changed meanwhile win over an answer that comes late', async () => {
  using agent = openWith(null);
  await agent.initialize();
  await eventually(() => expect(agent.heard.filter(({ method }) => method === 'roots/list')).toHaveLength(1));
  agent.say({ method: 'notifications/roots/list_changed' });
  await agent.tellRoots(2, '/new');
  await eventually(() => expect(agent.session.root()).toBe('/new/root'));
  await agent.tellRoots(1, '/old');
  await eventually(() => expect(agent.roots).toContain('/old'));
  expect(agent.session.root()).toBe('/new/root');
});

test('a call waits for the answer on roots', async () => {
  using agent = openWith(null);
  await agent.initialize();
  agent.say({ id: 1, method: 'tools/call', params: { name: 'where', arguments: {} } });
  await agent.tellRoots(1, '/one');
  expect((await agent.answer(1)).result?.content?.[0]?.text).toBe('done in /one/root');
});

test('a workspace that the shim knew stays, whatever the agent declares', async () => {
  using agent = openWith('/known');
  await agent.initialize();
  agent.say({ id: 1, method: 'tools/call', params: { name: 'where', arguments: {} } });
  expect((await agent.answer(1)).result?.content?.[0]?.text).toBe('done in /known');
  expect(agent.heard.filter(({ method }) => method === 'roots/list')).toEqual([]);
});

test('the words of a bug stay in the log', async () => {
  using agent = openWith('/known', async () => {
    throw new TypeError('secret of /home/me');
  });
  await agent.initialize();
  agent.say({ id: 1, method: 'tools/call', params: { name: 'where', arguments: {} } });
  const { error } = await agent.answer(1);
  expect(error?.message).toContain('metad logs');
  expect(error?.message).not.toContain('secret');
});

test('what a server lost and got back since is owed as one sum, once', async () => {
  using agent = openWith('/known');
  await agent.initialize();
  const change = { key: 'k', server: 'files', added: [], removed: [], altered: [], first: false };
  agent.session.catalogChanged(1, 2, { ...change, added: ['a', 'b'] });
  agent.session.catalogChanged(2, 3, { ...change, removed: ['a'] });
  for (const id of [1, 2]) {
    agent.say({ id, method: 'tools/call', params: { name: 'where', arguments: {} } });
    await agent.answer(id);
  }
  const texts = [1, 2].map((id) => agent.heard.find((one) => one.id === id)?.result?.content?.map(({ text }) => text));
  expect(texts).toEqual([['done in /known', 'catalog 1 → 3: +1 in files'], ['done in /known']]);
});

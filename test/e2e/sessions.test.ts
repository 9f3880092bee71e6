// Several agents on one daemon: ids, state, large results, slow readers.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer, spawnMetad } from '../helpers/program.ts';
import { type RawMessage, rawAgent } from '../helpers/raw-agent.ts';

const lab = (...args: string[]) => fixtureServer('e2e-lab.mjs', ...args);

const textIn = ({ result }: RawMessage): string => JSON.stringify(result?.['content'] ?? result ?? '');

/** A small generator with a seed, so that a failure can be run again. */
const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

test('R082: six sessions with the same ids, as numbers and strings, get their own answers in any order', async () => {
  await using home = temporaryHome({ mcpServers: { lab: lab() } });
  const next = random(20_261_130);
  const agents = Array.from({ length: 6 }, () => rawAgent({ home: home.home }));
  try {
    await Promise.all(agents.map((agent) => agent.open()));
    const ids = [1, '1', 2, '2', 3, 'three', 0, '0'];
    await Promise.all(
      agents.flatMap((agent, session) =>
        ids.map(async (id) => {
          const mark = `session ${session} id ${JSON.stringify(id)}`;
          const ms = Math.floor(next() * 300);
          const script = `return lab.slow(${JSON.stringify({ text: mark, ms })})`;
          // 0 was the id of `initialize`, which is answered by now: it may be used again.
          const answer = await agent.call(id, 'execute', { script });
          expect(answer.id).toBe(id);
          expect(textIn(answer)).toContain(mark.replaceAll('"', '\\"'));
        }),
      ),
    );
    for (const agent of agents) {
      expect(agent.received.filter(({ id, method }) => id !== undefined && method === undefined)).toHaveLength(
        ids.length + 1,
      );
      expect(agent.garbage).toEqual([]);
    }
  } finally {
    await Promise.all(agents.map((agent) => agent[Symbol.asyncDispose]()));
  }
});

test('R082: an id that is used again while in flight gets an error, the first call its answer', async () => {
  await using home = temporaryHome({ mcpServers: { lab: lab() } });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  const params = (text: string) => ({
    name: 'execute',
    arguments: { script: `return lab.slow({ text: '${text}', ms: 800 })` },
  });
  agent.send({ id: 7, method: 'tools/call', params: params('first') });
  agent.send({ id: 7, method: 'tools/call', params: params('second') });
  const answers = [await agent.answer(7, 1), await agent.answer(7, 2)];
  expect(answers.filter(({ error }) => error !== undefined)).toHaveLength(1);
  const texts = answers.map(textIn).join();
  expect(texts).toContain('first');
  expect(texts).not.toContain('second');
});

test('R083: a server that keeps state has one instance a session; others are shared as status says', async () => {
  await using home = temporaryHome({
    mcpServers: { own: { ...lab(), sharing: 'session' }, shared: lab(), everyones: { ...lab(), sharing: 'user' } },
  });
  const workspace = home.folder;
  await using a = await connectAgent({ home: home.home, workspace });
  const add = (server: string, by: number) => `return Number(await ${server}.add({ by: ${by} }))`;
  const read = (server: string) => `return Number(await ${server}.read({}))`;
  {
    await using b = await connectAgent({ home: home.home, workspace });
    for (const server of ['own', 'shared', 'everyones']) expect(await a.run(add(server, 5))).toBe(5);
    expect(await b.run(read('own'))).toBe(0);
    expect(await b.run(read('shared'))).toBe(5);
    expect(await b.run(read('everyones'))).toBe(5);
    const { servers } = await home.status();
    expect(servers.filter(({ name, pid }) => name === 'own' && pid !== null)).toHaveLength(2);
    expect(servers.filter(({ name }) => name === 'shared')).toMatchObject([{ sharing: 'workspace', owner: workspace }]);
    expect(servers.filter(({ name }) => name === 'everyones')).toMatchObject([{ sharing: 'user', owner: null }]);
  }
  await until("B's instance ends", 10_000, async () => {
    const { servers } = await home.status();
    return servers.filter(({ name, pid }) => name === 'own' && pid !== null).length === 1;
  });
  expect(await a.run(read('own'))).toBe(5);

  const elsewhere = join(workspace, 'elsewhere');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(join(elsewhere, '.git'), { recursive: true });
  await using c = await connectAgent({ home: home.home, workspace: elsewhere });
  expect(await c.run(read('shared'))).toBe(0);
  expect(await c.run(read('everyones'))).toBe(5);

  const why = async (server: string) => JSON.parse((await home.metad(['why', server, '--json'])).stdout);
  const shared = await why('shared');
  expect(shared).toMatchObject({ sharing: 'workspace', sharedBy: 'default' });
  expect(shared.apart.join()).toContain(elsewhere);
  expect(shared.advice.join()).toContain(`\`"sharing": "user"\` in \`mcpServers.shared\` of ${home.configFile}`);
  const everyones = await why('everyones');
  expect(everyones).toMatchObject({ sharing: 'user', sharedBy: 'config', apart: [] });
  expect(everyones.instances).toHaveLength(1);
  expect(everyones.saved.processes).toBe(1);
  expect(everyones.saved.memoryBytes).toBeGreaterThan(1_000_000);
  const text = await home.metad(['why', 'own']);
  expect(text.stdout).toContain('own: sharing `session`.');
  expect(await home.metad(['why', 'shard'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Did you mean shared\?/),
  });
});

const SIZE = 450_000; // of a letter that takes two bytes: 900 KB

test('R020: 900 KB reach an agent that reads late', async () => {
  await using home = temporaryHome({
    execute: { maxOutputCharacters: 2_000_000 },
    mcpServers: { lab: lab() },
  });
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  agent.child.stdout.pause();
  agent.send({
    id: 1,
    method: 'tools/call',
    params: { name: 'execute', arguments: { script: `return lab.large({ size: ${SIZE} })` } },
  });
  await sleep(2_000); // the slow reader is the case
  agent.child.stdout.resume();
  const answer = await agent.answer(1);
  expect(textIn(answer).match(/é/g)).toHaveLength(SIZE);
});

test.each([
  ['call', ['call', 'lab.large', JSON.stringify({ size: SIZE })]],
  ['exec', ['exec', '-']],
] as const)('R020: 900 KB of `metad %s` reach a program that reads late', async (_, args) => {
  await using home = temporaryHome({ execute: { maxOutputCharacters: 2_000_000 }, mcpServers: { lab: lab() } });
  const child = spawnMetad(args, { env: { METAD_HOME: home.home } });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(`return lab.large({ size: ${SIZE} })`);
  await sleep(2_000); // nobody reads until then
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  expect(await ended).toBe(0);
  expect(text.match(/é/g)).toHaveLength(SIZE);
});

test('R016: text arrives as it was sent, through server, socket and shim', async () => {
  await using home = temporaryHome({ mcpServers: { lab: lab() } });
  await using agent = await connectAgent({ home: home.home });
  const text = 'naïve — 漢字 🧪 \u2028 "quoted" \\ end';
  expect(await agent.run(`return [await lab.echo({ text: ${JSON.stringify(text)} })]`)).toEqual([text]);
});

test('a call that the agent cancels is cancelled at the server and not answered', async () => {
  await using home = temporaryHome();
  const log = join(home.folder, 'lab.log');
  home.configure({ mcpServers: { lab: lab('--log', log) } });
  const { existsSync, readFileSync } = await import('node:fs');
  const logged = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
  await using agent = rawAgent({ home: home.home });
  await agent.open();
  agent.send({
    id: 5,
    method: 'tools/call',
    params: { name: 'execute', arguments: { script: 'return lab.never({})' } },
  });
  await until('the call has reached the server', 10_000, () => logged().includes('call never'));
  agent.send({ method: 'notifications/cancelled', params: { requestId: 5 } });
  await until('the server hears the cancel', 5_000, () => /^cancelled /m.test(logged()));
  await agent.call(6, 'execute', { script: 'return 1' });
  expect(agent.received.filter(({ id }) => id === 5)).toEqual([]);
});

test.each(['flat', 'domains', 'tree', 'nonsense'])(
  'a surface that does not exist yet is refused by name: %s',
  async (surface) => {
    await using home = temporaryHome({ mcpServers: { lab: lab() } });
    await using agent = rawAgent({ home: home.home, args: ['--surface', surface] });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const answer = await agent.request(0, 'initialize', params);
    expect(answer.error?.message).toContain(surface);
    expect(answer.error?.message).toContain('code');
  },
);

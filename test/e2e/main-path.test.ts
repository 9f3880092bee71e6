// The whole main path on published servers, the same for each of the three clients, over the real shim.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composition, TABLE, writeNotes } from '../../scripts/composition.ts';
import { type Agent, CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { isAlive, until } from '../helpers/processes.ts';
import { publishedServer } from '../helpers/program.ts';
import { namespacesIn, parseTypeScript } from '../helpers/typescript.ts';

const PROTOCOLS = { v1: '2025-11-25', 'v2-legacy': '2025-11-25', 'v2-modern': '2026-07-28' } as const;
const SERVERS = ['everything', 'files', 'memory', 'thinking'];

describe.each(CLIENTS)('through the shim with the %s client', (client) => {
  let home: TestHome;
  let agent: Agent;
  let notes: string;

  beforeAll(async () => {
    home = temporaryHome();
    notes = join(home.folder, 'notes');
    writeNotes(notes);
    home.configure({
      mcpServers: {
        files: publishedServer('filesystem', home.folder),
        memory: { ...publishedServer('memory'), env: { MEMORY_FILE_PATH: join(home.folder, 'memory.jsonl') } },
        thinking: publishedServer('sequential-thinking'),
        everything: publishedServer('everything'),
      },
    });
    agent = await connectAgent({ client, home: home.home, workspace: home.folder, name: 'end-to-end' });
  });

  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('the opening agrees on the protocol of the client and starts no server', async () => {
    expect(agent.protocol).toBe(PROTOCOLS[client]);
    expect(agent.server?.name).toBe('metad');
    const { servers } = await home.status();
    expect(servers.map(({ name, state, pid }) => ({ name, state, pid }))).toEqual(
      expect.arrayContaining(SERVERS.map((name) => ({ name, state: 'cold', pid: null }))),
    );
  });

  test('tools/list is list_tools and execute, small, with object schemas, and starts no server either', async () => {
    const tools = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['list_tools', 'execute']);
    for (const tool of tools) {
      expect(tool.description?.length).toBeGreaterThan(40);
      expect(tool.description?.length).toBeLessThan(4000);
      expect(tool.inputSchema['type']).toBe('object');
      expect(tool).not.toHaveProperty('outputSchema');
      expect(tool._meta?.['anthropic/alwaysLoad']).toBe(true);
    }
    const [listTools, execute] = tools;
    expect(listTools?.description).toContain('Available servers:');
    for (const name of SERVERS) expect(listTools?.description).toContain(name);
    expect(Object.keys(Object(listTools?.inputSchema['properties']))).toEqual(
      expect.arrayContaining(['servers', 'tools', 'query', 'detail']),
    );
    expect(Object.keys(Object(execute?.inputSchema['properties']))).toContain('script');
    expect(await agent.listTools()).toEqual(tools);
    expect((await home.status()).servers.every(({ state }) => state === 'cold')).toBe(true);
  });

  test('the first 250 characters of the instructions name the servers and the two steps', () => {
    const start = agent.instructions.slice(0, 250);
    for (const name of [...SERVERS, 'list_tools', 'execute']) expect(start).toContain(name);
  });

  test('list_tools declares every server as TypeScript', async () => {
    const text = await agent.text('list_tools', {});
    expect(namespacesIn(text).sort()).toEqual(SERVERS);
    for (const tool of ['list_directory', 'create_entities', 'sequentialthinking', 'get_sum'])
      expect(text).toContain(tool);
    await parseTypeScript(text);
  });

  test('list_tools narrows by servers, tools and query', async () => {
    const byServer = await agent.text('list_tools', { servers: ['memory'] });
    expect(namespacesIn(byServer)).toEqual(['memory']);
    expect(byServer).toContain('read_graph');

    const byTool = await agent.text('list_tools', { tools: ['files.list_directory'] });
    expect(namespacesIn(byTool)).toEqual(['files']);
    expect(byTool).toMatch(/function list_directory\(/);
    expect(byTool).not.toMatch(/function move_file\(/);

    const byQuery = await agent.text('list_tools', { query: 'knowledge graph entities' });
    expect(byQuery).toContain('create_entities');
    expect(byQuery).not.toMatch(/function move_file\(/);
    for (const text of [byServer, byTool, byQuery]) await parseTypeScript(text);
  });

  test('list_tools gives more with more detail', async () => {
    const [names = '', signatures = '', full = ''] = await Promise.all(
      ['names', 'signatures', 'full'].map((detail) => agent.text('list_tools', { servers: ['files'], detail })),
    );
    expect(names.length).toBeLessThan(signatures.length);
    expect(signatures.length).toBeLessThan(full.length);
    for (const text of [names, signatures, full]) expect(text).toContain('read_text_file');
    expect(signatures).toMatch(/function read_text_file\(\w+: \{/);
    for (const text of [signatures, full]) await parseTypeScript(text);
  });

  test('list_tools answers an unknown server with near names', async () => {
    const result = await agent.call('list_tools', { servers: ['memroy'] });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('memroy');
    expect(textOf(result)).toContain('memory');
  });

  test('execute composes over several servers and only the table comes back', async () => {
    const result = await agent.call('execute', { script: composition(notes) });
    expect(result.isError ?? false).toBe(false);
    expect(result).not.toHaveProperty('structuredContent');
    expect(JSON.parse(textOf(result))).toEqual(TABLE);
    expect(textOf(result)).not.toContain('spare key');
  });

  test('execute gives what a tool gives: structured content, text read as JSON, plain text', async () => {
    const value = await agent.run(`
      const weather = await everything.get_structured_content({ location: 'Chicago' });
      const sum = await everything["get-sum"]({ a: 19, b: 23 });
      return { degrees: typeof weather.temperature, sum, tools: Object.keys(thinking) };
    `);
    expect(value).toEqual({ degrees: 'number', sum: 'The sum of 19 and 23 is 42.', tools: ['sequentialthinking'] });
  });

  test('R038: calls of one script overlap and come back to the right places', async () => {
    const sums = await agent.run(`
      const numbers = Array.from({ length: 20 }, (_, at) => at);
      return Promise.all(numbers.map((n) => everything.get_sum({ a: n, b: 1000 })));
    `);
    expect(sums).toEqual(Array.from({ length: 20 }, (_, n) => `The sum of ${n} and 1000 is ${n + 1000}.`));
  });

  test('R043: a script gives its last expression, what it returns, or undefined', async () => {
    for (const script of [
      'const n = 40; n / 8',
      'return 5',
      'await Promise.resolve(5)',
      '```js\nconst n = 40; n / 8\n```',
      '5 // done',
    ])
      expect(await agent.text('execute', { script }), script).toMatch(/^5\b/);
    const nothing = await agent.call('execute', { script: 'const quiet = 1;' });
    expect(nothing.isError ?? false).toBe(false);
    expect(textOf(nothing)).toContain('undefined');
  });

  test('R046: errors carry isError, name, message and line; a text that says Error is none', async () => {
    const syntax = await agent.call('execute', { script: 'const a = 1;\nconst = 2;' });
    expect(syntax.isError).toBe(true);
    expect(textOf(syntax)).toContain('SyntaxError');
    expect(textOf(syntax)).toMatch(/line 2|:2:/);

    const thrown = await agent.call('execute', { script: 'const a = 1;\n\nthrow new TypeError("no such boat");' });
    expect(thrown.isError).toBe(true);
    expect(textOf(thrown)).toContain('TypeError: no such boat');
    expect(textOf(thrown)).toMatch(/line 3|:3:/);

    const failed = await agent.call('execute', { script: 'await files.read_text_file({ path: "/nowhere/at-all" })' });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('/nowhere');

    const unknown = await agent.call('execute', { script: 'await files.raed_text_file({ path: "x" })' });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('raed_text_file');

    const fine = await agent.call('execute', { script: 'return "Error: fine"' });
    expect(fine.isError ?? false).toBe(false);
    expect(textOf(fine)).toContain('Error: fine');
  });

  test('R046: a script that runs for ever ends at its limit with isError', async () => {
    const result = await agent.call('execute', { script: 'for (;;);', timeout_seconds: 1 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/Timeout|limit/);
  });

  test('console output of a script reaches the agent beside the value', async () => {
    const text = await agent.text('execute', { script: 'console.log("half way", { at: 1 });\nreturn [1, 2]' });
    expect(text).toContain('half way');
    expect(text).toContain('[1,2]');
  });

  test('a tool that does not exist is refused by name and the session goes on', async () => {
    const refusal = await agent.call('no_such_tool').then(textOf, String);
    expect(refusal).toContain('no_such_tool');
    expect(await agent.text('execute', { script: 'return 7' })).toMatch(/^7\b/);
  });

  test('a second session meets the same warm servers; another ending leaves them', async () => {
    await agent.text('list_tools', {});
    const before = await home.server('files');
    expect(before?.state).toBe('ready');
    {
      await using second = await connectAgent({ client, home: home.home, workspace: home.folder, name: 'second' });
      expect(
        await second.run(
          `return (await files.list_allowed_directories({})).content.includes(${JSON.stringify(home.folder)})`,
        ),
      ).toBe(true);
      expect((await home.server('files'))?.pid).toBe(before?.pid);
      expect((await home.status()).sessions.map(({ agent }) => agent).sort()).toEqual([
        expect.stringContaining('end-to-end'),
        expect.stringContaining('second'),
      ]);
    }
    await until('the second session is forgotten', 5_000, async () => (await home.status()).sessions.length === 1);
    expect((await home.server('files'))?.pid).toBe(before?.pid);
    expect(
      await agent.text('execute', { script: 'return (await everything.echo({ message: "still here" }))' }),
    ).toContain('still here');
  });

  test('status --json has the shape that scripts rely on', async () => {
    const status = await home.status();
    expect(status.schema).toBe(1);
    expect(status.daemon).toMatchObject({
      pid: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptimeSeconds: expect.any(Number),
    });
    expect(isAlive(status.daemon?.pid ?? 0)).toBe(true);
    for (const server of status.servers) {
      expect(server).toMatchObject({ name: expect.any(String), state: 'ready', lastError: null });
      // It keeps state, which is known of it.
      expect(server.sharing).toBe(server.name === 'thinking' ? 'session' : 'workspace');
      expect(isAlive(server.pid ?? 0)).toBe(true);
    }
    expect(status.sessions).toEqual([
      expect.objectContaining({
        agent: expect.stringContaining('end-to-end'),
        workspace: home.folder,
        surface: 'code',
        protocol: PROTOCOLS[client],
      }),
    ]);
  });
});

// A server whose package goes from one set of tools to another under the same line of config.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Agent, connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { ROOT } from '../helpers/program.ts';

const SERVE = pathToFileURL(join(ROOT, 'test', 'servers', 'serve.mjs')).href;

/** The text of a server with these tools, each of which answers with its own name as JSON. */
const programOf = (tools: readonly string[]): string => `#!${process.execPath}
import { serve, text } from ${JSON.stringify(SERVE)};
const toolOf = (name) => ({ run: () => text({ did: name }) });
serve({ name: 'notes', tools: Object.fromEntries(${JSON.stringify(tools)}.map((name) => [name, toolOf(name)])) });
`;

const OLD = ['list_notes', 'add_note'];
const NEW = ['find_notes', 'save_note'];

const namesIn = (text: string): string[] => [...text.matchAll(/function (\w+)\(/g)].map(([, name = '']) => name);

/** Both ways to get at a server of which only the files change. */
const KINDS = {
  'a command of a package': (folder: string) => {
    const program = join(folder, 'node_modules', 'notes-mcp', 'index.mjs');
    const command = join(folder, 'node_modules', '.bin', 'notes-mcp');
    for (const place of [program, command]) mkdirSync(join(place, '..'), { recursive: true });
    symlinkSync(program, command);
    return { program, server: { command } };
  },
  'a script edited in place': (folder: string) => {
    const program = join(folder, 'notes.mjs');
    return { program, server: { command: process.execPath, args: [program] } };
  },
} as const;

const errorOf = async (agent: Agent, tool: string, args: object): Promise<string> => {
  const result = await agent.call(tool, { ...args });
  expect(result.isError).toBe(true);
  return textOf(result);
};

describe.each(Object.entries(KINDS))('R062: %s', (_, prepare) => {
  test('after a restart of the server only the new tools are there, and the old ones are known as removed', async () => {
    await using home = temporaryHome();
    const { program, server } = prepare(home.folder);
    const install = (tools: readonly string[]) => writeFileSync(program, programOf(tools), { mode: 0o755 });
    install(OLD);
    home.configure({ mcpServers: { notes: server } });
    {
      await using agent = await connectAgent({ home: home.home });
      expect(namesIn(await agent.text('list_tools', {})).sort()).toEqual([...OLD].sort());
      expect(await agent.run('return notes.add_note()')).toEqual({ did: 'add_note' });
      expect((await home.server('notes'))?.freshness).toBe('confirmed');
    }
    await home.stop();
    install(NEW);

    await using agent = await connectAgent({ home: home.home, args: ['--call-tool'] });
    // Nobody has asked the server yet: its last list is shown, and status says what it is.
    expect(namesIn(await agent.text('list_tools', {})).sort()).toEqual([...OLD].sort());
    expect(await home.server('notes')).toMatchObject({ state: 'cold', freshness: 'cached' });

    const removed = /add_note was removed: its server no longer lists it\. It has now: find_notes, save_note/;
    expect(await errorOf(agent, 'call_tool', { server: 'notes', tool: 'add_note', arguments: {} })).toMatch(removed);
    expect(await home.server('notes')).toMatchObject({ state: 'ready', freshness: 'confirmed' });

    const listed = await agent.text('list_tools', {});
    expect(namesIn(listed).sort()).toEqual([...NEW].sort());
    expect(await agent.text('list_tools', { query: 'notes' })).not.toContain('list_notes');
    expect(await agent.run('return notes.save_note()')).toEqual({ did: 'save_note' });

    // From now on it is known before anything is sent.
    expect(await errorOf(agent, 'call_tool', { server: 'notes', tool: 'add_note' })).toMatch(removed);
    expect(await errorOf(agent, 'execute', { script: 'return notes.add_note()' })).toMatch(
      /add_note was removed by its server and is no longer a tool of notes/,
    );
    expect(await errorOf(agent, 'execute', { script: 'return notes.made_up()' })).toMatch(
      /made_up is not a tool of notes/,
    );
    // And that outlives the daemon.
    await home.stop();
    expect(await errorOf(agent, 'execute', { script: 'return notes.list_notes()' })).toMatch(/list_notes was removed/);
  });

  test('the same when the process ends and is started again under a living daemon', async () => {
    await using home = temporaryHome();
    const { program, server } = prepare(home.folder);
    writeFileSync(program, programOf(OLD), { mode: 0o755 });
    home.configure({ mcpServers: { notes: server } });
    await using agent = await connectAgent({ home: home.home });
    expect(await agent.run('return notes.list_notes()')).toEqual({ did: 'list_notes' });
    await until('its type is shown', 5000, async () => (await agent.text('list_tools', {})).includes('did: string'));

    writeFileSync(program, programOf(['list_notes', ...NEW]), { mode: 0o755 });
    const { pid } = (await home.server('notes')) ?? {};
    process.kill(pid ?? expect.fail('it does not run'), 'SIGKILL');
    await until('its end is seen', 5000, async () => (await home.server('notes'))?.state !== 'ready');

    expect(await errorOf(agent, 'execute', { script: 'return notes.add_note()' })).toMatch(
      /add_note was removed: its server no longer lists it\. It has now: list_notes, find_notes, save_note\./,
    );
    const listed = await agent.text('list_tools', {});
    expect(namesIn(listed).sort()).toEqual(['find_notes', 'list_notes', 'save_note']);
    // What was learned of a tool that stayed as it was stays too.
    expect(listed).toMatch(/function list_notes\(.*observed.*did: string/);
  });
});

// The demo's tour: what an agent sees of metad, and what a person sees of it. Usage: demo-tour.ts FOLDER
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { composition, TABLE, writeNotes } from './composition.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: demo-tour.ts FOLDER');
const home = join(folder, 'home');
const notes = join(folder, 'notes');
const metadPath = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'metad.cjs');

const say = (text: string) => console.log(`\n\u001b[1m${text}\u001b[0m`);
const show = (text: string, lines = Number.POSITIVE_INFINITY) => {
  const all = text.trimEnd().split('\n');
  for (const line of all.slice(0, lines)) console.log(`    ${line}`);
  if (all.length > lines) console.log(`    … and ${all.length - lines} more lines`);
};

const metad = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [metadPath, ...args], {
    env: { ...process.env, METAD_HOME: home },
  });
  return stdout || stderr;
};

const resolve = createRequire(import.meta.url).resolve;
const published = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist', 'index.js'), ...args],
});

const textOf = ({ content }: { content: readonly { type: string; text?: unknown }[] }): string =>
  content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');

writeNotes(notes);
mkdirSync(home, { recursive: true, mode: 0o700 });
const config = {
  mcpServers: {
    files: published('filesystem', notes),
    memory: { ...published('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
    thinking: published('sequential-thinking'),
    everything: published('everything'),
  },
};
writeFileSync(join(home, 'config.json'), JSON.stringify(config, null, 2));

say('1. Four published MCP servers stand in config.json, in the shape that every README prints:');
for (const [name, { args }] of Object.entries(config.mcpServers))
  show(`${name.padEnd(12)}node ${args.join(' ').replace(/^.*node_modules\//, '…/')}`);

say('2. The daemon starts. No server runs yet: each starts when something needs it.');
show(await metad('daemon', 'start'));

const client = new Client({ name: 'demo-agent', version: '1.0.0' });
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [metadPath, 'shim', '--workspace', folder],
  env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '/', METAD_HOME: home },
});
const before = performance.now();
await client.connect(transport);
try {
  const { tools } = await client.listTools();
  say(
    `3. An agent spawns the shim (\`metad shim\`) and ${(performance.now() - before).toFixed(0)} ms later sees two tools:`,
  );
  for (const tool of tools) show(`${tool.name.padEnd(12)}${(tool.description ?? '').split('\n')[0]?.slice(0, 90)}`);

  const declarations = textOf(await client.callTool({ name: 'list_tools', arguments: {} }));
  say('4. It calls list_tools and gets all servers as TypeScript:');
  show(declarations, 24);

  const script = composition(notes);
  say('5. It writes one program over two servers and sends it with execute:');
  show(script.trim());

  const result = await client.callTool({ name: 'execute', arguments: { script } });
  const answer = textOf(result);
  if (result.isError) throw new Error(answer);
  say('6. Files were listed and read side by side, a knowledge graph was filled; only this table comes back:');
  const rows: unknown = JSON.parse(answer);
  console.table(rows);
  if (JSON.stringify(rows) !== JSON.stringify(TABLE)) throw new Error(`the table is not the expected one: ${answer}`);

  say('7. The daemon keeps the servers warm for the next session. `metad status`:');
  show(await metad('status'));
} finally {
  await client.close();
}

say('8. The agent is gone; the daemon stops, and with it every server.');
show(await metad('daemon', 'stop'));
say("That was metad. To use it, name `metad shim` as an MCP server in your agent's config.");

// Variables in every field of a definition: one rule, and values that nobody keeps.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const TOKEN = 'tok-6f1e9b52';
const NESTED = `\${PORT} and \${HOME}`;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });

/** Files of the home that hold a text, config.json itself left out. */
const holding = (home: TestHome, text: string): string[] =>
  filesBelow(home.home).filter(
    (path) => path !== home.configFile && statSync(path).isFile() && readFileSync(path).includes(text),
  );

test('R071: all fields follow one rule, the server with an unset variable alone is out, values stay in memory', async () => {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  const remote = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  const { port } = remote.address() as { port: number };
  try {
    const [node = '', script = ''] = [fixtureServer('x').command, fixtureServer('environment.mjs').args[0]];
    await using home = temporaryHome();
    const place = home.folder;
    const args = [script, `\${API_TOKEN}`, `--port=\${PORT:-8123}`, '$HOME', `\${`, `\${NESTED}`];
    home.configure({
      listTools: { waitSeconds: 5 },
      mcpServers: {
        all: {
          command: `\${NODE_HERE}`,
          args,
          cwd: `\${PLACE}`,
          env: { KEY: `Bearer \${API_TOKEN}`, P: `\${PORT:-8123}` },
        },
        far: {
          type: 'http',
          url: `http://127.0.0.1:\${REMOTE_PORT}/mcp?t=\${API_TOKEN}`,
          headers: { Authorization: `Bearer \${API_TOKEN}`, 'X-Literal': `$HOME \${` },
        },
        gone: { command: node, args: [script], env: { A: `\${GONE}` } },
        plain: { command: node, args: [script] },
      },
    });
    const env = { API_TOKEN: TOKEN, NODE_HERE: node, PLACE: place, REMOTE_PORT: String(port), NESTED };
    expect((await home.metad(['daemon', 'start'], { env })).code).toBe(0);
    await using agent = await connectAgent({ home: home.home });
    const text = await agent.text('list_tools', {});

    expect(
      await agent.run('return [await all.argv({}), await all.cwd({}), (await all.env({})).KEY, (await all.env({})).P]'),
    ).toEqual([[TOKEN, '--port=8123', '$HOME', `\${`, NESTED], place, `Bearer ${TOKEN}`, '8123']);
    expect(seen[0]?.url).toBe(`/mcp?t=${TOKEN}`);
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-literal': `$HOME \${` });

    expect(text).toContain('declare namespace all');
    expect(text).toContain('declare namespace plain');
    expect(text).toMatch(/^\/\/ gone .*env\.A.*GONE/m);
    const gone = await agent.call('execute', { script: 'return gone.env({})' });
    expect(gone.isError).toBe(true);
    expect(textOf(gone)).toMatch(/gone.*env\.A.*GONE/);
    const states = Object.fromEntries((await home.status()).servers.map(({ name, state }) => [name, state]));
    expect(states).toMatchObject({ all: 'ready', plain: 'ready', gone: 'parked' });

    const told = [text, textOf(gone), JSON.stringify(await home.status()), (await home.metad(['logs'])).stdout].join();
    expect(told).not.toContain(TOKEN);
    await home.stop();
    expect(holding(home, TOKEN)).toEqual([]);
    // The search itself finds what is there.
    expect(holding(home, 'plain').length).toBeGreaterThan(0);
  } finally {
    remote.closeAllConnections();
    await new Promise((resolve) => remote.close(resolve));
  }
});

// Backing servers that are reached over HTTP, for each of the three clients through the shim.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENTS, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer, publishedServer } from '../helpers/program.ts';

/** A port that the system holds free a moment ago: the published server takes a number and tells none. */
const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

interface Remote {
  readonly child: ChildProcess;
  readonly url: string;
}

const start = ({ command, args }: { command: string; args: string[] }, env: Record<string, string> = {}) => {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return { child, said: () => said };
};

const fixture = async (kind: 'http' | 'sse'): Promise<Remote> => {
  const { child, said } = start(fixtureServer('remote.mjs', kind));
  return { child, url: await until(`the ${kind} server listens`, 30_000, () => /^(http:\S+)\n/m.exec(said())?.[1]) };
};

const everything = async (): Promise<Remote> => {
  for (let tries = 0; ; tries += 1) {
    const port = await freePort();
    const { child, said } = start(publishedServer('everything', 'streamableHttp'), { PORT: String(port) });
    const began = await until('it listens or ends', 30_000, () =>
      child.exitCode !== null ? 'ended' : said().includes('listening on port') && 'listens',
    );
    if (began === 'listens') return { child, url: `http://127.0.0.1:${port}/mcp` };
    if (tries > 3) throw new Error(`server-everything did not start: ${said()}`);
  }
};

describe('over HTTP', () => {
  const remotes: Remote[] = [];
  let home: TestHome;

  beforeAll(async () => {
    remotes.push(...(await Promise.all([everything(), fixture('sse'), fixture('http')])));
    const [published, sse, http] = remotes.map(({ url }) => url);
    home = temporaryHome({
      mcpServers: {
        everything: { type: 'http', url: published },
        older: { type: 'sse', url: sse },
        unnamed: { url: sse, headers: { 'X-Key': 'k' } },
        newer: { type: 'streamable-http', url: http },
      },
    });
  });

  afterAll(async () => {
    await home?.[Symbol.asyncDispose]();
    await Promise.all(
      remotes.map(async ({ child }) => {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }),
    );
  });

  test.each(CLIENTS)('the %s client lists and calls servers by Streamable HTTP and by SSE', async (client) => {
    await using agent = await connectAgent({ client, home: home.home });
    const text = await agent.text('list_tools', { servers: ['everything', 'older', 'unnamed', 'newer'] });
    for (const name of ['everything', 'older', 'unnamed', 'newer']) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
    expect(
      await agent.run(`
        const [sum, old, plain, fresh] = await Promise.all([
          everything.get_sum({ a: 19, b: 23 }),
          older.echo({ text: 'naïve — 漢字 🧪' }),
          unnamed.headers({}),
          newer.echo({ text: 'new' }),
        ]);
        return { sum, old, key: plain['x-key'], fresh };
      `),
    ).toEqual({ sum: 'The sum of 19 and 23 is 42.', old: 'naïve — 漢字 🧪', key: 'k', fresh: 'new' });
    const { servers } = await home.status();
    expect(servers).toHaveLength(4);
    for (const server of servers)
      expect(server).toMatchObject({ state: 'ready', pid: null, sharing: 'user', owner: null, lastError: null });
  });

  test('a session that the server forgot is opened anew, and a server that ended is named', async () => {
    await using agent = await connectAgent({ home: home.home });
    expect(await agent.text('execute', { script: 'return newer.forget({})' })).toBe('forgotten');
    await until('it is reached again', 20_000, async () => {
      const result = await agent.call('execute', { script: 'return newer.echo({ text: "again" })' });
      return textOf(result) === 'again';
    });
    const [, sse] = remotes;
    sse?.child.kill('SIGKILL');
    const failed = await until('it is missed', 20_000, async () => {
      const result = await agent.call('execute', { script: 'return older.echo({ text: "x" })' });
      return result.isError ? textOf(result) : undefined;
    });
    expect(failed).toContain('older');
    expect(await agent.text('execute', { script: 'return newer.echo({ text: "well" })' })).toBe('well');
  });
});

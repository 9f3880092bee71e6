// Servers that cannot be started, end, never answer, or make noise: each is named, and the others are not delayed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Agent, connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

const lab = (mode: string) => fixtureServer('e2e-lab.mjs', '--mode', mode);

/** What goes wrong, and what the words about it must hold: what happened, and what to do. */
const BROKEN = {
  absent: { server: { command: 'no-such-command-here', args: ['--serve'] }, says: /no-such-command-here/ },
  quitter: { server: lab('exit'), says: /harbour map/ },
  silent: { server: { ...lab('silent'), startTimeoutSeconds: 2 }, says: /2 s|2 seconds|2000 ms/ },
} as const;

describe('servers that fail', () => {
  let home: TestHome;
  let agent: Agent;

  beforeAll(async () => {
    home = temporaryHome({
      listTools: { waitSeconds: 6 },
      mcpServers: {
        good: lab('ready'),
        noisy: lab('noisy'),
        flood: lab('flood'),
        ...Object.fromEntries(Object.entries(BROKEN).map(([name, { server }]) => [name, server])),
      },
    });
    agent = await connectAgent({ home: home.home });
  });

  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('R080: a healthy server answers at once beside one that hangs while starting', async () => {
    const hanging = agent.call('execute', { script: 'return silent.echo({ text: "x" })' });
    const before = performance.now();
    expect(await agent.text('execute', { script: 'return good.echo({ text: "quick" })' })).toContain('quick');
    expect(performance.now() - before).toBeLessThan(2_000);
    expect((await hanging).isError).toBe(true);
  });

  test('list_tools declares the healthy ones and says of each other one what happened', async () => {
    const text = await agent.text('list_tools', {});
    for (const name of ['good', 'noisy', 'flood']) expect(text).toContain(`declare namespace ${name}`);
    for (const [name, { says }] of Object.entries(BROKEN)) {
      expect(text).not.toContain(`declare namespace ${name} {\n  function`);
      expect(text, name).toMatch(new RegExp(`${name}[^\n]*${says.source}`));
    }
  });

  test.each(Object.entries(BROKEN))(
    'the failing call of %s names the server, what happened and what to do',
    async (name, { says }) => {
      const result = await agent.call('execute', { script: `return ${name}.echo({ text: "x" })` });
      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain(name);
      expect(textOf(result)).toMatch(says);
      expect(textOf(result)).toMatch(/metad|config|install|PATH|check/i);
    },
  );

  test.each(Object.entries(BROKEN))('status names %s with its last error', async (name, { says }) => {
    const row = await until(`${name} failed`, 10_000, async () => {
      const server = await home.server(name);
      return server?.lastError ? server : undefined;
    });
    expect(row.lastError).toMatch(says);
    expect(['dead', 'parked']).toContain(row.state);
    expect(row.pid).toBeNull();
  });

  test('R011: a missing command is parked, whoever asks again', async () => {
    expect((await home.server('absent'))?.state).toBe('parked');
  });

  test('R017: noise on stdout is counted and never reaches the agent', async () => {
    expect(await agent.text('execute', { script: 'return noisy.echo({ text: "clear" })' })).toContain('clear');
    expect(agent.stderr()).not.toContain('Widget bridge');
    const row = await home.server('noisy');
    expect(row?.noiseLines).toBeGreaterThanOrEqual(3);
  });

  test('R019: 300 KB of stderr at start and in a call hold nothing up', async () => {
    expect(await agent.text('execute', { script: 'return flood.echo({ text: "dry" })' })).toContain('dry');
  });

  test('R059: a server that ends in mid-call fails that call at once, with exit code and its last words', async () => {
    const result = await agent.call('execute', { script: 'return good.die({})' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('good');
    expect(textOf(result)).toContain('9');
    expect(textOf(result)).toContain('the mast broke');
  });

  test('R040: a caught failure lets the script go on; the daemon and the next call live', async () => {
    const daemon = await home.daemonPid();
    const value = await agent.run(`
      let said = 'nothing';
      try { await noisy.die({}); } catch (error) { said = error instanceof Error ? error.message : 'no Error'; }
      return { said, other: await flood.echo({ text: 'alive' }) };
    `);
    expect(value).toEqual({ said: expect.stringContaining('the mast broke'), other: 'alive' });
    expect(await home.daemonPid()).toBe(daemon);
    expect(
      await until('noisy is back', 15_000, async () => {
        const result = await agent.call('execute', { script: 'return noisy.echo({ text: "back" })' });
        return result.isError ? undefined : textOf(result);
      }),
    ).toContain('back');
  });
});

describe('limits of one call', () => {
  test('R059: a server that accepts a call and never answers fails at its limit and hears a cancel', async () => {
    await using home = temporaryHome();
    const log = `${home.folder}/lab.log`;
    home.configure({ mcpServers: { lab: { ...fixtureServer('e2e-lab.mjs', '--log', log), timeout: 1_500 } } });
    await using agent = await connectAgent({ home: home.home });
    await agent.text('execute', { script: 'return lab.echo({ text: "warm" })' });
    const before = performance.now();
    const result = await agent.call('execute', { script: 'return lab.never({})' });
    const took = performance.now() - before;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/1\.5 s|1\.5 seconds|1500/);
    expect(took).toBeGreaterThan(1_400);
    expect(took).toBeLessThan(6_000);
    const { readFile } = await import('node:fs/promises');
    await until('the server hears the cancel', 5_000, async () => /^cancelled /m.test(await readFile(log, 'utf8')));
    expect(await agent.text('execute', { script: 'return lab.echo({ text: "well" })' })).toContain('well');
  });
});

describe('config', () => {
  test('a malformed config names file, line, column and keeps what runs', async () => {
    await using home = temporaryHome({ mcpServers: { good: lab('ready') } });
    await using agent = await connectAgent({ home: home.home });
    expect(await agent.text('execute', { script: 'return good.echo({ text: "one" })' })).toContain('one');
    const pid = (await home.server('good'))?.pid;
    home.configure('{\n  "mcpServers": {\n    "good": { "command": }\n  }\n}\n');
    const warning = await until('the daemon says so', 10_000, async () =>
      (await home.status()).daemon?.warnings.find((line) => line.includes('config.json')),
    );
    expect(warning).toMatch(/config\.json:3:\d+|line 3/);
    expect(await agent.text('execute', { script: 'return good.echo({ text: "two" })' })).toContain('two');
    expect((await home.server('good'))?.pid).toBe(pid);

    const check = await home.metad(['config', 'check']);
    expect(check.code).toBe(1);
    expect(check.stdout + check.stderr).toMatch(/config\.json:3:\d+|line 3/);
  });

  test('a pasted snippet with unknown keys works and warns; disabled, includeTools and excludeTools do what they say', async () => {
    await using home = temporaryHome({
      mcpServers: {
        pasted: { ...lab('ready'), type: 'stdio', gallery: true, autoApprove: ['echo'] },
        off: { ...lab('ready'), disabled: true },
        some: { ...lab('ready'), includeTools: ['echo', 're*'] },
        less: { ...lab('ready'), excludeTools: ['die', 'never'] },
      },
    });
    await using agent = await connectAgent({ home: home.home });
    const text = await agent.text('list_tools', {});
    expect(text).toContain('declare namespace pasted');
    expect(text).not.toContain('namespace off');
    const tools = await agent.run('return [Object.keys(some).sort(), Object.keys(less).includes("die"), typeof off]');
    expect(tools).toEqual([['echo', 'read'], false, 'undefined']);
    expect((await home.status()).daemon?.warnings.join('\n')).toMatch(/gallery/);
    const refused = await agent.call('execute', { script: 'return some.add({ by: 1 })' });
    expect(refused.isError).toBe(true);
  });
});

// Type notes in the whole program: asked for, not asked for, and the checker's life beside the daemon's.
import { describe, expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { descendantsOf, isAlive, until, untilGone } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';

const homeWith = (typeNotes?: boolean): TestHome =>
  temporaryHome({
    mcpServers: { lab: fixtureServer('e2e-lab.mjs') },
    ...(typeNotes !== undefined && { execute: { typeNotes } }),
  });

const agentOf = ({ home, folder }: TestHome) =>
  connectAgent({ client: 'v2-legacy', home, workspace: folder, name: 'typed' });

const WRONG = 'const said = await lab.echo({ txet: "a" });\nthrow new TypeError("no " + said)';
const NOTE = /types:\nline 1, column 31: .*'txet'.*/;

const checkersOf = async (home: TestHome): Promise<number[]> =>
  descendantsOf((await home.daemonPid()) ?? 0)
    .filter(({ args }) => args.includes('--lsp'))
    .map(({ pid }) => pid);

describe('type notes', () => {
  test('stand at the end of a failed run, not of a good one, and of none unless asked for', {
    timeout: 90_000,
  }, async () => {
    await using home = homeWith(true);
    await using agent = await agentOf(home);
    const run = (script: string) => agent.call('execute', { script });

    const good = await run('return await lab.echo({ text: "a" })');
    expect(textOf(good)).toBe('a');
    expect(await checkersOf(home)).toEqual([]);

    const failed = await until('notes', 30_000, async () => {
      const result = await run(WRONG);
      return NOTE.test(textOf(result)) && result;
    });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toMatch(/^TypeError: no /);
    expect(textOf(await run(WRONG.replace('throw', 'return')))).not.toContain('types:');
    expect(
      textOf(
        await agent.call('execute', {
          script: `${WRONG}; for (;;);`.replace('throw', 'void'),
          timeout_seconds: 0.2,
        }),
      ),
    ).not.toContain('types:');
    expect((await home.status()).daemon?.warnings).toEqual([]);

    // Turned off while it runs.
    home.configure({ mcpServers: { lab: fixtureServer('e2e-lab.mjs') } });
    await until('the next run has none', 20_000, async () => !textOf(await run(WRONG)).includes('types:'));
  });

  test('are off by default', { timeout: 60_000 }, async () => {
    await using home = homeWith();
    await using agent = await agentOf(home);
    const failed = await agent.call('execute', { script: WRONG });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).not.toContain('types:');
    expect(await checkersOf(home)).toEqual([]);
  });

  test('come again after the checker was killed; the checker ends with the daemon', { timeout: 120_000 }, async () => {
    await using home = homeWith(true);
    await using agent = await agentOf(home);
    const noted = () =>
      until('notes', 30_000, async () => {
        const result = await agent.call('execute', { script: WRONG });
        expect(textOf(result)).toMatch(/^TypeError: no /);
        return NOTE.test(textOf(result));
      });
    await noted();
    const [checker] = await checkersOf(home);
    if (checker === undefined) throw new Error('no checker');
    process.kill(checker, 'SIGKILL');
    await noted();
    const [next] = await checkersOf(home);
    if (next === undefined) throw new Error('no checker');
    expect(next).not.toBe(checker);
    await home.stop();
    expect(isAlive(next)).toBe(false);

    // A daemon that is killed cannot end anything: the checker's input ends with it.
    await noted();
    const [last] = await checkersOf(home);
    const daemon = await home.daemonPid();
    if (last === undefined || daemon === undefined) throw new Error('no checker');
    process.kill(daemon, 'SIGKILL');
    await untilGone([daemon, last]);
  });
});

// Return types learned from results, through the whole program: shown, kept over a restart, dropped, switched off.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../daemon/sqlite.ts';
import { type Agent, connectAgent } from '../helpers/agent.ts';
import { type TestHome, temporaryHome } from '../helpers/home.ts';
import { until } from '../helpers/processes.ts';
import { fixtureServer } from '../helpers/program.ts';
import { parseTypeScript } from '../helpers/typescript.ts';

const config = (more: object = {}) => ({ mcpServers: { lab: fixtureServer('answering.mjs') }, ...more });

/** Texts that stand in no declaration, log or config: only in the arguments and results of calls. */
const SECRETS = ['zanzibar-value-1', 'zanzibar-value-2', 'zanzibar@example.com', 'zanzibar-text', '8712345678'];
const ANSWER = {
  items: [
    { id: 8712345678, title: 'zanzibar-value-1', owner: null },
    { id: 2, title: 'zanzibar-value-2', owner: { login: 'x' }, done: true },
  ],
  byUser: { 'zanzibar@example.com': { count: 1 } },
};
const TYPE =
  '{ byUser: Record<string, { count: number }>; items: { done?: boolean; id: number; owner: { login: string } | null; title: string }[] }';

/** Every byte that the daemon keeps in its database. */
const databaseOf = ({ home }: TestHome): string =>
  readdirSync(home)
    .filter((name) => name.startsWith('metad.db'))
    .map((name) => readFileSync(join(home, name), 'latin1'))
    .join('');

const lineOf = (text: string, tool: string): string =>
  text.split('\n').find((line) => line.startsWith(`function ${tool}(`)) ?? '';

test('a return type is learned by one call, kept over a restart, and gone when the definition changes', async () => {
  await using home = temporaryHome(config());
  {
    await using agent = await connectAgent({ home: home.home });
    const before = await agent.text('list_tools', {});
    expect(before).not.toContain('observed');
    const listed = await agent.listTools();
    expect(await agent.run(`return (await lab.give(${JSON.stringify({ value: ANSWER })})).items.length`)).toBe(2);
    const after = await until('the type is shown', 5000, async () => {
      const text = await agent.text('list_tools', {});
      return text.includes('observed') && text;
    });
    expect(lineOf(after, 'give')).toContain(`Promise</** observed */ ${TYPE}>;`);
    await parseTypeScript(after);

    // Nobody is told of it, and nothing else is another.
    expect(after.replace(`/** observed */ ${TYPE}`, 'any')).toBe(before);
    expect(agent.listChanges()).toBe(0);
    expect(await agent.listTools()).toEqual(listed);

    // More of the same changes no byte.
    await agent.run(`for (let n = 0; n < 30; n++) await lab.give(${JSON.stringify({ value: ANSWER })}); return 1`);
    expect(await agent.text('list_tools', {})).toBe(after);

    // An error teaches nothing, nor does a tool whose type is known.
    await agent.run('await lab.typed({ value: { other: 1 } }); return lab.fail({ value: { no: 1 } }).catch(() => 0)');
    await agent.run('return lab.structure({ value: { made: 1 } })');
    const last = await until('the other type is shown', 5000, async () => {
      const text = await agent.text('list_tools', {});
      return text.includes('made: number') && text;
    });
    expect(lineOf(last, 'structure')).toContain('Promise</** observed */ { made: number }>');
    expect(last.match(/observed/g)).toHaveLength(2);
    expect(lineOf(last, 'typed')).toContain('published?: number');
  }
  await home.stop();
  const bytes = databaseOf(home);
  expect(bytes).toContain('byUser');
  for (const secret of SECRETS) expect(bytes).not.toContain(secret);

  await using agent = await connectAgent({ home: home.home });
  const restarted = await agent.text('list_tools', {});
  expect(lineOf(restarted, 'give')).toContain(`/** observed */ ${TYPE}`);
  expect((await home.server('lab'))?.state).toBe('cold');

  await agent.run('await lab.redefine(); return 1');
  const redefined = await agent.text('list_tools', {});
  expect(lineOf(redefined, 'give')).toContain('Gives it in another way');
  expect(lineOf(redefined, 'give')).toContain('Promise<any>');
  expect(lineOf(redefined, 'structure')).toContain('made: number');
  await home.stop();
  using database = loadDriver().open(join(home.home, 'metad.db'), 1000);
  expect(database.prepare('SELECT tool FROM shapes ORDER BY tool').all()).toEqual([
    { tool: 'redefine' },
    { tool: 'structure' },
  ]);
});

test('plain text is part of the type: alone, beside JSON, and where there was no text at all', async () => {
  await using home = temporaryHome(config());
  const says = (agent: Agent, tool: string, type: string) =>
    until(`${tool} gives ${type}`, 10_000, async () =>
      lineOf(await agent.text('list_tools', {}), tool).includes(`Promise</** observed */ ${type}>;`),
    );
  {
    await using agent = await connectAgent({ home: home.home });
    expect(await agent.run('return (await lab.say({ text: "zanzibar-text" })).length')).toBe(13);
    await says(agent, 'say', 'string');
    await agent.run('return lab.say({ text: JSON.stringify({ rows: [1, 2] }) })');
    await says(agent, 'say', 'string | { rows: number[] }');

    await agent.run('return lab.give({ value: { first: 1 } })');
    await says(agent, 'give', '{ first: number }');
    expect(await agent.run('return (await lab.give({ value: "none" })) === \'"none"\'')).toBe(true);
    await says(agent, 'give', 'string | { first: number }');

    expect(await agent.run('return (await lab.structure({})) === ""')).toBe(true);
    await says(agent, 'structure', 'string');
  }
  await home.stop();
  const bytes = databaseOf(home);
  expect(bytes).toContain('rows');
  for (const secret of SECRETS) expect(bytes).not.toContain(secret);
  await using agent = await connectAgent({ home: home.home });
  await says(agent, 'say', 'string | { rows: number[] }');
  await says(agent, 'give', 'string | { first: number }');
});

test('learnReturnTypes: false learns nothing and shows nothing; switched on again, what was known comes back', async () => {
  await using home = temporaryHome(config());
  await using agent = await connectAgent({ home: home.home });
  const shown = () => agent.text('list_tools', {});
  await agent.run('return lab.give({ value: { first: 1 } })');
  await until('the type is shown', 5000, async () => (await shown()).includes('first: number'));

  home.configure(config({ learnReturnTypes: false }));
  await until('nothing is shown', 15_000, async () => !(await shown()).includes('observed'));
  await agent.run('return lab.structure({ value: { second: 1 } })');
  expect(await shown()).not.toContain('observed');

  home.configure(config());
  await until('it is shown again', 15_000, async () => (await shown()).includes('first: number'));
  expect(await shown()).not.toContain('second');
});

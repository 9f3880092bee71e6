import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createLoader } from '../../../daemon/config/load.ts';
import { problemText } from '../../../schema/config/problem.ts';
import { testFolder } from '../../helpers/folder.ts';

const names = ({ config }: { config: { servers: ReadonlyMap<string, unknown> } }) => [...config.servers.keys()];

test('load() of no file gives the defaults', async () => {
  using folder = testFolder();
  for (const file of [folder.at('config.json'), folder.at('no', 'such', 'config.json')]) {
    const loader = createLoader({ file });
    expect(loader.current()).toBeUndefined();
    const loaded = await loader.load();
    expect(loaded).toMatchObject({ problems: [], exists: false, config: { surface: 'code' } });
    expect(loader.current()).toBe(loaded);
  }
});

test('R074: load() keeps the last good config while the file is bad, and says where', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"surface": "flat", "mcpServers": {"a": {"command": "x"}}}');
  const loader = createLoader({ file });
  const good = await loader.load();
  expect(names(good)).toEqual(['a']);
  for (const [text, problem] of [
    ['', `${file}: error: The file is empty`],
    ['{"surface": "flat", "mcpSer', `${file}:1:21: error: This text is never closed`],
    ['{\n"surface": 5}', `${file}:2:12: error: surface must be one of`],
  ] as const) {
    await writeFile(file, text);
    const bad = await loader.load();
    expect(bad.config).toBe(good.config);
    expect(bad.problems.map(problemText)).toEqual([expect.stringContaining(problem)]);
  }
  await writeFile(file, '{}');
  expect(await loader.load()).toMatchObject({ problems: [], config: { surface: 'code' } });
});

test('load() at start with a bad file gives the defaults and the problem', async () => {
  using folder = testFolder();
  await writeFile(folder.at('config.json'), '{');
  const loaded = await createLoader({ file: folder.at('config.json') }).load();
  expect(names(loaded)).toEqual([]);
  expect(loaded.problems).toHaveLength(1);
});

test('load() keeps the definition of a server whose entry became wrong, at its place', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}');
  const loader = createLoader({ file });
  const good = await loader.load();
  await writeFile(file, '{"mcpServers": {"new": {}, "a": {"command": 5}, "b": {"command": "z"}}}');
  const loaded = await loader.load();
  expect(names(loaded)).toEqual(['a', 'b']);
  expect(loaded.config.servers.get('a')).toBe(good.config.servers.get('a'));
  expect(loaded.config.servers.get('b')?.reach).toMatchObject({ command: 'z' });
  expect(loaded.problems).toHaveLength(2);
});

test('load() never takes a file that cannot be read for an empty one', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"mcpServers": {"a": {"command": "x"}}}');
  const loader = createLoader({ file, goneMs: 1 });
  await loader.load();
  const refused = async (why: string) => {
    const loaded = await loader.load();
    expect(names(loaded)).toEqual(['a']);
    expect(loaded.problems.map(problemText)).toEqual([`${file}: error: The config cannot be read: ${why}.`]);
  };
  if (process.getuid?.() !== 0) {
    await chmod(file, 0);
    await refused('you may not read it (EACCES)');
  }
  await rm(file);
  await mkdir(file);
  await refused('it is a folder');
  await rm(file, { recursive: true });
  await symlink(folder.at('nowhere'), file);
  await refused('it is a link to a file that does not exist');
});

test('load() waits before a file that was there counts as removed', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"surface": "flat"}');
  const patient = createLoader({ file, goneMs: 20_000 });
  await patient.load();
  const brief = createLoader({ file, goneMs: 1 });
  await brief.load();
  await rm(file);
  expect(await brief.load()).toMatchObject({ exists: false, config: { surface: 'code' } });
  // The patient one is not through with its first look: had it not waited, it would answer at once.
  const answer = patient.load().then(() => 'answered');
  expect(await Promise.race([answer, new Promise((done) => setTimeout(done, 100, 'waiting'))])).toBe('waiting');
});

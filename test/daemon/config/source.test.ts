import { mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type ConfigChange, openConfig } from '../../../daemon/config/source.ts';
import { testFolder } from '../../helpers/folder.ts';

const text = (surface: string, servers: Record<string, unknown> = {}) =>
  JSON.stringify({ surface, mcpServers: servers });

const opened = async (file: string, options: { settleMs?: number; goneMs?: number } = {}) => {
  const changes: ConfigChange[] = [];
  const events: string[] = [];
  const { settleMs = 60, goneMs = 300 } = options;
  const source = await openConfig({
    file,
    log: (event, fields) => events.push(`${event} ${JSON.stringify(fields)}`),
    onChange: (change) => changes.push(change),
    watching: { settleMs },
    goneMs,
  });
  await source.watch();
  return {
    source,
    changes,
    events,
    surfaces: () => changes.map(({ after }) => after.surface),
    [Symbol.asyncDispose]: () => source[Symbol.asyncDispose](),
  };
};
const until = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 20 });

test('R074: only key order and white space changed is no change; changed args are one server', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"surface":"flat","mcpServers":{"a":{"command":"x","args":["1"]},"b":{"command":"y"}}}');
  await using config = await opened(file);
  const before = config.source.config();
  await writeFile(
    file,
    '{\n  "mcpServers": {"b": {"command": "y"}, "a": {"args": ["1"], "command": "x"}},\n  "surface": "flat" }',
  );
  await config.source.reload();
  expect(config.changes).toEqual([]);
  expect(config.source.config()).toBe(before);

  await writeFile(file, '{"surface":"flat","mcpServers":{"a":{"command":"x","args":["2"]},"b":{"command":"y"}}}');
  await until(() => expect(config.changes).toHaveLength(1));
  expect(config.changes[0]?.difference).toEqual({
    servers: { added: [], removed: [], changed: ['a'], unchanged: ['a', 'b'].slice(1) },
    settings: [],
  });
  expect(config.changes[0]?.before).toBe(before);
});

test('R074: a file truncated for 300 ms, then with a syntax error, keeps the last good state and says so', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  const good = text('flat', { a: { command: 'x' } });
  await writeFile(file, good);
  await using config = await opened(file);
  const before = config.source.config();
  await truncate(file, 0);
  await sleep(300);
  await writeFile(file, good);
  await until(() => expect(config.source.problems()).toEqual([]));
  await writeFile(file, '{\n"surface": flat}');
  await until(() => expect(config.source.problems()).toMatchObject([{ line: 2, column: 12, severity: 'error' }]));
  expect(config.events.filter((event) => event.startsWith('config.problem')).at(-1)).toContain(`${file}:2:12: error: `);
  expect(config.source.config()).toBe(before);
  expect(config.changes).toEqual([]);
});

test('watch() follows a file that is replaced by renaming, again and again', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, text('code'));
  await using config = await opened(file);
  for (const surface of ['flat', 'tree', 'domains']) {
    await writeFile(folder.at('draft'), text(surface));
    await rename(folder.at('draft'), file);
    await until(() => expect(config.source.config().surface).toBe(surface));
  }
  expect(config.surfaces()).toEqual(['flat', 'tree', 'domains']);
});

test('watch() sees a file that appears later, in folders that appear later', async () => {
  using folder = testFolder();
  const file = folder.at('a', 'b', 'config.json');
  await using config = await opened(file);
  expect(config.source.config().surface).toBe('code');
  await mkdir(folder.at('a'));
  await sleep(50);
  await mkdir(dirname(file));
  await writeFile(file, text('flat'));
  await until(() => expect(config.source.config().surface).toBe('flat'));
  await writeFile(file, text('tree'));
  await until(() => expect(config.source.config().surface).toBe('tree'));
});

test('watch() sees a file and its folder deleted and created again', async () => {
  using folder = testFolder();
  const file = folder.at('metad', 'config.json');
  await mkdir(dirname(file));
  await writeFile(file, text('flat'));
  await using config = await opened(file);
  await rm(file);
  await until(() => expect(config.source.config().surface).toBe('code'));
  await writeFile(file, text('tree'));
  await until(() => expect(config.source.config().surface).toBe('tree'));
  await rm(dirname(file), { recursive: true });
  await until(() => expect(config.source.config().surface).toBe('code'));
  await mkdir(dirname(file));
  await writeFile(file, text('domains'));
  await until(() => expect(config.source.config().surface).toBe('domains'));
});

test('watch() follows a link to the file, its target being replaced, and the link itself being turned', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await mkdir(folder.at('dotfiles'));
  await writeFile(folder.at('dotfiles', 'one.json'), text('flat'));
  await symlink('dotfiles/one.json', file);
  await using config = await opened(file);
  expect(config.source.config().surface).toBe('flat');
  await writeFile(folder.at('dotfiles', 'draft'), text('tree'));
  await rename(folder.at('dotfiles', 'draft'), folder.at('dotfiles', 'one.json'));
  await until(() => expect(config.source.config().surface).toBe('tree'));
  await mkdir(folder.at('other'));
  await writeFile(folder.at('other', 'two.json'), text('domains'));
  await symlink('other/two.json', folder.at('link'));
  await rename(folder.at('link'), file);
  await until(() => expect(config.source.config().surface).toBe('domains'));
  await writeFile(folder.at('other', 'two.json'), text('flat'));
  await until(() => expect(config.source.config().surface).toBe('flat'));
});

test('watch() makes one reading of a burst', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, text('code'));
  await using config = await opened(file, { settleMs: 500 });
  for (const surface of ['flat', 'tree', 'flat', 'tree', 'domains']) await writeFile(file, text(surface));
  await until(() => expect(config.source.config().surface).toBe('domains'));
  expect(config.surfaces()).toEqual(['domains']);
});

test('reload() reads at once, and tells of a change once', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await using config = await opened(file, { settleMs: 10_000 });
  await writeFile(file, text('flat'));
  const [one, two] = await Promise.all([config.source.reload(), config.source.reload()]);
  expect([one.config.surface, two.config.surface]).toEqual(['flat', 'flat']);
  expect(config.surfaces()).toEqual(['flat']);
  expect(await readFile(file, 'utf8')).toBe(text('flat'));
});

test('a problem is logged once, and never with a value of env', async () => {
  using folder = testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"mcpServers": {"x": {"command": "a", "env": {"TOKEN": 4711}}}}');
  await using config = await opened(file);
  await config.source.reload();
  const told = config.events.filter((event) => event.startsWith('config.problem'));
  expect(told).toHaveLength(1);
  expect(told.join()).not.toContain('4711');
});

test('watch() follows a link to a link that is turned, and a target that is away for a while', async () => {
  await using folder = await testFolder();
  const file = folder.at('metad', 'config.json');
  await mkdir(dirname(file));
  await mkdir(folder.at('profiles'));
  await mkdir(folder.at('store'));
  await writeFile(folder.at('store', 'one'), text('flat'));
  await writeFile(folder.at('store', 'two'), text('tree'));
  await symlink('../store/one', folder.at('profiles', 'now'));
  await symlink('../profiles/now', file);
  await using config = await opened(file);
  expect(config.source.config().surface).toBe('flat');
  await symlink('../store/two', folder.at('profiles', 'next'));
  await rename(folder.at('profiles', 'next'), folder.at('profiles', 'now'));
  await until(() => expect(config.source.config().surface).toBe('tree'));
  await rm(folder.at('store', 'two'));
  await until(() => expect(config.source.problems()).toHaveLength(1));
  expect(config.source.config().surface).toBe('tree');
  await writeFile(folder.at('store', 'two'), text('domains'));
  await until(() => expect(config.source.config().surface).toBe('domains'));
});

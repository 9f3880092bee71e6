import { expect, test } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { alive, fixture, server, testPool } from '../../helpers/upstream.ts';

const A = { session: 'a', root: '/tmp' };
const B = { session: 'b', root: '/tmp' };
const ELSEWHERE = { session: 'c', root: '/usr' };

test('R083: a session server has one instance per session, and its end touches no other', async () => {
  await using up = await testPool();
  const counter = server('counter', [], { sharing: 'session' });
  await up.say(counter, 'add', { by: 5 }, A);
  expect(await up.say(counter, 'get', {}, B)).toBe('0');
  expect(up.pool.status().map(({ owner, sharing }) => [owner, sharing])).toEqual([
    ['a', 'session'],
    ['b', 'session'],
  ]);
  up.pool.endSession('b');
  await eventually(async () => expect(await alive(up.mark)).toHaveLength(1));
  expect(await up.say(counter, 'get', {}, A)).toBe('5');
});

test('R083: a workspace server is shared by the sessions of one root alone', async () => {
  await using up = await testPool();
  const counter = server('counter');
  await up.say(counter, 'add', { by: 5 }, A);
  expect(await up.say(counter, 'get', {}, B)).toBe('5');
  expect(await up.say(counter, 'get', {}, ELSEWHERE)).toBe('0');
  expect(up.pool.status().map(({ owner }) => owner)).toEqual(['/tmp', '/usr']);
  up.pool.endSession('a');
  expect(await up.say(counter, 'get', {}, B)).toBe('5');
});

test('R083: a user server is one for everybody', async () => {
  await using up = await testPool();
  const counter = server('counter', [], { sharing: 'user' });
  await up.say(counter, 'add', { by: 5 }, A);
  expect(await up.say(counter, 'get', {}, ELSEWHERE)).toBe('5');
  expect(up.pool.status()).toMatchObject([{ owner: null, sharing: 'user', calls: 2 }]);
});

test('a stdio server runs in its cwd, else in the workspace, else at home', async () => {
  await using up = await testPool();
  const cwd = (more: object, owner = A) => up.say({ ...server('environment'), ...more }, 'cwd', {}, owner);
  const reach = { kind: 'stdio', command: process.execPath, args: [fixture('environment')], env: {} };
  expect(await cwd({}, ELSEWHERE)).toBe('/usr');
  expect(await cwd({ sharing: 'session' }, ELSEWHERE)).toBe('/usr');
  expect(await cwd({ sharing: 'user' }, ELSEWHERE)).toBe(up.folder);
  expect(await cwd({ reach: { ...reach, cwd: '/var' } }, ELSEWHERE)).toBe('/var');
});

test('onChange() is called at most once per turn', async () => {
  await using up = await testPool();
  await up.say(server('counter'), 'get');
  await eventually(() => expect(up.changes()).toBeGreaterThan(0));
  expect(up.changes()).toBeLessThan(12);
});

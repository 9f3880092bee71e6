import { expect, test } from 'vitest';
import { pathsOf, SOCKET_PATH_LIMIT } from '../../schema/paths.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

test("pathsOf() puts the account's own metad into its own folders", () => {
  expect(pathsOf({ home: '/home/ann', uid: 1000 })).toEqual({
    home: undefined,
    config: '/home/ann/.config/metad',
    configFile: '/home/ann/.config/metad/config.json',
    plugins: '/home/ann/.config/metad/plugins',
    data: '/home/ann/.local/share/metad',
    database: '/home/ann/.local/share/metad/metad.db',
    state: '/home/ann/.local/state/metad',
    logs: '/home/ann/.local/state/metad/logs',
    lock: '/home/ann/.local/state/metad/metad.lock',
    socket: '/home/ann/.local/state/metad/metad.sock',
    socketFolder: '/home/ann/.local/state/metad',
  });
});

test('pathsOf() puts all of it under an override', () => {
  expect(pathsOf({ home: '/home/ann', uid: 1000, override: '/tmp/x' })).toEqual({
    home: '/tmp/x',
    config: '/tmp/x',
    configFile: '/tmp/x/config.json',
    plugins: '/tmp/x/plugins',
    data: '/tmp/x',
    database: '/tmp/x/metad.db',
    state: '/tmp/x',
    logs: '/tmp/x/logs',
    lock: '/tmp/x/metad.lock',
    socket: '/tmp/x/metad.sock',
    socketFolder: '/tmp/x',
  });
});

test('pathsOf() takes an empty override for none', () => {
  expect(pathsOf({ home: '/home/ann', uid: 1000, override: '' })).toEqual(pathsOf({ home: '/home/ann', uid: 1000 }));
});

test('pathsOf() gives one folder one name', () => {
  const long = `/tmp/${'d'.repeat(120)}`;
  const named = (override: string) => pathsOf({ home: '/h', uid: 1, override }).socket;
  for (const other of [`${long}/`, `${long}//`, `/tmp/./${'d'.repeat(120)}`, `//tmp/${'d'.repeat(120)}/.`])
    expect(named(other)).toBe(named(long));
  expect(pathsOf({ home: '/home/ann/', uid: 1 })).toEqual(pathsOf({ home: '/home/ann', uid: 1 }));
});

test('R014: pathsOf() keeps a socket path of 103 bytes and replaces one of 104', () => {
  const folder = (length: number) => `/${'x'.repeat(length - 1 - '/metad.sock'.length)}`;
  const fits = pathsOf({ home: '/h', uid: 501, override: folder(103) });
  expect(bytes(fits.socket)).toBe(SOCKET_PATH_LIMIT);
  expect(fits.socketFolder).toBe(fits.state);
  const tooLong = pathsOf({ home: '/h', uid: 501, override: folder(104) });
  expect(tooLong.socketFolder).toBe('/tmp/metad-501');
  expect(tooLong.socket).toMatch(/^\/tmp\/metad-501\/[0-9a-z]{26}\.sock$/);
  expect(tooLong.state).toBe(folder(104));
});

test('R014: pathsOf() counts bytes, not characters', () => {
  const override = `/${'é'.repeat(50)}`;
  expect(`${override}/metad.sock`.length).toBeLessThan(SOCKET_PATH_LIMIT);
  expect(pathsOf({ home: '/h', uid: 1, override }).socketFolder).toBe('/tmp/metad-1');
});

test('R014: two homes never share a socket, and one home has the same one every time', () => {
  const sockets = new Set<string>();
  for (let count = 0; count < 20_000; count += 1) {
    const override = `/srv/${'deep/'.repeat(24)}${count.toString(36)}`;
    const { socket } = pathsOf({ home: '/h', uid: 1000, override });
    expect(bytes(socket)).toBeLessThanOrEqual(SOCKET_PATH_LIMIT);
    sockets.add(socket);
  }
  expect(sockets.size).toBe(20_000);
  const once = pathsOf({ home: `/${'h'.repeat(120)}`, uid: 7 });
  expect(pathsOf({ home: `/${'h'.repeat(120)}`, uid: 7 })).toEqual(once);
  expect(pathsOf({ home: `/${'h'.repeat(120)}`, uid: 8 }).socket).not.toBe(once.socket);
});

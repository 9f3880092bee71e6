// From the files of a root to the servers that may be used.
import { expect, test } from 'vitest';
import { definitionsOf } from '../../../../daemon/workspace/files/definitions.ts';
import { FILE_KINDS } from '../../../../daemon/workspace/files/kinds.ts';
import { problemText } from '../../../../schema/config/problem.ts';
import type { TrustedServer } from '../../../../schema/trust.ts';

const ROOT = '/work/shop';

const filesOf = (texts: Readonly<Record<string, string | object>>) =>
  FILE_KINDS.flatMap((kind) => {
    const text = texts[kind.path];
    const bytes = new TextEncoder().encode(typeof text === 'string' ? text : JSON.stringify(text));
    return text === undefined ? [] : [{ kind, file: `${ROOT}/${kind.path}`, found: bytes }];
  });

const read = (texts: Readonly<Record<string, string | object>>, trusted: readonly TrustedServer[] = []) =>
  definitionsOf({ root: ROOT, files: filesOf(texts), trusted });

/** All that these declare, trusted as it stands. */
const trustedIn = (texts: Readonly<Record<string, string | object>>): readonly TrustedServer[] =>
  read(texts).servers.map(({ file, hash, definition: { name } }) => ({ file, server: name, hash, at: 1 }));

const said = (texts: Readonly<Record<string, string | object>>): string =>
  [...read(texts).problems.values()].flat().map(problemText).join('\n');

test('each agent’s file is read in its own shape; nothing is expanded, and nothing may be used before it is trusted', () => {
  const found = read({
    '.mcp.json': { mcpServers: { a: { command: 'npx', args: ['-y', 'a', '${HOME}'], env: { K: '${K:-x}' } } } },
    '.cursor/mcp.json': { mcpServers: { b: { url: 'https://b.example/mcp', headers: { A: 'Bearer ${env:T}' } } } },
    '.vscode/mcp.json':
      '{\n  // of VS Code\n  "servers": { "c": { "type": "stdio", "command": "${workspaceFolder}/c", "args": ["${userHome}"] }, },\n}',
    '.metad/config.json': { mcpServers: { d: { command: 'd', sharing: 'session' } } },
  });
  expect(found.servers.map(({ definition: { name }, file, state }) => [name, file, state])).toEqual([
    ['d', '.metad/config.json', 'new'],
    ['a', '.mcp.json', 'new'],
    ['b', '.cursor/mcp.json', 'new'],
    ['c', '.vscode/mcp.json', 'new'],
  ]);
  expect(found.definitions).toEqual([]);
  const reachOf = (name: string) => found.servers.find(({ definition }) => definition.name === name)?.definition.reach;
  expect(reachOf('a')).toMatchObject({ args: ['-y', 'a', '${HOME}'], env: { K: '${K:-x}' } });
  expect(reachOf('b')).toMatchObject({ headers: { A: 'Bearer ${env:T}' } });
  expect(reachOf('c')).toMatchObject({ command: '${workspaceFolder}/c', args: ['${HOME}'] });
  expect(found.servers[0]?.definition).toMatchObject({ sharing: 'session', origin: `${ROOT}/.metad/config.json` });
  expect([...found.problems.values()].flat()).toEqual([]);
});

test('exactly what was trusted may be used: white space, comments and the order of keys are no change', () => {
  const texts = { '.mcp.json': { mcpServers: { a: { command: 'x', args: ['1'], env: { A: '1', B: '2' } } } } };
  const trusted = trustedIn(texts);
  const statesOf = (text: string) => read({ '.mcp.json': text }, trusted).servers.map(({ state }) => state);
  expect(read(texts, trusted).definitions.map(({ name }) => name)).toEqual(['a']);
  expect(
    statesOf('{ "mcpServers": {\n // new\n "a": { "env": {"B": "2", "A": "1"}, "args": ["1"], "command": "x", } } }'),
  ).toEqual(['trusted']);
  for (const entry of [
    { command: 'x', args: ['2'], env: { A: '1', B: '2' } },
    { command: 'x', args: ['1'], env: { A: '1', B: '3' } },
    { command: 'x', args: ['1'], env: { A: '1', B: '2' }, cwd: '/' },
    { command: 'x', args: ['1'], env: { A: '1', B: '2' }, unknown: true },
  ])
    expect(statesOf(JSON.stringify({ mcpServers: { a: entry } }))).toEqual(['changed']);
  // Another name, another file, another root's file: another question.
  expect(read({ '.mcp.json': { mcpServers: { b: { command: 'x' } } } }, trusted).servers[0]?.state).toBe('new');
  expect(read({ '.cursor/mcp.json': texts['.mcp.json'] }, trusted).servers[0]?.state).toBe('new');
});

test('R070: relative programs and folders belong to the folder in which the agents start them', () => {
  const servers = {
    beside: { command: 'node', args: ['./tools/srv.mjs'] },
    shared: { command: './bin/x', sharing: 'user' },
    package: { command: 'npx', args: ['-y', '@scope/name'], sharing: 'user' },
    below: { command: 'x', cwd: 'sub' },
    absolute: { command: 'x', cwd: '/srv' },
  };
  const cwds = Object.fromEntries(
    read({ '.metad/config.json': { mcpServers: servers } }).servers.map(({ definition: { name, reach } }) => [
      name,
      reach.kind === 'stdio' ? reach.cwd : '?',
    ]),
  );
  expect(cwds).toEqual({ beside: undefined, shared: ROOT, package: ROOT, below: `${ROOT}/sub`, absolute: '/srv' });
});

test('of two trusted servers of one name the first counts; the same one twice is no word worth', () => {
  const same = { command: 'x', args: ['1'] };
  const texts = {
    '.mcp.json': { mcpServers: { a: same, b: { command: 'one' } } },
    '.cursor/mcp.json': { mcpServers: { a: same, b: { command: 'two' } } },
  };
  const found = read(texts, trustedIn(texts));
  expect(found.definitions.map(({ name, origin }) => [name, origin])).toEqual([
    ['a', `${ROOT}/.mcp.json`],
    ['b', `${ROOT}/.mcp.json`],
  ]);
  expect([...found.problems.values()].flat().map(({ message }) => message)).toEqual([
    expect.stringContaining('The server "b" of this file is left out'),
  ]);
});

test('what metad cannot do is said with its place, and the other servers are used', () => {
  const texts = {
    '.vscode/mcp.json': `{
  "inputs": [{ "id": "key", "type": "promptString", "description": "API key" }],
  "servers": {
    "asks": { "command": "x", "env": { "K": "\${input:key}" } },
    "fine": { "command": "y" }
  }
}`,
    '.mcp.json': '{ "mcpServers": { "a": { "command": } } }',
    '.cursor/mcp.json': { servers: {}, mcpServers: { metad: { command: '/usr/bin/metad', args: ['shim'] } } },
  };
  expect(read(texts).servers.map(({ definition: { name } }) => name)).toEqual(['fine']);
  expect(said(texts)).toMatch(
    /\.vscode\/mcp\.json:4:\d+.* asks for the input "key" \("API key"\), and metad asks nobody/,
  );
  expect(said(texts)).toMatch(/\.mcp\.json:1:\d+/);
  expect(said(texts)).toContain('in this file servers stand under "mcpServers"');
});

test('a file that cannot be read now keeps its servers, as long as they are trusted', () => {
  const texts = { '.mcp.json': { mcpServers: { a: { command: 'x' } } } };
  const trusted = trustedIn(texts);
  const before = read(texts, trusted);
  const broken = { root: ROOT, files: filesOf({ '.mcp.json': '{' }), before };
  expect(definitionsOf({ ...broken, trusted }).definitions.map(({ name }) => name)).toEqual(['a']);
  expect(definitionsOf({ ...broken, trusted: [] }).definitions).toEqual([]);
  expect(definitionsOf({ root: ROOT, files: [], before, trusted }).definitions).toEqual([]);
});

test('names that objects have by themselves are names like any other, and more than 200 servers are none', () => {
  const odd = '{ "mcpServers": { "__proto__": { "command": "x" }, "constructor": { "command": "y" } } }';
  expect(read({ '.mcp.json': odd }).servers.map(({ definition: { name } }) => name)).toEqual([
    '__proto__',
    'constructor',
  ]);
  const noisy = Object.fromEntries([['command', 'x'], ...Array.from({ length: 500 }, (_, at) => [`k${at}`, 1])]);
  expect(said({ '.mcp.json': { mcpServers: { a: noisy } } }).split('\n')).toHaveLength(20);
  expect(said({ '.mcp.json': { mcpServers: { a: noisy } } })).toContain('and 480 more like this.');
  const many = { mcpServers: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`s${at}`, { command: 'x' }])) };
  expect(read({ '.mcp.json': many }).servers).toEqual([]);
  expect(said({ '.mcp.json': many })).toContain('has 201 servers, and at most 200 are read');
});

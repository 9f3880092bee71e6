import { expect, test } from 'vitest';
import { expand, variablesOf } from '../../../daemon/config/expand.ts';
import { readConfig } from '../../../schema/config/read.ts';
import type { Definition } from '../../../schema/config.ts';
import { MetadError } from '../../../schema/errors.ts';

const definitionOf = (entry: object): Definition => {
  const definition = readConfig(JSON.stringify({ mcpServers: { x: entry } }), '/c.json').config?.servers.get('x');
  if (definition === undefined) throw new Error('the test means a good entry');
  return definition;
};
const variables = { API_TOKEN: 's3cret', HOME: '/home/ada', EMPTY: '', NEST: '${API_TOKEN}', DOLLAR: "$&$1$'" };
const failing = (entry: object, values: Parameters<typeof expand>[1] = { variables }): MetadError => {
  try {
    expand(definitionOf(entry), values);
  } catch (error) {
    if (error instanceof MetadError) return error;
    throw error;
  }
  throw new Error('expand() did not throw');
};

test('R071: expand() follows one rule in command, args, env, url, headers and cwd', () => {
  const texts: [string, string][] = [
    ['${API_TOKEN}', 's3cret'],
    ['a-${API_TOKEN}-${HOME}', 'a-s3cret-/home/ada'],
    ['${PORT:-8123}', '8123'],
    ['${HOME:-8123}', '/home/ada'],
    ['${EMPTY:-8123}', '8123'],
    ['${PORT:-}!', '!'],
    ['${PORT:-a:-b}', 'a:-b'],
    ['${PORT:-${HOME}}', '${HOME}'],
    ['x${EMPTY}', 'x'],
    ['${env:HOME}', '/home/ada'],
    ['$HOME', '$HOME'],
    ['~/x', '~/x'],
    ['a${', 'a${'],
    ['${HOME', '${HOME'],
    ['${}', '${}'],
    ['${1} ${a b} ${a.b}', '${1} ${a b} ${a.b}'],
    ['${NEST}', '${API_TOKEN}'],
    ['${DOLLAR}', "$&$1$'"],
    ['${workspaceFolder}/src', '/work/p/src'],
  ];
  const values = { variables, workspaceFolder: '/work/p' };
  for (const [text, wanted] of texts) {
    const stdio = expand(definitionOf({ command: text, args: ['-x', text], env: { A: text }, cwd: text }), values);
    expect(stdio.reach, text).toEqual({
      kind: 'stdio',
      command: wanted,
      args: ['-x', wanted],
      env: { A: wanted },
      cwd: wanted,
    });
    const remote = expand(definitionOf({ url: `https://a/${text}\${HOME}`, headers: { 'X-A': text } }), values);
    expect(remote.reach, text).toEqual({
      kind: 'http',
      url: `https://a/${wanted}/home/ada`,
      headers: { 'X-A': wanted },
    });
  }
});

test('expand() leaves names, and everything but the reach, as they are', () => {
  const definition = definitionOf({ command: 'a', env: { '${HOME}': 'b' }, includeTools: ['${HOME}'] });
  expect(expand(definition, { variables })).toEqual(definition);
});

test.each([
  [{ command: '${GONE}' }, 'command'],
  [{ command: 'a', args: ['b', 'c', 'x${GONE}'] }, 'args[2]'],
  [{ command: 'a', env: { TOKEN: '${GONE}' } }, 'env.TOKEN'],
  [{ command: 'a', cwd: '${GONE}' }, 'cwd'],
  [{ url: 'https://${GONE}' }, 'url'],
  [{ url: 'https://a', headers: { Authorization: 'Bearer ${GONE}' } }, 'headers.Authorization'],
])('R071: expand() of %j names server, field and variable', (entry, field) => {
  const error = failing(entry);
  expect(error.code).toBe('bad-config');
  expect(error.message).toContain(`Server "x" cannot be used: ${field}: the variable GONE is not set.`);
  expect(error.message).toContain('${GONE:-default}');
});

test('R071: expand() names all that is missing and no value', () => {
  const error = failing({ command: '${API_TOKEN}', args: ['${GONE}'], env: { A: '${LOST} ${API_TOKEN}' } });
  expect(error.message).toContain('args[0]: the variable GONE is not set; env.A: the variable LOST is not set.');
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain('s3cret');
});

test('expand() knows no variable by inheritance', () => {
  expect(failing({ command: '${constructor}' }).message).toContain('the variable constructor is not set');
});

test('expand() refuses ${workspaceFolder} in a session without workspace', () => {
  for (const values of [{ variables }, { variables, workspaceFolder: null }])
    expect(failing({ command: 'a', cwd: '${workspaceFolder}' }, values).message).toContain(
      'cwd: ${workspaceFolder} has no value, since this session has no workspace.',
    );
});

test('expand() refuses ${input:id} with a way out', () => {
  expect(failing({ command: 'a', env: { K: '${input:key}' } }).message).toContain('env.K: ${input:key} asks for input');
});

test('expand() refuses what Node would refuse later with the value in its error', () => {
  const values = { variables: { BREAK: 's3cret\n', WIDE: 's3cret→', EMPTY: '', WORD: 's3cret' } };
  for (const [entry, field] of [
    [{ url: 'https://a', headers: { A: '${BREAK}' } }, 'headers.A'],
    [{ url: 'https://a', headers: { A: '${WIDE}' } }, 'headers.A'],
    [{ url: '${WORD}' }, 'url'],
    [{ url: 'file://${WORD}' }, 'url'],
    [{ command: '${EMPTY}' }, 'command'],
  ] as const) {
    const { message } = failing(entry, values);
    expect(message).toContain(`Server "x" cannot be used: ${field}: it `);
    expect(message).not.toContain('s3cret');
  }
});

test('variablesOf() names each variable once', () => {
  expect(
    variablesOf(definitionOf({ command: '${A}', args: ['${B:-x}', '${A}', '${env:C}'], cwd: '${workspaceFolder}' })),
  ).toEqual(['A', 'B', 'C']);
  expect(variablesOf(definitionOf({ command: 'a', args: ['$HOME', '${'] }))).toEqual([]);
});

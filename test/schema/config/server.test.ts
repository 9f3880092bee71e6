import { expect, test } from 'vitest';
import { problemText } from '../../../schema/config/problem.ts';
import { readConfig } from '../../../schema/config/read.ts';

const read = (text: string | Uint8Array) => {
  const { config, problems, names } = readConfig(text, 'c.json');
  return { config, names, problems, texts: problems.map(problemText) };
};
const server = (entry: unknown) => read(JSON.stringify({ mcpServers: { x: entry } }));

test('readConfig() keeps what disabled, includeTools, excludeTools and timeout say', () => {
  const { config, problems } = server({
    command: 'a',
    disabled: true,
    includeTools: ['r*'],
    excludeTools: ['rm'],
    timeout: 1500,
  });
  expect(problems).toEqual([]);
  expect(config?.servers.get('x')).toMatchObject({
    disabled: true,
    includeTools: ['r*'],
    excludeTools: ['rm'],
    callTimeoutMs: 1500,
  });
});

test('readConfig() says that autoApprove and alwaysAllow are not used, whatever they hold', () => {
  const { config, texts } = server({ command: 'a', autoApprove: ['x'], alwaysAllow: true });
  expect(config?.servers.has('x')).toBe(true);
  expect(texts).toEqual([
    'c.json:1:35: warning: mcpServers.x.autoApprove is understood but not used: approvals are a matter of "policy".',
    'c.json:1:55: warning: mcpServers.x.alwaysAllow is understood but not used: approvals are a matter of "policy".',
  ]);
});

test.each([
  [{ command: 'a', url: 'https://b' }, 'x has both "command" and "url": keep the one by which it is reached.'],
  [{}, 'x needs "command" (a program to start) or "url" (an address to reach).'],
  [
    { serverUrl: 'https://b' },
    'x needs "command" (a program to start) or "url" (an address to reach). It has "serverUrl", which metad calls "url".',
  ],
  ['npx', 'x must be an object in { }, but is text.'],
  [{ command: '' }, 'x.command must not be empty.'],
  [
    { command: ['npx', '-y'] },
    'x.command must be text in double quotes, but is a list. Put the program in "command" and the rest in "args".',
  ],
  [{ command: 'a', args: '-y' }, 'x.args must be a list in [ ], but is text. Put it in [ ].'],
  [
    { command: 'a', args: ['b', 7] },
    'x.args[1] must be text in double quotes, but is a number. Put it in double quotes.',
  ],
  [
    { command: 'a', env: { PORT: 1 } },
    'x.env.PORT must be text in double quotes, but is a number. Put it in double quotes.',
  ],
  [{ command: 'a', env: [] }, 'x.env must be an object in { }, but is a list. Write { "NAME": "value" }.'],
  [{ command: 'a', disabled: 'true' }, 'x.disabled must be true or false, but is text. Leave the quotes away.'],
  [{ command: 'a', sharing: 'users' }, 'x.sharing must be one of "user", "workspace", "session". Did you mean "user"?'],
  [{ command: 'a', type: 'http' }, 'x.type is "http", which takes "url": leave "type" out.'],
  [{ url: 'https://a', type: 'stdio' }, 'x.type is "stdio", which takes "command": leave "type" out.'],
  [{ url: 'ftp://a' }, 'x.url must be a whole http:// or https:// address.'],
  [{ url: 'mcp.example' }, 'x.url must be a whole http:// or https:// address.'],
  [{ command: 'a', args: ['b\u0000'] }, 'x.args[0] holds a NUL character, which no program can be given.'],
])('readConfig() refuses the server %j alone', (entry, message) => {
  const { config, names, problems } = read(JSON.stringify({ mcpServers: { x: entry, y: { command: 'good' } } }));
  expect(problems.map((problem) => [problem.severity, problem.message])).toEqual([['error', `mcpServers.${message}`]]);
  expect([...(config?.servers.keys() ?? [])]).toEqual(['y']);
  expect(names).toEqual(['x', 'y']);
});

test('readConfig() never quotes a value of env or headers, nor text that it cannot parse', () => {
  const texts = [
    server({ command: 'a', env: { TOKEN: 4711 } }),
    server({ url: 'https://a', headers: { Authorization: 4711 } }),
    read('{"mcpServers": {"x": {"command": "a", "env": {"TOKEN": s4711}}}}'),
    read('{"mcpServers": {"x": {"command": "a", "env": {"TOKEN": "4711}}}}'),
  ].flatMap((reading) => reading.texts);
  expect(texts).toHaveLength(4);
  expect(texts.join()).not.toContain('4711');
});

test.each([
  [{ command: 'a', timeout: 60 }, 'x.timeout is in milliseconds: for 60 seconds write 60000.'],
  [
    { command: 'npx -y thing' },
    'x.command holds spaces, and no shell takes it apart: put what follows the program in "args".',
  ],
  [
    { command: 'a', args: ['~/notes'] },
    'x.args[0] is passed on as it is: metad replaces ${HOME}, but neither ~ nor $HOME.',
  ],
  [{ command: 'a', cwd: '$HOME/b' }, 'x.cwd is passed on as it is: metad replaces ${HOME}, but neither ~ nor $HOME.'],
  [
    { url: 'https://a', type: 'ws' },
    'x.type is a type that metad does not know: the server is reached by Streamable HTTP or SSE.',
  ],
  [{ command: 'a', headers: {} }, 'x.headers is left out: it belongs to servers with "url".'],
])('readConfig() warns of %j and uses it', (entry, message) => {
  const { config, problems } = server(entry);
  expect(problems.map((problem) => [problem.severity, problem.message])).toEqual([
    ['warning', `mcpServers.${message}`],
  ]);
  expect(config?.servers.has('x')).toBe(true);
});

test('readConfig() is silent where a shell reads ~ and $HOME itself, and where programs have spaces in their path', () => {
  expect(server({ command: '/bin/sh', args: ['-c', '$HOME/x'] }).problems).toEqual([]);
  expect(server({ command: '/Applications/My App/server' }).problems).toEqual([]);
});

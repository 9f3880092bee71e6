import { expect, test } from 'vitest';
import { problemText } from '../../../schema/config/problem.ts';
import { defaultConfig, readConfig } from '../../../schema/config/read.ts';

const read = (text: string | Uint8Array) => {
  const { config, problems, names } = readConfig(text, 'c.json');
  return { config, names, problems, texts: problems.map(problemText) };
};

test('readConfig() of {} gives every default', () => {
  const { config, problems } = read('{}');
  expect(problems).toEqual([]);
  expect(config).toEqual(defaultConfig());
  expect(config).toMatchObject({
    surface: 'code',
    autoSync: true,
    learnReturnTypes: true,
    listTools: { budgetTokens: 4000, waitSeconds: 8 },
    execute: {
      timeoutSeconds: 30,
      totalSeconds: 600,
      memoryMiB: 64,
      maxCalls: 1000,
      maxOutputCharacters: 20_000,
      detachSeconds: 45,
      maxWorkers: 32,
    },
    daemon: { idleExitMinutes: 30, loginShell: true },
    approvals: { waitSeconds: 40 },
    http: { enabled: false },
    policy: {},
  });
});

test('readConfig() fills in a definition', () => {
  const { config, problems } = read(`{
    // as READMEs print it
    "mcpServers": {
      "files": { "command": "npx", "args": ["-y", "files", "\${HOME}/notes"], "env": { "A": "1" }, "cwd": "/tmp" },
      "docs": { "type": "http", "url": "https://mcp.example/mcp", "headers": { "Authorization": "Bearer \${T}" } },
      "old": { "type": "sse", "url": "http://127.0.0.1:1/sse", "sharing": "session", "timeout": 5000, "idleMinutes": 1 },
    },
  }`);
  expect(problems).toEqual([]);
  expect([...(config?.servers.values() ?? [])]).toEqual([
    {
      name: 'files',
      reach: { kind: 'stdio', command: 'npx', args: ['-y', 'files', '${HOME}/notes'], env: { A: '1' }, cwd: '/tmp' },
      sharing: 'workspace',
      sharedBy: 'default',
      sharingReason: expect.any(String),
      disabled: false,
      callTimeoutMs: 60_000,
      startTimeoutMs: 60_000,
      idleMs: 900_000,
      origin: 'c.json',
    },
    {
      name: 'docs',
      reach: { kind: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer ${T}' } },
      sharing: 'user',
      sharedBy: 'default',
      sharingReason: expect.any(String),
      disabled: false,
      callTimeoutMs: 60_000,
      startTimeoutMs: 60_000,
      idleMs: 900_000,
      origin: 'c.json',
    },
    {
      name: 'old',
      reach: { kind: 'sse', url: 'http://127.0.0.1:1/sse', headers: {} },
      sharing: 'session',
      sharedBy: 'config',
      sharingReason: expect.any(String),
      disabled: false,
      callTimeoutMs: 5000,
      startTimeoutMs: 60_000,
      idleMs: 60_000,
      origin: 'c.json',
    },
  ]);
});

test('readConfig() gives a value that nobody can change', () => {
  const { config } = read('{"mcpServers": {"x": {"command": "a", "args": ["b"], "includeTools": ["c"]}}}');
  const definition = config?.servers.get('x');
  expect(Object.isFrozen(config)).toBe(true);
  expect(Object.isFrozen(config?.execute)).toBe(true);
  expect(Object.isFrozen(definition)).toBe(true);
  expect(Object.isFrozen(definition?.reach)).toBe(true);
  expect(Object.isFrozen(definition?.includeTools)).toBe(true);
});

test.each([
  ['{\n "mcpServers": {\n  "a": {"command": "x" "args": []}\n}}', 'c.json:3:24: error: Expected "," before this.'],
  [
    '{\n  "mcpServers": {\n    "a": {"command": "x"}',
    'c.json:3:26: error: The file ends too early: the "{" of line 2, column 17 is never closed.',
  ],
  ['{"a": [1', 'c.json:1:9: error: The file ends too early: the "[" of line 1, column 7 is never closed.'],
  ['{"a": tru}', 'c.json:1:7: error: Expected a value, found a word without quotes: text goes in double quotes.'],
  ['{a: 1}', 'c.json:1:2: error: Keys go in double quotes.'],
  ["{'a': 1}", 'c.json:1:2: error: Text and keys go in double quotes, not in single ones.'],
  ['{"a" 1}', 'c.json:1:6: error: Expected ":" after the key.'],
  ['{"a":}', 'c.json:1:6: error: Expected a value.'],
  ['{"a": "x\ny"}', 'c.json:1:7: error: This text is never closed: expected another double quote on the same line.'],
  ['{} {}', 'c.json:1:4: error: Expected nothing more after the last "}".'],
  ['{}\r\n\r\n{}', 'c.json:3:1: error: Expected nothing more after the last "}".'],
  ['', 'c.json: error: The file is empty: expected an object, at least {}.'],
  ['  // soon\n', 'c.json: error: The file is empty: expected an object, at least {}.'],
  ['[]', 'c.json:1:1: error: The file must be an object in { }, but is a list.'],
  ['{"mcpServers": []}', 'c.json:1:16: error: mcpServers must be an object in { }, but is a list.'],
  [
    '{"surface": "flatt"}',
    'c.json:1:13: error: surface must be one of "code", "domains", "tree", "flat". Did you mean "flat"?',
  ],
  [
    '{\n"execute": {"maxCalls": "5"}}',
    'c.json:2:25: error: execute.maxCalls must be a number, but is text. Leave the quotes away.',
  ],
  [
    '{"execute": {"memoryMiB": 1.5}}',
    'c.json:1:27: error: execute.memoryMiB must be a whole number, but is a fraction.',
  ],
  ['{"execute": {"memoryMiB": 2}}', 'c.json:1:27: error: execute.memoryMiB must be at least 8.'],
  ['{"daemon": {"idleExitMinutes": 0}}', 'c.json:1:32: error: daemon.idleExitMinutes must be greater than 0.'],
  [
    '{"daemon": {"idleExitMinutes": 1e999}}',
    'c.json:1:32: error: daemon.idleExitMinutes must be a number, but is out of range.',
  ],
  ['{"daemon": {"idleExitMinutes": 100000}}', 'c.json:1:32: error: daemon.idleExitMinutes must be at most 35791.'],
  ['{"autoSync": "true"}', 'c.json:1:14: error: autoSync must be true or false, but is text. Leave the quotes away.'],
])('readConfig() refuses %j as a whole and says where', (text, message) => {
  const { config, texts } = read(text);
  expect(config).toBeUndefined();
  expect(texts).toEqual([message]);
});

test('readConfig() refuses a file nested too deeply instead of crashing', () => {
  const { config, texts } = read('['.repeat(200_000));
  expect(config).toBeUndefined();
  expect(texts).toEqual(['c.json: error: The file is nested too deeply.']);
});

test('readConfig() takes a byte order mark and refuses UTF-16 and broken UTF-8 by name', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  expect(read(bytes('\uFEFF{"surface": "flat"}')).config?.surface).toBe('flat');
  expect(read('\uFEFF{"a" 1}').texts).toEqual(['c.json:1:6: error: Expected ":" after the key.']);
  for (const wide of [
    Buffer.from('\uFEFF{}', 'utf16le'),
    Buffer.from('{}', 'utf16le'),
    Buffer.from('\uFEFF{}', 'utf16le').swap16(),
  ])
    expect(read(wide).texts).toEqual(['c.json: error: The file is encoded as UTF-16 or UTF-32: save it as UTF-8.']);
  expect(read(Buffer.from([0x7b, 0xff, 0x7d])).texts).toEqual([
    'c.json: error: The file is not valid UTF-8: save it as UTF-8.',
  ]);
});

test('readConfig() warns of unknown keys, suggests, and goes on', () => {
  const { config, texts } = read(
    '{"surfase": "flat", "execute": {"timeoutSecond": 3}, "mcpServers": {"x": {"command": "a", "enviroment": {}, "enabled": false, "constructor": 1}}}',
  );
  expect(config?.servers.has('x')).toBe(true);
  expect(texts).toEqual([
    'c.json:1:2: warning: metad does not know surfase and leaves it out. Did you mean "surface"?',
    'c.json:1:33: warning: metad does not know execute.timeoutSecond and leaves it out. Did you mean "timeoutSeconds"?',
    'c.json:1:91: warning: metad does not know mcpServers.x.enviroment and leaves it out. Did you mean "env"?',
    'c.json:1:109: warning: metad does not know mcpServers.x.enabled and leaves it out. metad has "disabled": true.',
    'c.json:1:127: warning: metad does not know mcpServers.x.constructor and leaves it out.',
  ]);
});

test('readConfig() names the way out for files of other programs', () => {
  expect(read('{"servers": {"x": {"command": "a"}}, "inputs": []}').texts).toEqual([
    'c.json:1:2: warning: metad does not know servers and leaves it out. Servers stand under "mcpServers" here.',
    'c.json:1:38: warning: metad does not know inputs and leaves it out. metad asks for no inputs: put the value into a variable of your shell and write ${NAME} where it is needed.',
  ]);
  expect(read('{"files": {"command": "a"}}').texts).toEqual([
    'c.json:1:2: warning: files looks like a server, but stands outside of "mcpServers" and is left out. Put it inside: { "mcpServers": { … } }.',
  ]);
});

test('readConfig() uses the first of two servers of one name and says so', () => {
  const { config, texts } = read(
    '{"mcpServers": {\n"x": {"command": "first"},\n"x": {"command": "second", "url": 1},\n"y": {"command": "a", "env": {"A": "1", "A": "2"}}}}',
  );
  expect(config?.servers.get('x')?.reach).toMatchObject({ command: 'first' });
  expect(config?.servers.get('y')?.reach).toMatchObject({ env: { A: '1' } });
  expect(texts).toEqual([
    'c.json:3:1: warning: mcpServers.x is there twice: the one of line 2 counts, this one is left out.',
    'c.json:4:41: warning: mcpServers.y.env.A is there twice: the one of line 4 counts, this one is left out.',
  ]);
});

test('readConfig() keeps the order of the file and takes any name', () => {
  const { config } = read(
    '{"mcpServers": {"z": {"command": "a"}, "10": {"command": "a"}, "__proto__": {"command": "a"}, "2": {"command": "a"}, "my files": {"command": "a"}}}',
  );
  expect([...(config?.servers.keys() ?? [])]).toEqual(['z', '10', '__proto__', '2', 'my files']);
  expect(read('{"mcpServers": {"": {"command": "a"}, "a\\nb": {"command": "a"}}}').problems).toHaveLength(2);
});

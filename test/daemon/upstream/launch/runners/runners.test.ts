import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { runOf } from '../../../../../daemon/upstream/launch/runners/runners.ts';

const uid = userInfo().uid;

test.each([
  [['bunx', 'mcp'], { name: 'mcp', wanted: '', isExact: false, program: 'mcp', rest: [] }],
  [['bunx', '@s/my-mcp@1.2.3', '--x'], { name: '@s/my-mcp', isExact: true, program: 'my-mcp', rest: ['--x'] }],
  [['/opt/bun', 'x', 'mcp@latest', 'a b'], { name: 'mcp', wanted: 'latest', rest: ['a b'] }],
  [
    ['uvx', 'mcp-server-time', '--local'],
    { name: 'mcp-server-time', wanted: '', program: 'mcp-server-time', rest: ['--local'] },
  ],
  [['uvx', 'mcp-server-time@2025.1.1'], { wanted: '2025.1.1', isExact: true }],
  [
    ['uvx', '--from', 'big[cli]==1.2', 'program', 'a'],
    { name: 'big', wanted: '1.2', isExact: true, program: 'program', rest: ['a'] },
  ],
  [['uv', 'tool', 'run', '-q', '--python', '3.12', 'x'], { name: 'x', program: 'x' }],
  [['npx', '-y', 'mcp'], { name: 'mcp' }],
])('%j is looked behind', ([command = '', ...args], asked) => {
  expect(runOf(command, args)?.asked).toMatchObject(asked);
});

test.each([
  [['bunx', '--bun', 'mcp']],
  [['bunx', '-p', 'mcp', 'program']],
  [['bunx', 'github:me/mcp']],
  [['bun', 'run', 'mcp']],
  [['bunx']],
  [['uvx', 'mcp@latest']],
  [['uvx', '--refresh', 'mcp']],
  [['uvx', '--with', 'x', 'mcp']],
  [['uvx', '--isolated', 'mcp']],
  [['uvx', 'mcp>=1']],
  [['uvx', 'git+https://x.example/y']],
  [['uvx', './mcp']],
  [['uvx', '--from', 'mcp', 'program@1']],
  [['uv', 'run', 'mcp']],
  [['pnpm', 'dlx', 'mcp']],
  [['yarn', 'dlx', 'mcp']],
  [['node', 'server.js']],
])('%j is left to itself', ([command = '', ...args]) => {
  expect(runOf(command, args)).toBeUndefined();
});

const programsOf = (words: readonly string[], line: string): readonly string[] => {
  const [command = '', ...args] = words;
  const run = runOf(command, args);
  return run?.runner.programsIn(line, run.asked) ?? [];
};

test('the program is found in the command line of the process that bunx started, and in no other', () => {
  const bin = `/home/me/.bun/install/cache/.bunx-${uid}/@s/mcp@latest/node_modules/.bin/mcp`;
  const words = ['bunx', '@s/mcp', '--x'];
  expect(programsOf(words, `node ${bin} --x`)).toEqual([bin]);
  // Bun before 1.4.
  const old = `/tmp/bunx-${uid}-@s/mcp@latest/node_modules/.bin/mcp`;
  expect(programsOf(words, `node ${old} --x`)).toEqual([old]);
  for (const line of [
    `node ${bin}`,
    `node ${bin} --x y`,
    `bunx @s/mcp --x`,
    `node ${bin.replace('latest', '1.0.0')} --x`,
  ])
    expect(programsOf(words, line)).toEqual([]);
});

test('the program is found in the command line of the process that uvx started', () => {
  const bin = '/home/me/.cache/uv/archive-v0/Ab3-x_/bin';
  expect(programsOf(['uvx', 'mcp', '--x'], `${bin}/python ${bin}/mcp --x`)).toContain(`${bin}/mcp`);
  expect(programsOf(['uvx', 'mcp', '--x'], `${bin}/python -m mcp --x`)).toEqual([]);
  expect(programsOf(['uvx', 'mcp'], '/home/me/.local/share/uv/tools/mcp/bin/mcp')).toEqual([]);
});

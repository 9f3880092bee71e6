// What a script's value is, as an agent sees it. And R046: what is an error, and what only reads like one.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const FIVES = [
  'const n = 40; n / 8',
  'return 5',
  'await Promise.resolve(5)',
  'async () => 5',
  '```js\nconst n = 40; n / 8\n```',
  '```\nconst n = 40; n / 8\n```',
  '5 // done',
];

test('R043: each of the seven ways to say five gives 5, and undefined is shown as such', async () => {
  await using home = temporaryHome();
  await using agent = await connectAgent({ home: home.home });
  // `const n = 40; n / 8` is 5.
  for (const script of FIVES) expect(await agent.text('execute', { script }), script).toBe('5');
  expect(await agent.text('execute', { script: '{ five: 5 }' })).toBe('{"five":5}');
  for (const script of ['undefined', 'return', 'const quiet = 1', 'async () => {}', ''])
    expect(await agent.text('execute', { script }), script).toBe('undefined');
  expect(await agent.text('execute', { script: 'null' })).toBe('null');
});

test('R046: syntax error, thrown error, time-out and failing tool say name, message and line; a text is a text', async () => {
  await using home = temporaryHome({ mcpServers: { echo: fixtureServer('echo.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  const cases: readonly (readonly [string, RegExp])[] = [
    ['const a = 1;\nconst = 2;', /^SyntaxError: .+ \(line 2, column \d+\)/],
    ['const a = 1;\n\nthrow new RangeError("too far");', /^RangeError: too far \(line 3, column \d+\)/],
    ['const a = 1;\nawait echo.fail({ text: "no such boat" });', /^\w*Error: .*no such boat.* \(line 2, column \d+\)/],
    ['const a = 1;\nfor (;;);', /^TimeoutError: .*\b1 s/],
  ];
  for (const [script, says] of cases) {
    const result = await agent.call('execute', { script, timeout_seconds: 1 });
    expect(result.isError, script).toBe(true);
    expect(textOf(result)).toMatch(says);
  }
  const fine = await agent.call('execute', { script: 'return "Error: fine"' });
  expect(fine.isError ?? false).toBe(false);
  expect(textOf(fine)).toBe('Error: fine');
});

// What is an error: name, message, line, and what had been called until then.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R046: a failed script carries isError, name, message, line and its calls; `Error: fine` is a success', async () => {
  await using home = temporaryHome({ mcpServers: { echo: fixtureServer('echo.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  await agent.call('execute', { script: 'return Object.keys(echo)' }); // its start is not what is measured
  const first = 'await echo.echo({ text: "hi" });\n';
  const calls = 'calls made: 1, all ok\nok echo\\.echo [\\d.]+ m?s \\d+ B';
  const cases: readonly (readonly [string, RegExp])[] = [
    [`${first}const = 2;`, /^SyntaxError: .+ \(line 2, column \d+\)$/],
    [
      `${first}throw new RangeError("too far");`,
      new RegExp(`^RangeError: too far \\(line 2, column \\d+\\)\n${calls}$`),
    ],
    [`${first}for (;;);`, new RegExp(`^TimeoutError: .*\\b1 s.*\n${calls}$`)],
    [
      `${first}await echo.fail({ text: "no such boat" });`,
      /^ToolError: .*no such boat.* \(line 2, column \d+\)\ncalls made: 2, 1 not ok\nok echo\.echo .*\nerror echo\.fail .*: .*no such boat/,
    ],
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

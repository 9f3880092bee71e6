// `metad trust` against a daemon with canned answers: who is asked, and what becomes of the answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeDaemon, startFakeDaemon, tempHome } from '../../helpers/control-daemon.ts';
import { runHere } from '../../helpers/terminal.ts';

let home: Awaited<ReturnType<typeof tempHome>>;
let daemon: FakeDaemon;
beforeAll(async () => {
  home = await tempHome();
  daemon = await startFakeDaemon({ home: home.home });
});
afterAll(async () => {
  await daemon.close();
  await home[Symbol.asyncDispose]();
});

const trust = (args: readonly string[] = [], options: Parameters<typeof runHere>[1] = {}) => {
  daemon.asked.length = 0;
  return runHere(['--home', home.home, 'trust', ...args], options);
};
const accepted = () => daemon.asked.filter((one) => Object.hasOwn(Object(one), 'servers'));

test('without a terminal the answer is no, whatever stands on stdin', async () => {
  const { code, stdout, stderr } = await trust([], { input: 'y\n' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no terminal to ask at')]);
  expect(stdout).toContain('node srv.mjs "a b"');
  expect(accepted()).toEqual([]);
});

test.each(['y\n', 'yes\n', 'YES\n'])('a person who says %j trusts exactly what was shown', async (input) => {
  expect((await trust([], { input, isTerminal: true })).code).toBe(0);
  expect(accepted()).toEqual([
    { servers: [expect.objectContaining({ hash: 'h1' }), expect.objectContaining({ hash: 'h2' })] },
  ]);
});

test.each(['n\n', '\n', '', 'yep\n', 'no\ny\n'])('%j is no yes', async (input) => {
  const { code, stderr } = await trust([], { input, isTerminal: true });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Nothing was trusted.')]);
  expect(accepted()).toEqual([]);
});

test('--yes, --json and --revoke ask nobody', async () => {
  const shown = await trust(['--json']);
  expect([shown.code, JSON.parse(shown.stdout).workspace, accepted()]).toEqual([1, '/w', []]);
  const yes = await trust(['--yes', '--json']);
  expect(yes.code).toBe(0);
  expect(accepted()).toHaveLength(1);
  const revoked = await trust(['--revoke']);
  expect([revoked.code, revoked.stderr]).toEqual([0, expect.stringContaining('2 trusted entries forgotten')]);
  expect((await trust(['--revoke', '--yes'])).code).toBe(2);
});

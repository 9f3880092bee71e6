// Scripts that eat memory, through the whole program.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { pssOf } from '../helpers/processes.ts';

const HUNGRY = [
  ['const all = []; for (;;) all.push(new Uint8Array(400000))', /Memory|memory/],
  ['let s = "ab"; for (;;) s = (s + s).replace(/^a/, "b")', /Memory|memory/],
  ['const f = (n) => f(n + 1) + 1; f(0)', /stack|Stack|recursion/],
] as const;
const MIB = 1024 * 1024;

test('R037: with 48 MiB each ends with a memory or stack error, the next runs, and nobody else notices', async () => {
  await using home = temporaryHome({ execute: { memoryMiB: 48 } });
  await using greedy = await connectAgent({ home: home.home });
  await using other = await connectAgent({ home: home.home });
  expect(await greedy.run('return 1')).toBe(1);
  const daemon = (await home.daemonPid()) ?? 0;
  const before = pssOf(daemon) ?? 0;
  let most = 0;
  for (const [script, says] of HUNGRY) {
    const hungry = greedy.call('execute', { script });
    let isOver = false;
    const served = (async () => {
      for (let at = 0; at < 3 || !isOver; at += 1) {
        expect(await other.run(`return ${at}`)).toBe(at);
        most = Math.max(most, pssOf(daemon) ?? 0);
      }
    })();
    const result = await hungry;
    isOver = true;
    await served;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(says);
    expect(await greedy.run('return 2 + 2')).toBe(4);
  }
  // The script's own 48 MiB, what the engine needs beside them, and workers that came and went.
  expect(most - before).toBeLessThan(4 * 48 * MIB);
  expect(await home.daemonPid()).toBe(daemon);
});

import { expect, test } from 'vitest';
import type { Finding } from '../../../../daemon/workspace/survey/survey.ts';
import { createSurveyor } from '../../../../daemon/workspace/survey/surveyor.ts';

/** A worker that does as the root says. */
const workerUrl = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ number, root, kept }) => {
      if (root === '/hang') for (;;);
      if (root === '/throw') throw new Error('odd');
      if (root === '/exit') process.exit(3);
      if (root === '/memory') { const all = []; for (;;) all.push(new Array(1e6).fill(root)); }
      parentPort.postMessage({ number, findings: [...kept.map(({ id }) => id), { id: 'thread ' + threadId, reads: [], dependencies: [] }] });
    });
  `)}`,
);

const kept: readonly Finding[] = [{ id: 'one', reads: [], dependencies: [] }];

test('survey() gives what was kept as the same object, and uses one thread while there is work', async () => {
  await using surveyor = createSurveyor({ workerUrl });
  const found = await Promise.all([surveyor.survey('/a', kept), surveyor.survey('/b', [])]);
  expect(found[0][0]).toBe(kept[0]);
  expect(found[0][1]?.id).toBe(found[1][0]?.id);
});

test('survey() ends a thread that hangs, dies or takes too much, and the next one has another', async () => {
  await using surveyor = createSurveyor({ workerUrl, memoryMb: 32 });
  await expect(surveyor.survey('/throw', [])).rejects.toThrow('The dependencies of /throw could not be read: odd.');
  await expect(surveyor.survey('/exit', [])).rejects.toThrow('their reader ended');
  await expect(surveyor.survey('/memory', [])).rejects.toThrow('could not be read');
  expect(await surveyor.survey('/a', kept)).toHaveLength(2);
  // Long enough for a thread to start on a busy machine: the healthy one has the same limit.
  await using impatient = createSurveyor({ workerUrl, limitMs: 1500 });
  const [hung, next] = [impatient.survey('/hang', []), impatient.survey('/b', [])];
  await expect(hung).rejects.toThrow('The dependencies of /hang took more than 1.5 s to read.');
  expect(await next).toHaveLength(1);
});

test('the end of a surveyor ends the survey that goes on', async () => {
  const surveyor = createSurveyor({ workerUrl });
  const hung = surveyor.survey('/hang', []);
  hung.catch(() => {});
  await Promise.resolve();
  await surveyor[Symbol.asyncDispose]();
  await expect(hung).rejects.toThrow('metad is stopping.');
  await expect(surveyor.survey('/a', [])).rejects.toThrow('metad is stopping.');
});

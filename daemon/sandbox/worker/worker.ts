// A sandbox worker's thread: one script at a time, a fresh context ready for the next.
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, ToWorker, View, WorkerSetup } from '../messages.ts';
import { refusalOf } from '../script/check.ts';
import { type Known, knownOf } from '../script/known.ts';
import { prepare } from '../script/prepare.ts';
import { openShared } from '../shared.ts';
import { type Bridge, createBridge } from './bridge.ts';
import { isBloated, openEngine } from './engine.ts';

const setup = workerData as WorkerSetup;
const port = parentPort;
if (port === null) throw new Error('worker.ts runs as a worker thread only');

const shared = openShared(setup.shared);
const engine = await openEngine(setup.wasmModule, setup.memoryBytes);
const post = (message: FromWorker): void => port.postMessage(message);
/** Bytes that are worth a new worker once this one rests. */
const GROWTH = 8 * 1024 * 1024;
/** Bytes of this thread's own heap and of the engine's memory. */
const held = (): number => getHeapStatistics().total_heap_size + engine.memoryBytes();
let fresh = Number.POSITIVE_INFINITY;
let view: View = { id: 0, names: '[]', tables: [] };
let bridge: Bridge | undefined;
let known: { readonly of: View; readonly names: Known } | undefined;
const knowledge = (of: View): Known => {
  if (known?.of !== of) known = { of, names: knownOf(of) };
  return known.names;
};

const refresh = (): void => {
  bridge = createBridge(engine, shared, view, knowledge, post, (end, broken) => {
    const used = bridge;
    bridge = undefined;
    const retire = broken || isBloated(engine.memoryBytes());
    post({ kind: 'done', ...end, retire });
    // After the answer is on its way; a worker that retires is terminated as it is.
    if (retire || used === undefined) return;
    setImmediate(() => {
      try {
        used.dispose();
        refresh();
        post({ kind: 'ready', grown: held() > fresh + GROWTH });
      } catch (error) {
        // Said, not thrown: an error of the thread may overtake the answer that is on its way.
        post({ kind: 'broken', message: String(error) });
      }
    });
  });
};

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'run':
      view = message.view ?? view;
      bridge?.start({ script: message.script, limits: message.limits, view });
      break;
    case 'settle':
      bridge?.settle(message.results);
      break;
    case 'stop':
      bridge?.stop();
      break;
  }
});

// The parser's first uses are its slowest: not in anybody's time.
for (let at = 0; at < 6; at++) {
  const warm = prepare(
    'const found = await files.read({ path: `a` });\nfound.map(({ x }) => x + 1); files.write({ a: 1 })',
  );
  refusalOf(warm, knownOf(view));
}
refresh();
fresh = held();
post({ kind: 'ready', grown: false });

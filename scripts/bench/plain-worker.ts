// What the sandbox is compared with: the same program in a worker thread as plain JavaScript, calls relayed by messages.
import { Worker } from 'node:worker_threads';

const BODY = `
const { parentPort } = require('node:worker_threads');
const AsyncFunction = (async () => {}).constructor;
const waiting = new Map();
let ids = 0;
const call = (tool, args) => new Promise((resolve) => {
  waiting.set(++ids, resolve);
  parentPort.postMessage({ id: ids, tool, args: JSON.stringify(args) });
});
const bench = { echo: (args) => call('echo', args), large: (args) => call('large', args) };
parentPort.on('message', async (message) => {
  if ('script' in message) {
    const value = await new AsyncFunction('bench', message.script)(bench);
    parentPort.postMessage({ value: JSON.stringify(value) });
  } else {
    waiting.get(message.id)(JSON.parse(message.value));
    waiting.delete(message.id);
  }
});
`;

type Message = { readonly id: number; readonly tool: string; readonly args: string } | { readonly value: string };

export interface PlainWorker extends AsyncDisposable {
  run(script: string): Promise<unknown>;
}

export const plainWorker = (call: (tool: string, args: Record<string, unknown>) => Promise<unknown>): PlainWorker => {
  const worker = new Worker(BODY, { eval: true });
  return {
    run: (script) =>
      new Promise((resolve, reject) => {
        const onMessage = (message: Message) => {
          if ('value' in message) {
            worker.off('message', onMessage);
            worker.off('error', reject);
            resolve(JSON.parse(message.value));
          } else
            call(message.tool, JSON.parse(message.args)).then(
              (value) => worker.postMessage({ id: message.id, value: JSON.stringify(value) }),
              reject,
            );
        };
        worker.on('message', onMessage);
        worker.once('error', reject);
        worker.postMessage({ script });
      }),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
};

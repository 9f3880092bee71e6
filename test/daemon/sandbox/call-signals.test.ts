import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createCalls } from '../../../daemon/sandbox/calls.ts';

test('make() lets any number of calls listen to the end of their run without a warning', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  let listening = 0;
  const namespaces = [{ global: 'lab', server: 'lab', tools: [{ script: 'echo', raw: 'echo' }] }];
  const calls = createCalls(
    {
      namespaces,
      call: (_server, _tool, _args, signal) => {
        signal.addEventListener('abort', () => {});
        listening = getEventListeners(signal, 'abort').length;
        return new Promise(() => {});
      },
    },
    () => {},
  );
  for (let call = 0; call < 50; call += 1) calls.make(`${call},0,0,{}`);
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  expect(listening).toBe(50);
  expect(warnings).toEqual([]);
  expect(calls.close()).toHaveLength(50);
});

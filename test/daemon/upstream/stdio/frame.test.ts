import { expect, test } from 'vitest';
import { readFrame } from '../../../../daemon/upstream/stdio/frame.ts';

const message = { jsonrpc: '2.0' as const, id: 1, result: {} };
const json = JSON.stringify(message);

test.each([
  [json, [message], ''],
  [`\ufeff${json}\r`, [message], ''],
  [`loading {plugins} ... ${json}`, [message], 'loading {plugins} ...'],
  [`[${json},${json}]`, [message, message], ''],
  ['Widget bridge v7 ready', [], 'Widget bridge v7 ready'],
  ['{"level":"info"}', [], '{"level":"info"}'],
  ['[1,2]', [], '[1,2]'],
  ['null', [], 'null'],
  ['', [], ''],
  [
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    [],
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
  ],
])('R017: readFrame() of %s', (line, messages, noise) => {
  expect(readFrame(line)).toEqual({ messages, noise });
});

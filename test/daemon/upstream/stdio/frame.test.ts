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

test.each([
  ['{"jsonrpc":"2.0","id":1,"error":"boom"}', { error: { code: -32603, message: 'boom' } }],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"no"}}', { error: { code: -32603, message: 'no' } }],
  ['{"jsonrpc":"2.0","id":1,"error":{"code":7}}', { error: { code: 7, message: expect.stringContaining('neither') } }],
  ['{"jsonrpc":"2.0","id":1,"error":null}', { error: { code: -32603, message: expect.stringContaining('neither') } }],
  [
    '{"jsonrpc":"2.0","id":1,"result":"text"}',
    { error: { code: -32603, message: expect.stringContaining('neither') } },
  ],
  ['{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":7,"message":"no"}}', { error: { code: 7, message: 'no' } }],
  ['{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}', { result: { a: 1 } }],
  ['{"jsonrpc":"2.0","id":1,"result":{"a":1},"took":12}', { result: { a: 1 } }],
  ['{"jsonrpc":"2.0","id":1,"result":{"a":1,"_meta":5}}', { result: { a: 1 } }],
])('R059: readFrame() makes an answer of %s, for whoever asked would wait in vain', (line, answer) => {
  expect(readFrame(line)).toEqual({ messages: [{ jsonrpc: '2.0', id: 1, ...answer }], noise: '' });
});

test('readFrame() survives an odd answer that nests deeper than any stack', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  expect(readFrame(`{"jsonrpc":"2.0","id":1,"error":${deep}}`).messages).toHaveLength(1);
  expect(readFrame(`{"jsonrpc":"2.0","id":1,"result":${deep}}`).messages).toHaveLength(1);
});

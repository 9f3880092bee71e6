import { describe, expect, test } from 'vitest';
import { replyOf } from '../../shim/upgrade.ts';

const bytes = (text: string) => Buffer.from(text);
const error = '{"error":{"code":"refused","message":"No such surface: tree."}}';

describe('replyOf()', () => {
  test('waits for the whole head and keeps what follows a 101', () => {
    expect(replyOf(bytes('HTTP/1.1 101 Switching'), false)).toBeUndefined();
    expect(replyOf(bytes('HTTP/1.1 101 S\r\nUpgrade: metad\r\n\r\n{"a":1}\n'), false)).toEqual({
      head: bytes('{"a":1}\n'),
    });
  });

  test('reads a refusal with a length, in chunks, and until the end', () => {
    const refusal = { status: 400, message: 'No such surface: tree.' };
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Length: ${error.length}\r\n\r\n`;
    expect(replyOf(bytes(head + error.slice(0, 9)), false)).toBeUndefined();
    expect(replyOf(bytes(head + error), false)).toEqual(refusal);
    const chunked = `HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\n${error.length.toString(16)}\r\n${error}\r\n`;
    expect(replyOf(bytes(chunked), false)).toBeUndefined();
    expect(replyOf(bytes(`${chunked}0\r\n\r\n`), false)).toEqual(refusal);
    expect(replyOf(bytes(`HTTP/1.1 400 No\r\n\r\n${error}`), true)).toEqual(refusal);
  });

  test('says so when a refusal has no reason, or nothing came', () => {
    expect(replyOf(bytes('HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope'), false)).toMatchObject({
      message: expect.stringMatching(/404.*nope/),
    });
    expect(replyOf(bytes('HTTP/1.1'), true)).toBe('gone');
  });
});

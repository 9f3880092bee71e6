import { expect, test } from 'vitest';
import { createUnframer, framed, MOST_BYTES } from '../../../daemon/types/frames.ts';

test('createUnframer() gives back what framed() made, however it is cut', () => {
  const messages = [{ a: 1 }, { text: 'é '.repeat(50) }, { b: [] }];
  const bytes = Buffer.from(messages.map(framed).join(''));
  for (const size of [1, 2, 7, 100, bytes.length]) {
    const take = createUnframer();
    const found: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...take(bytes.subarray(at, at + size)));
    expect(found).toEqual(messages);
  }
});

test('createUnframer() refuses what is too large or no message', () => {
  for (const text of [`Content-Length: ${MOST_BYTES + 1}\r\n\r\n`, 'Content-Type: x\r\n\r\n', 'x'.repeat(5000)])
    expect(() => createUnframer()(Buffer.from(text))).toThrow();
});

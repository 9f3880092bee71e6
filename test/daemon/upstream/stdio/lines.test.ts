import { expect, test } from 'vitest';
import { createLines } from '../../../../daemon/upstream/stdio/lines.ts';

const reader = (limit = 1000) => {
  const lines: string[] = [];
  const over: number[] = [];
  return {
    lines,
    over,
    into: createLines(
      limit,
      (line) => lines.push(line),
      (read) => over.push(read),
    ),
  };
};

test('R016: push() joins characters that were split between reads, at every place', () => {
  const bytes = Buffer.from('naïve — 漢字 🧪\nsecond\n\nrest');
  for (let size = 1; size <= bytes.length; size += 1) {
    const { lines, into } = reader();
    for (let at = 0; at < bytes.length; at += size) into.push(bytes.subarray(at, at + size));
    expect(lines).toEqual(['naïve — 漢字 🧪', 'second', '']);
    expect(into.pending()).toBe(4);
    expect(into.rest()).toBe('rest');
  }
});

test('R022: push() gives up a line over the limit once, with the bytes read, and keeps nothing of it', () => {
  const { lines, over, into } = reader(10);
  into.push(Buffer.from('0123456789\n01234'));
  into.push(Buffer.from('567890'));
  into.push(Buffer.from('more\nand more\n'));
  expect(lines).toEqual(['0123456789']);
  expect(over).toEqual([11]);
});

test('R022: a line of exactly the limit is taken', () => {
  const { lines, over, into } = reader(10);
  into.push(Buffer.from('01234'));
  into.push(Buffer.from('56789'));
  into.push(Buffer.from('\n'));
  expect(lines).toEqual(['0123456789']);
  expect(over).toEqual([]);
});

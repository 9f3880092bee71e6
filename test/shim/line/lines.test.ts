import { describe, expect, test } from 'vitest';
import { createLines, eachLine } from '../../../shim/line/lines.ts';

const linesOf = (block: Buffer): string[] => {
  const found: string[] = [];
  eachLine(block, (line) => found.push(line.toString()));
  return found;
};

describe('createLines()', () => {
  test('gives the same bytes however they are cut', () => {
    const text = 'naïve — 漢字 🧪\n{"a":1}\r\n\nlast\nhalf';
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const lines = createLines(1000, () => {});
      let out = '';
      for (let at = 0; at < bytes.length; at += size)
        out += lines.push(bytes.subarray(at, at + size))?.toString() ?? '';
      expect(out).toBe(text.slice(0, -4));
      expect(lines.rest().toString()).toBe('half');
    }
  });

  test('leaves a line over the limit out, once told, and goes on behind it', () => {
    const heads: string[] = [];
    const lines = createLines(10, (head) => heads.push(head.toString()));
    expect(lines.push(Buffer.from('a\nbbbbbbbb'))?.toString()).toBe('a\n');
    expect(lines.push(Buffer.from('bbbb'))).toBeUndefined();
    expect(lines.push(Buffer.from('bbbb'))).toBeUndefined();
    expect(lines.push(Buffer.from('b\nc\nd'))?.toString()).toBe('c\n');
    expect(lines.push(Buffer.from('\n'))?.toString()).toBe('d\n');
    expect(heads).toEqual(['bbbbbbbbbbbb']);
  });

  test('collects a long line in linear time', () => {
    const lines = createLines(1e9, () => {});
    const chunk = Buffer.alloc(64 * 1024, 97);
    const before = process.cpuUsage();
    for (let round = 0; round < 512; round += 1) lines.push(chunk);
    expect(lines.push(Buffer.from('\n'))?.length).toBe(512 * 64 * 1024 + 1);
    const { user, system } = process.cpuUsage(before); // not wall time, which is the machine's
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

test('eachLine() leaves empty lines out', () => {
  expect(linesOf(Buffer.from('\na\n\nb\n'))).toEqual(['a\n', 'b\n']);
});

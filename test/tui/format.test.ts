import { expect, test } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatMilliseconds,
  pad,
  truncateEnd,
  truncateMiddle,
  widthOf,
} from '../../tui/format.ts';
import { clean, cleanLines } from '../../tui/text.ts';

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [31_457_280, '30.0 MB'],
  [104_857_600, '100 MB'],
  [1_073_741_823, '1.0 GB'],
  [5e15, '4547 TB'],
])('formatBytes(%d) is %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [-1, '0s'],
  [59.9, '59s'],
  [60, '1m 00s'],
  [3599, '59m 59s'],
  [11_100, '3h 05m'],
  [187_200, '2d 04h'],
])('formatDuration(%d) is %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

test.each([
  [0.4, '0 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_900, '59.9 s'],
  [59_999, '59s'],
  [123_000, '2m 03s'],
])('formatMilliseconds(%d) is %s', (milliseconds, text) => expect(formatMilliseconds(milliseconds)).toBe(text));

test('clean() leaves nothing that could steer a terminal', () => {
  expect(clean('\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u202eevil\u200b\r\n\tnext\u0000 \u009b2J')).toBe(
    'red evil next 2J',
  );
});

test('cleanLines() keeps lines and tabs', () => {
  expect(cleanLines('a\r\n\tb\u001b[2Jc\u0007')).toBe('a\n\tbc');
});

test('truncateMiddle() never exceeds the width nor cuts a character', () => {
  for (const text of ['a-server-with-a-long-name', '漢字漢字漢字漢字', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 'é́́́é́́́é́́́é́́́'])
    for (let width = 0; width <= 12; width += 1) {
      const cut = truncateMiddle(text, width);
      expect(widthOf(cut)).toBeLessThanOrEqual(Math.max(width, 0));
      expect(cut).not.toContain('\ufffd');
    }
  expect(truncateMiddle('a-server-with-a-long-name', 11)).toBe('a-ser…-name');
  expect(truncateMiddle('short', 5)).toBe('short');
});

test('truncateEnd() cuts sentences at the end', () => {
  expect(truncateEnd('It exited with code 1', 10)).toBe('It exited…');
  expect(truncateEnd('abc', 0)).toBe('');
});

test('pad() counts columns, not characters', () => {
  expect(pad('漢', 4)).toBe('漢  ');
  expect(pad('7', 3, true)).toBe('  7');
});

import { describe, expect, test } from 'vitest';
import { cutMiddle, cutText, cutValue, shares } from '../../../../daemon/surface/execute/cut.ts';
import type { Json } from '../../../../schema/tool.ts';

const cut = (value: Json, room: number) => cutValue(value, JSON.stringify(value), room);
const rows = Array.from({ length: 1500 }, (_, id) => ({ id, name: `row ${id}` }));

test('cutText() cuts at a line end near the limit, and only there', () => {
  expect(cutText(`${'x'.repeat(90)}\n${'y'.repeat(50)}`, 100)).toEqual({
    text: 'x'.repeat(90),
    shown: '90 of 141 characters',
  });
  expect(cutText(`xx\n${'y'.repeat(2000)}`, 100)).toEqual({
    text: `xx\n${'y'.repeat(97)}`,
    shown: '100 of 2,003 characters',
  });
});

test('cutText() never halves a surrogate pair', () => {
  for (let room = 0; room < 12; room += 1) {
    const { text } = cutText('🚀'.repeat(30), room);
    expect(text).toBe('🚀'.repeat(Math.floor(room / 2)));
  }
});

test('cutMiddle() keeps beginning and end', () => {
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n');
  const text = cutMiddle(lines, 400);
  expect(text.length).toBeLessThanOrEqual(400);
  expect(text).toMatch(/^line 0\nline 1\n/);
  expect(text).toMatch(/\nline 499$/);
  expect(text).toContain('characters in 500 lines; the middle is cut');
  expect(cutMiddle(lines, 10)).toBe('line 0\nlin');
  expect(cutMiddle('short', 10)).toBe('short');
});

test('shares() gives small demands all, and large ones as much as each other', () => {
  expect(shares([5, 1000, 3000], 1005)).toEqual([5, 500, 500]);
  expect(shares([10, 10], 100)).toEqual([10, 10]);
  expect(shares([10], -5)).toEqual([0]);
});

describe('cutValue()', () => {
  test('shows whole elements of a list, one a line, and how many more there are', () => {
    const { text, shown } = cut(rows, 1000);
    expect(text.length).toBeLessThanOrEqual(1000);
    const [first, ...rest] = text.split('\n');
    const [last, note] = [rest.pop(), rest.pop()];
    expect([first, last]).toEqual(['[', ']']);
    const kept = JSON.parse(`[${rest.join('\n')}]`);
    expect(kept).toEqual(rows.slice(0, kept.length));
    expect(kept.length).toBeGreaterThan(30);
    expect(note).toBe(`… ${(1500 - kept.length).toLocaleString('en')} more of 1,500 items`);
    expect(shown).toMatch(/^3\d of 1,500 items \([\d,]+ characters\)$/);
  });
  test('shows short fields whole, wherever they stand, and the beginning of long ones', () => {
    const { text } = cut({ total: 1500, rows, note: 'n'.repeat(5000), next: 'page 2' }, 1500);
    expect(text.length).toBeLessThanOrEqual(1500);
    expect(text).toContain('"total":1500');
    expect(text).toContain('"next":"page 2"');
    expect(text).toMatch(/"rows":\[\n\{"id":0,"name":"row 0"\},\n/);
    expect(text).toMatch(/… 1,4\d\d more of 1,500 items\n\]/);
    expect(text).toMatch(/"note":"n{400,}… 5,000 characters"/);
  });
  test('goes into the first element where not even that fits', () => {
    const { text } = cut([{ id: 1, body: 'é"\n'.repeat(3000) }, { id: 2 }], 600);
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toMatch(/^\[\n\{\n"id":1,\n"body":"é/);
    expect(text).toContain('… 1 more of 2 items');
  });
  test('stays within its room for anything', () => {
    const deep: Json = Array.from({ length: 150 }).reduce<Json>((inner) => ({ a: inner, b: [1] }), 'x'.repeat(90_000));
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key ${at}`, at]));
    const quotes = { ['"'.repeat(5000)]: '\\'.repeat(5000), '': null };
    for (const value of [deep, wide, quotes, rows, [rows, rows], 'é\u0000'.repeat(9000), [['🚀'.repeat(9000)]]])
      for (const room of [0, 1, 30, 61, 100, 999, 10_000])
        expect(cut(value, room).text.length).toBeLessThanOrEqual(room);
  });
  test('looks at no more of a large value than it shows', () => {
    let reads = 0;
    const list = new Proxy(
      Array.from({ length: 100_000 }, (_, at) => at),
      {
        get: (target, key, self) => {
          reads += 1;
          return Reflect.get(target, key, self);
        },
      },
    );
    cutValue(list, '', 500);
    expect(reads).toBeLessThan(2000);
  });
});

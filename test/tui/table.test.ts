import { expect, test } from 'vitest';
import { widthOf } from '../../tui/format.ts';
import { type Column, lineText, shows, table } from '../../tui/table.ts';

interface Row {
  readonly name: string;
  readonly size: number;
  readonly note: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', cell: ({ name }) => name, least: 8 },
  { title: 'SIZE', cell: ({ size }) => String(size), toRight: true },
  { title: 'NOTE', cell: ({ note }) => note, least: 6, sentence: true, drop: 1 },
];
const rows: readonly Row[] = [
  { name: 'one', size: 7, note: 'fine' },
  { name: 'a-very-long-name-indeed', size: 12345, note: 'a whole sentence about it' },
];

test('table() prints everything in full where there is room', () => {
  expect(table(columns, rows, Number.POSITIVE_INFINITY).map(lineText)).toEqual([
    'NAME                      SIZE  NOTE',
    'one                          7  fine',
    'a-very-long-name-indeed  12345  a whole sentence about it',
  ]);
});

test('table() shrinks names in the middle and sentences at the end', () => {
  expect(table(columns, rows, 40).map(lineText)).toEqual([
    'NAME              SIZE  NOTE',
    'one                  7  fine',
    'a-very-…-indeed  12345  a whole sentenc…',
  ]);
});

test('table() drops the least important column first', () => {
  expect(table(columns, rows, 20).map(lineText)).toEqual([
    'NAME            SIZE',
    'one                7',
    'a-very…indeed  12345',
  ]);
  expect(shows(columns, rows, 20, 'NOTE')).toBe(false);
  expect(shows(columns, rows, 40, 'NOTE')).toBe(true);
});

test('table() never exceeds the width while its columns can give', () => {
  for (let width = 15; width < 80; width += 1)
    for (const line of table(columns, rows, width)) expect(widthOf(lineText(line))).toBeLessThanOrEqual(width);
});

test('table() without rows is its head', () => {
  expect(table(columns, [], 40).map(lineText)).toEqual(['NAME  SIZE  NOTE']);
});

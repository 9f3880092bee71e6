// A table of a document that is written from what it tells about: with UPDATE=1 it is, else it must stand there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from './program.ts';

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join('\n');
};

/**
 * @param file below docs/
 * @param name it stands between `<!-- NAME: … -->` and `<!-- end of NAME -->`
 * @param rows the head first
 */
export const expectTable = (file: string, name: string, rows: readonly (readonly string[])[]): void => {
  const path = join(ROOT, 'docs', file);
  const before = readFileSync(path, 'utf8');
  const place = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*(<!-- end of ${name} -->)`);
  expect(before).toMatch(place);
  const after = before.replace(place, (_, begin: string, end: string) => `${begin}\n${tableOf(rows)}\n\n${end}`);
  if (process.env['UPDATE'] === '1') writeFileSync(path, after);
  else expect(before).toBe(after);
};

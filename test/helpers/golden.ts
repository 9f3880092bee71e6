// Golden files: expected results as data. `UPDATE=1` writes what the program says now; the diff is then reviewed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

export const goldenFolder = join(import.meta.dirname, '..', 'golden');

/** Compares `actual` with the golden file `name`, or writes it. */
export const expectGolden = (name: string, actual: string): void => {
  const path = join(goldenFolder, name);
  if (process.env['UPDATE'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
};

import { expect, test } from 'vitest';
import { missingWorkers } from '../../../daemon/sandbox/growth.ts';

test.each([
  [0, 10, 500, 0],
  [50, 5, 3, 3],
  [50, 5, 200, 50],
  [50, 300, 0, 50],
  [1, 10, 0, 1],
])(
  'missingWorkers() of %i that wait, %i ms each, the oldest run %i ms old, is %i',
  (waiting, average, oldest, missing) => {
    expect(missingWorkers(waiting, average, oldest)).toBe(missing);
  },
);

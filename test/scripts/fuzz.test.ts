import { expect, test } from 'vitest';
import { fuzz } from '../../scripts/fuzz/run.ts';
import { validScript } from '../../scripts/fuzz/valid.ts';
import { randomOf } from '../helpers/random.ts';

test('fuzz() finds nothing wrong with some generated scripts', { timeout: 240_000 }, async () => {
  // Memory takes minutes to settle: that is for `npm run fuzz`.
  const { ran, beside, faults } = await fuzz({
    count: 150,
    seed: 7,
    say: () => {},
    width: 3,
    restMs: 0,
    growth: Number.POSITIVE_INFINITY,
  });
  expect(faults).toEqual([]);
  expect(Math.min(ran.valid, ran.broken, ran.hostile)).toBeGreaterThan(20);
  expect(beside.calls).toBeGreaterThan(0);
});

test('validScript() repeats with its seed', () => {
  const some = (seed: number) => {
    const random = randomOf(seed);
    return Array.from({ length: 50 }, () => validScript(random));
  };
  expect(some(3)).toEqual(some(3));
  expect(some(3)).not.toEqual(some(4));
});

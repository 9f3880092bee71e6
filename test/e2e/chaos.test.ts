// The begin of one chaos run, and that its seed decides it; long runs are for scripts/chaos.
import { expect, test } from 'vitest';
import { stepsOf, troubleText } from '../../scripts/chaos-run/plan.ts';
import { chaos, toText } from '../../scripts/chaos-run/run.ts';

const first = (seed: number, count: number) => {
  const steps = stepsOf({ seed, slots: 3, workspaces: 2 });
  return Array.from({ length: count }, () => steps.next().value);
};

test('stepsOf() gives the same steps for the same seed, and every trouble sooner or later', () => {
  expect(first(11, 60)).toEqual(first(11, 60));
  expect(first(11, 60)).not.toEqual(first(12, 60));
  expect(new Set(first(11, 300).map(({ trouble }) => trouble.kind)).size).toBe(13);
});

test('a short chaos run has no fault', { timeout: 180_000 }, async () => {
  const report = await chaos({ seed: SEED, steps: STEPS, slots: 3, say: () => {}, comparesHoldings: false });
  expect(report.faults, toText(report)).toEqual([]);
  expect(report.steps).toBe(STEPS);
  expect(report.ended.ok).toBeGreaterThan(10);
  const planned = new Set(first(SEED, STEPS).map(({ trouble }) => troubleText(trouble).split(',')[0]));
  expect(new Set(Object.keys(report.troubles))).toEqual(planned);
  expect(planned).toContain('kill daemon');
});

/** Chosen for its first steps: shim and daemon killed, clock set, server restarted, config changed, daemon frozen, upgrade. */
const SEED = 3278;
const STEPS = 7;

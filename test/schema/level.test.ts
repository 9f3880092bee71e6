import { expect, test } from 'vitest';
import { isLevel, isShown, mostTalkative } from '../../schema/level.ts';

test('mostTalkative() is the level at which nobody misses anything', () => {
  expect(mostTalkative(['error', 'info', 'alert'])).toBe('info');
  expect(mostTalkative([])).toBeUndefined();
});

test('isShown() compares by seriousness, and shows what nobody can place', () => {
  expect(isShown('error', 'warning')).toBe(true);
  expect(isShown('warning', 'warning')).toBe(true);
  expect(isShown('info', 'warning')).toBe(false);
  expect(isShown('loud', 'emergency')).toBe(true);
  expect(isLevel('loud')).toBe(false);
});

import { expect, test } from 'vitest';
import { createAudience } from '../../../daemon/upstream/audience.ts';

test('createAudience() tells whether the roots are others by who comes, moves and goes', () => {
  const users = createAudience();
  expect(users.set('a', '/p')).toBe(true);
  expect(users.set('b', '/p')).toBe(false);
  expect(users.set('c', null)).toBe(false);
  expect(users.roots()).toEqual(['/p']);
  expect(users.set('c', '/q')).toBe(true);
  expect(users.roots()).toEqual(['/p', '/q']);
  expect(users.set('c', '/r')).toBe(true);
  expect(users.delete('a')).toBe(false);
  expect(users.delete('b')).toBe(true);
  expect(users.delete('nobody')).toBe(false);
  expect(users.sessions()).toEqual(['c']);
  expect([users.size, users.has('c'), users.has('a')]).toEqual([1, true, false]);
});

import { expect, test } from 'vitest';
import { createCounts } from '../../../../daemon/upstream/resources/counts.ts';

test('createCounts() knows who is concerned, once each, and forgets with the last', () => {
  const counts = createCounts();
  counts.add('file:///a', 'one');
  counts.add('file:///a', 'one');
  counts.add('file:///a', 'two');
  counts.add('file:///a/b', 'one');
  expect(counts.concerned('file:///a')).toEqual(['one', 'two']);
  expect(counts.concerned('file:///a/b')).toEqual(['one', 'two']);
  expect(counts.concerned('file:///ab')).toEqual([]);
  expect(counts.remove('file:///a', 'one')).toBe(true);
  expect(counts.remove('file:///a', 'one')).toBe(false);
  expect(counts.has('file:///a')).toBe(true);
  expect(counts.leave('two')).toEqual(['file:///a']);
  expect(counts.uris()).toEqual(['file:///a/b']);
});

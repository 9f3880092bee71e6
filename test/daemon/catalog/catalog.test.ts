import { describe, expect, test } from 'vitest';
import {
  type Change,
  canonical,
  catalogOf,
  changeBetween,
  changeLine,
  merged,
  withListing,
} from '../../../daemon/catalog/catalog.ts';
import type { Listing } from '../../../schema/tool.ts';
import { listingOf, tool } from '../../helpers/view.ts';

const listing = (...tools: (string | { name: string; description: string })[]): Listing => ({
  key: 'k',
  server: 'files',
  tools: tools.map((tool) => (typeof tool === 'string' ? { name: tool } : tool)),
  freshness: 'confirmed',
  listedAt: 0,
  warnings: [],
});

const change = (before: Listing, after: Listing): Change => {
  const found = changeBetween(before, after);
  if (found === undefined) throw new Error('nothing changed');
  return found;
};

describe('changeBetween()', () => {
  test('names what came, went and is another', () => {
    const found = change(
      listing('a', 'b', { name: 'c', description: 'old' }),
      listing('b', { name: 'c', description: 'new' }, 'd'),
    );
    expect(found).toMatchObject({ added: ['d'], removed: ['a'], altered: ['c'], first: false });
  });

  test('gives nothing for the same tools in another order', () => {
    expect(changeBetween(listing('a', 'b'), listing('b', 'a'))).toBeUndefined();
  });
});

describe('merged()', () => {
  test('a server that flaps owes its sum, however often', () => {
    const [full, less] = [listing('a', 'b'), listing('a')];
    let sum: Change | undefined = change(full, less);
    for (const next of [change(less, full), change(full, less)]) sum = sum && merged(sum, next);
    expect(sum).toMatchObject({ added: [], removed: ['b'] });
  });

  test('added and gone again is no change', () => {
    expect(merged(change(listing('a'), listing('a', 'b')), change(listing('a', 'b'), listing('a')))).toBeUndefined();
  });

  test('gone and back counts as altered, since it may be another', () => {
    const sum = merged(change(listing('a', 'b'), listing('a')), change(listing('a'), listing('a', 'b')));
    expect(sum).toMatchObject({ added: [], removed: [], altered: ['b'] });
  });
});

test('changeLine() is one line for an agent', () => {
  expect(changeLine(12, 13, [change(listing('a', 'b'), listing('a', 'c', 'd', 'e'))])).toBe(
    'catalog 12 → 13: +3 −1 in files',
  );
  expect(changeLine(12, 13, [])).toBeUndefined();
});

test('canonical() gives one text for objects that differ in the order of keys alone', () => {
  expect(canonical({ b: 1, a: { d: [2, 1], c: null } })).toBe(canonical({ a: { c: null, d: [2, 1] }, b: 1 }));
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
});

test('changeBetween() names what came, went and changed, and nothing where only the order did', () => {
  const before = listingOf('k', ['a', 'b', 'c']);
  expect(changeBetween(before, listingOf('k', ['c', 'b', 'a'], { freshness: 'cached' }))).toBeUndefined();
  expect(changeBetween(before, listingOf('k', ['a', tool('b', { description: 'x' }), 'd']))).toMatchObject({
    added: ['d'],
    removed: ['c'],
    altered: ['b'],
    first: false,
  });
  expect(changeBetween(undefined, listingOf('k', []))).toMatchObject({ added: [], first: true });
});

test('withListing() keeps a good list in place of an empty or torn one, and says stale', () => {
  const good = listingOf('k', ['a', 'b']);
  const catalog = catalogOf([good]);
  for (const worse of [listingOf('k', []), listingOf('k', ['a'], { freshness: 'stale', warnings: ['torn'] })]) {
    const next = withListing(catalog, worse);
    expect(next.listing).toMatchObject({ freshness: 'stale', tools: good.tools, warnings: worse.warnings });
    expect(next.change).toBeUndefined();
    expect(next.catalog.revision).toBe(catalog.revision);
  }
  const fewer = withListing(catalog, listingOf('k', ['a']));
  expect(fewer.listing.tools).toHaveLength(1);
  expect(fewer.catalog.revision).toBe(catalog.revision + 1);
  expect(catalog.listings.get('k')).toBe(good);
});

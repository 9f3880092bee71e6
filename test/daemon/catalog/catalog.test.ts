import { expect, test } from 'vitest';
import { canonical, catalogOf, changeBetween, changeLine, withListing } from '../../../daemon/catalog/catalog.ts';
import { listingOf, tool } from '../../helpers/view.ts';

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

test('changeLine() sums by server and is silent where nothing changed', () => {
  const change = (server: string, added: string[], removed: string[], altered: string[]) => ({
    key: server,
    server,
    added,
    removed,
    altered,
    first: false,
  });
  expect(changeLine(1, 1, [])).toBeUndefined();
  expect(changeLine(12, 14, [change('sqlx', ['a', 'b'], [], []), change('sqlx', ['c'], ['d'], [])])).toBe(
    'catalog 12 → 14: +3 −1 in sqlx',
  );
  expect(changeLine(1, 3, [change('a', [], [], ['x']), change('b', [], [], [])])).toBe(
    'catalog 1 → 3: ~1 in a, renewed in b',
  );
});

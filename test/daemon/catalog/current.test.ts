import { expect, test } from 'vitest';
import { createCurrentCatalog } from '../../../daemon/catalog/current.ts';
import type { Listing } from '../../../schema/tool.ts';
import { definition, listingOf } from '../../helpers/view.ts';

const setUp = (known: readonly Listing[] = []) => {
  const saved: Listing[] = [];
  const changes: [number, number, readonly string[]][] = [];
  const catalog = createCurrentCatalog({
    known,
    keyOf: ({ name }, root) => `${name} at ${root}`,
    save: (listing) => saved.push(listing),
    onChanged: (from, to, { added }) => changes.push([from, to, added]),
  });
  return { catalog, saved, changes };
};

test('viewOf() gives the same object until something is another', () => {
  const { catalog } = setUp();
  const one = new Map([['a', definition('a')]]);
  const view = catalog.viewOf(one, null);
  expect(catalog.viewOf(one, null)).toBe(view);
  expect(catalog.viewOf(one, '/w')).not.toBe(view);
  expect(catalog.viewOf(new Map(one), null)).not.toBe(view);
  catalog.take(definition('a'), null, listingOf('', ['x']));
  expect(catalog.viewOf(one, null)).not.toBe(view);
  expect(catalog.viewOf(one, null).servers[0]?.tools).toHaveLength(1);
  expect(catalog.viewOf(one, '/w').servers[0]?.listing).toBeUndefined();
});

test('take() saves every listing and tells only of real changes', () => {
  const { catalog, saved, changes } = setUp([listingOf('a at null', ['x'], { freshness: 'cached' })]);
  catalog.take(definition('a'), null, listingOf('', ['x']));
  expect(saved).toMatchObject([{ key: 'a at null', freshness: 'confirmed' }]);
  expect(changes).toEqual([]);
  catalog.take(definition('a'), null, listingOf('', ['x', 'y']));
  expect(changes).toEqual([[1, 2, ['y']]]);
  expect(catalog.revision()).toBe(2);
});

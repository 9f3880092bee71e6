import { expect, test } from 'vitest';
import { createCurrentCatalog } from '../../../daemon/catalog/current.ts';
import type { Listing } from '../../../schema/tool.ts';
import { definition, listingOf } from '../../helpers/view.ts';

const setUp = (known: readonly Listing[] = []) => {
  const saved: Listing[] = [];
  const used: string[] = [];
  let asked = 0;
  const changes: [number, number, readonly string[]][] = [];
  const catalog = createCurrentCatalog({
    known: () => {
      asked += 1;
      return known;
    },
    onUsed: (keys) => used.push(...keys),
    keyOf: ({ name }, root) => `${name} at ${root}`,
    save: (listing) => saved.push(listing),
    onChanged: (from, to, { added }) => changes.push([from, to, added]),
  });
  return { catalog, saved, changes, used, asked: () => asked };
};

test('viewOf() asks for what is known when somebody looks at it, once, and tells which keys are in use', () => {
  const { catalog, used, asked } = setUp([listingOf('a at null', ['x'])]);
  const definitions = new Map([['a', definition('a')]]);
  const view = catalog.viewOf(definitions, null);
  catalog.viewOf(definitions, null);
  expect(view.servers.map(({ key }) => key)).toEqual(['a at null']);
  expect(used).toEqual(['a at null']);
  expect(asked()).toBe(0);
  expect(view.servers[0]?.tools.map(({ raw }) => raw)).toEqual(['x']);
  expect(view.namespaces.map(({ open }) => open)).toEqual([false]);
  expect(catalog.viewOf(definitions, '/w').servers[0]?.listing).toBeUndefined();
  expect(asked()).toBe(1);
});

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

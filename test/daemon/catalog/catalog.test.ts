import { describe, expect, test } from 'vitest';
import { type Change, changeBetween, changeLine, merged } from '../../../daemon/catalog/catalog.ts';
import type { Listing } from '../../../schema/tool.ts';

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

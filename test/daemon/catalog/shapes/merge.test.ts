// The laws of merging, over values that a seed repeats.
import { describe, expect, test } from 'vitest';
import { bounded, NODES } from '../../../../daemon/catalog/shapes/bound.ts';
import { decode, encode } from '../../../../daemon/catalog/shapes/code.ts';
import { merge } from '../../../../daemon/catalog/shapes/merge.ts';
import { isHeld, shapeOf } from '../../../../daemon/catalog/shapes/sample.ts';
import { ANYTHING, NOTHING, type Shape } from '../../../../daemon/catalog/shapes/shape.ts';
import type { Json } from '../../../../schema/tool.ts';
import { type Random, randomOf } from '../../../helpers/random.ts';

/** Few names, so that samples share some; a few keys that are data; now and then a wide object. */
const sampleOf = (random: Random, depth: number): Json => {
  const kind = random.below(depth > 0 ? 9 : 5);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.below(1000);
  if (kind <= 4) return `secret ${random.below(1000)}`;
  if (kind <= 6) return Array.from({ length: random.below(4) }, () => sampleOf(random, depth - 1));
  const size = random.chance(0.05) ? 40 + random.below(120) : random.below(7);
  const spread = random.chance(0.1) ? 200 : 8;
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const keys = Array.from({ length: size }, () => {
    if (random.chance(0.02)) return `${random.below(9)}@example.com`;
    const at = random.below(spread);
    return `n${letters[at % 26]}${letters[Math.floor(at / 26)]}`;
  });
  return Object.fromEntries(keys.map((key) => [key, sampleOf(random, size > 10 ? 0 : depth - 1)]));
};

/** Whether a shape accepts a value: written apart from merge and print. */
const accepts = (shape: Shape, value: Json): boolean => {
  if (shape.anything) return true;
  if (value === null) return shape.scalars.includes('null');
  if (Array.isArray(value)) {
    const { items } = shape;
    return items !== undefined && value.every((item: Json) => accepts(items, item));
  }
  if (typeof value !== 'object') return shape.scalars.includes(typeof value as 'string');
  const { object } = shape;
  if (object === undefined) return false;
  const entries = Object.entries(value);
  if (object.kind === 'record') return entries.every(([, inner]) => accepts(object.values, inner));
  if (entries.length === 0) return object.empty || object.fields.every(({ optional }) => optional);
  return (
    entries.every(([name, inner]) =>
      object.fields.some((field) => field.name === name && accepts(field.shape, inner)),
    ) && object.fields.every(({ name, optional }) => optional || Object.hasOwn(value, name))
  );
};

const SEEDS = Array.from({ length: 150 }, (_, at) => at + 1);

describe('merge()', () => {
  test.each([
    ['small', 3],
    ['deep', 8],
  ])('keeps its laws for %s values', (_, depth) => {
    for (const seed of SEEDS) {
      const random = randomOf(seed * 31 + depth);
      const values = Array.from({ length: 3 + random.below(12) }, () => sampleOf(random, depth));
      const shapes = values.map(shapeOf);
      const [a = NOTHING, b = NOTHING, c = NOTHING] = shapes;
      const why = `seed ${seed}, depth ${depth}`;
      expect(merge(a, a), why).toEqual(a);
      expect(merge(a, NOTHING), why).toEqual(a);
      expect(merge(a, b), why).toEqual(merge(b, a));
      expect(merge(merge(a, b), c), why).toEqual(merge(a, merge(b, c)));

      // Many, in another order and another grouping, and some of them twice.
      const onward = shapes.reduce(merge);
      const back = [...shapes, ...shapes.slice(0, 2)].reverse().reduce(merge);
      const middle = Math.floor(shapes.length / 2);
      const halves = merge(shapes.slice(0, middle).reduce(merge, NOTHING), shapes.slice(middle).reduce(merge));
      expect(back, why).toEqual(onward);
      expect(halves, why).toEqual(onward);
      for (const [at, shape] of shapes.entries()) {
        expect(merge(onward, shape), why).toEqual(onward);
        for (const value of values)
          if (isHeld(shape, value)) expect(merge(shape, shapeOf(value)), `${why}, ${at}`).toEqual(shape);
      }

      const kept = bounded(onward);
      expect(bounded(kept), why).toEqual(kept);
      for (const value of values) {
        expect(accepts(onward, value), `${why}: ${JSON.stringify(value)}`).toBe(true);
        expect(accepts(kept, value), why).toBe(true);
        expect(bounded(merge(kept, shapeOf(value))), why).toEqual(kept);
      }
      expect(decode(encode(onward)), why).toEqual(onward);
      expect(encode(onward), why).not.toMatch(/secret|example|\d/);
    }
  });

  test('makes fields optional that a sample lacks, and joins null and other kinds', () => {
    const merged = merge(shapeOf({ id: 1, note: null }), shapeOf({ id: 'x', more: [1] }));
    expect(merged.object).toEqual({
      kind: 'fields',
      empty: false,
      fields: [
        { name: 'id', shape: { scalars: ['string', 'number'] }, optional: false },
        { name: 'more', shape: { scalars: [], items: { scalars: ['number'] } }, optional: true },
        { name: 'note', shape: { scalars: ['null'] }, optional: true },
      ],
    });
  });

  test('an answer that says "nothing" by an empty object does not turn names into keys', () => {
    const names = { total: 1, page: 1, per_page: 1, items: 1, next: 1, previous: 1, query: 'q' };
    const merged = [{}, names, {}].map(shapeOf).reduce(merge);
    expect(merged.object).toMatchObject({ kind: 'fields', empty: true });
  });

  test('more kinds than a few are anything', () => {
    const values: Json[] = [1, 'a', true, [1], { id: 1 }];
    expect(values.slice(0, 4).map(shapeOf).reduce(merge)).not.toEqual(ANYTHING);
    expect(values.map(shapeOf).reduce(merge)).toEqual(ANYTHING);
  });
});

test('bounded() keeps as many levels of a large shape as it may', () => {
  const wide = (depth: number): Json =>
    depth === 0
      ? 1
      : Object.fromEntries([...'abcdefghijk'].map((letter, at) => [`${letter}y`, at ? wide(depth - 1) : 'x']));
  const shape = bounded(shapeOf(wide(4)));
  const size = encode(shape).match(/"scalars"/g)?.length ?? 0;
  expect(size).toBeLessThanOrEqual(NODES);
  expect(size).toBeGreaterThan(50);
});

test.each(['', 'null', '{}', '{"scalars":1}', '{"scalars":[],"object":{"kind":"fields"}}', '{"scalars":[],"items":3}'])(
  'decode() takes no shape from %s',
  (text) => expect(decode(text)).toBeUndefined(),
);

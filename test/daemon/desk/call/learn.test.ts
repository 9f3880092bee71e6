import { describe, expect, test } from 'vitest';
import { createShapes, type ShapeRow } from '../../../../daemon/catalog/shapes.ts';
import { createLearning, learnable } from '../../../../daemon/desk/call/learn.ts';
import type { Json, Tool, ToolResult } from '../../../../schema/tool.ts';
import { testListing } from '../../../helpers/listing.ts';

const text = (...texts: string[]): ToolResult => ({ content: texts.map((one) => ({ type: 'text', text: one })) });
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test.each<[string, ToolResult, Json | undefined]>([
  ['structuredContent', { content: [], structuredContent: { a: 1 } }, { a: 1 }],
  ['a JSON object as text', text(' {"a": 1}'), { a: 1 }],
  [
    'a JSON array in two parts',
    text('[1,', '2]'),
    {
      content: [
        { type: 'text', text: '[1,' },
        { type: 'text', text: '2]' },
      ],
    },
  ],
  ['plain text', text('12 files'), ''],
  ['text that only looks like JSON', text('[warning] none'), '[warning] none'],
  ['a JSON string', text('"x"'), ''],
  ['no text', { content: [] }, ''],
  ['an empty text', text(' \n'), ''],
  ['a number as structuredContent', { content: [], structuredContent: 3 }, 3],
  [
    'a picture beside JSON',
    { content: [{ type: 'text', text: '{}' }, { type: 'image' }] },
    { content: [{ type: 'text', text: '{}' }, { type: 'image' }] },
  ],
  ['an error', { ...text('{"a": 1}'), isError: true }, undefined],
  ['more than 256 KB of plain text', text('x'.repeat(262_145)), ''],
  ['more than 256 KB of JSON text', text(`["${'x'.repeat(262_144)}"]`), undefined],
  ['more than 256 KB of structure', { content: [], structuredContent: Array(80_000).fill(1000) }, undefined],
])('learnable() of %s', (_, result, value) => expect(learnable(result)).toEqual(value));

describe('createLearning()', () => {
  const tool: Tool = { name: 'get', description: 'Gets.', inputSchema: { type: 'object' } };
  const setUp = (options: { isOn?: () => boolean; kept?: ShapeRow[] } = {}) => {
    const { isOn = () => true, kept = [] } = options;
    const saved: ShapeRow[] = [];
    const removed: string[] = [];
    const shapes = createShapes({
      isOn,
      hashOf: JSON.stringify,
      load: () => kept,
      save: (row) => saved.push(row),
      remove: (_, name) => removed.push(name),
    });
    const observe = createLearning(shapes, () => {});
    const give = (value: Json, of = tool) =>
      observe({ key: 'k' } as never, { raw: of.name, script: of.name, tool: of }, text(JSON.stringify(value)));
    const listing = testListing('k', { tools: [tool] });
    return { shapes, saved, removed, give, listing, typeOf: () => shapes.observed(listing, 'full')?.get('get') };
  };

  test('learns after the turn, saves what is new, and gives the same map until then', async () => {
    const { shapes, saved, give, listing, typeOf } = setUp();
    expect(typeOf()).toBeUndefined();
    give({ id: 1 });
    expect(saved).toEqual([]);
    await turn();
    expect(typeOf()).toBe('{ id: number }');
    const first = shapes.observed(listing, 'full');
    give({ id: 2 });
    await turn();
    expect(shapes.observed(listing, 'full')).toBe(first);
    expect(saved).toHaveLength(1);
    give({ id: null });
    await turn();
    expect(typeOf()).toBe('{ id: number | null }');
    expect(saved).toHaveLength(2);
  });

  test('says text where there was text, beside what else there was, and at once', async () => {
    const { shapes, listing, saved } = setUp();
    const observe = createLearning(shapes, () => {});
    const answer = async (result: ToolResult) => {
      observe({ key: 'k' } as never, { raw: 'get', script: 'get', tool }, result);
      await turn();
      return shapes.observed(listing, 'full')?.get('get');
    };
    expect(await answer(text('nothing found'))).toBe('string');
    expect(await answer(text('{"id": 1}'))).toBe('string | { id: number }');
    expect(await answer({ content: [{ type: 'image', data: 'x' }] })).toBe(
      'string | { content?: { data: string; type: string }[]; id?: number }',
    );
    expect(saved.map(({ body }) => body).join()).not.toMatch(/nothing|image/);
  });

  test.each([
    ['text', text('{"id": 1}'), text('none'), 'string | { id: number }'],
    ['an object', text('none'), text('{"id": 1}'), 'string | { id: number }'],
  ])('is not too late for the first %s, however many results came before', async (_, common, rare, type) => {
    const { shapes, listing } = setUp();
    const observe = createLearning(shapes, () => {});
    for (const result of [...Array<ToolResult>(30).fill(common), rare, common]) {
      observe({ key: 'k' } as never, { raw: 'get', script: 'get', tool }, result);
      await turn();
    }
    expect(shapes.observed(listing, 'full')?.get('get')).toBe(type);
  });

  test('looks at the first 20 results, then at every 50th', async () => {
    const { give, saved } = setUp();
    const learnedAt: number[] = [];
    for (let call = 1; call <= 130; call += 1) {
      give({ [`n${String.fromCharCode(97 + (call % 26), 97 + Math.floor(call / 26))}`]: 1, always: true });
      await turn();
      if (saved.length > learnedAt.length) learnedAt.push(call);
    }
    expect(learnedAt).toEqual([...Array.from({ length: 20 }, (_, at) => at + 1), 70, 120]);
  });

  test('a row counts for its definition alone, and one that cannot be read counts for nothing', () => {
    const body = '{"scalars":[],"items":{"scalars":["string"]}}';
    const row = { key: 'k', tool: 'get', hash: JSON.stringify(tool), body };
    expect(setUp({ kept: [row] }).typeOf()).toBe('string[]');
    expect(setUp({ kept: [{ ...row, hash: 'of another' }] }).typeOf()).toBeUndefined();
    expect(setUp({ kept: [{ ...row, body: '{' }] }).typeOf()).toBeUndefined();
  });

  test('another definition begins anew; a dropped one is removed', async () => {
    const { shapes, give, removed, saved, typeOf } = setUp();
    give({ id: 1 });
    await turn();
    const changed = { ...tool, description: 'Gets more.' };
    give({ other: 'x' }, changed);
    await turn();
    expect(saved.at(-1)?.body).not.toContain('"id"');
    expect(typeOf()).toBeUndefined();
    const listing = testListing('k', { tools: [changed] });
    expect(shapes.observed(listing, 'signatures')?.get('get')).toBe('{ other: string }');
    shapes.forget('k', ['get', 'never']);
    expect(shapes.observed(listing, 'signatures')).toBeUndefined();
    expect(removed).toEqual(['get']);
  });

  test('leaves tools with an outputSchema alone, and all where it is off', async () => {
    const typed = { ...tool, outputSchema: { type: 'object' } };
    const { give, saved } = setUp();
    give({ id: 1 }, typed);
    await turn();
    expect(saved).toEqual([]);
    const off = setUp({ isOn: () => false, kept: [] });
    off.give({ id: 1 });
    await turn();
    expect(off.saved).toEqual([]);
    expect(off.typeOf()).toBeUndefined();
  });
});

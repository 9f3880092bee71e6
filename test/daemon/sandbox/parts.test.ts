import { describe, expect, test } from 'vitest';
import { createParts, NO_PART, partOf, TOO_LARGE, TOO_MANY } from '../../../daemon/sandbox/worker/parts.ts';
import { PART_LIMITS } from '../../../schema/part.ts';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

const data = Buffer.from('a picture of a lighthouse').toString('base64');
const image = { type: 'image', data, mimeType: 'image/png' };
/** Large texts take long on a busy machine. */
const SLOW = { limits: { timeoutMs: 50_000, totalMs: 55_000 } };
const SHOT = `const shot = ${JSON.stringify(image)};`;

describe('partOf()', () => {
  test.each([
    [image, image],
    [
      { ...image, extra: 1, annotations: { audience: ['user'], priority: 0.5, odd: 1 }, _meta: { a: 1 } },
      { ...image, annotations: { audience: ['user'], priority: 0.5 }, _meta: { a: 1 } },
    ],
    [{ ...image, annotations: 'loud', _meta: 7 }, image],
    [
      { ...image, data: 'QUJD\nREVG\r\n' },
      { ...image, data: 'QUJDREVG' },
    ],
    [
      { ...image, data: 'QUI' },
      { ...image, data: 'QUI=' },
    ],
    [
      { type: 'audio', data, mimeType: 'audio/wav' },
      { type: 'audio', data, mimeType: 'audio/wav' },
    ],
    [
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
      { type: 'resource', resource: { uri: 'a:b', text: '' } },
    ],
    [
      { type: 'resource', resource: { uri: 'a:b', blob: data, mimeType: 'x/y', z: 1 } },
      { type: 'resource', resource: { uri: 'a:b', blob: data, mimeType: 'x/y' } },
    ],
    [
      { type: 'resource_link', uri: 'a:b', name: 'n', size: 3, title: 4 },
      { type: 'resource_link', uri: 'a:b', name: 'n', size: 3 },
    ],
  ])('takes %j', (given, expected) => {
    expect(partOf(given)).toEqual(expected);
  });
  test.each([
    [{ ...image, data: 'no base64!' }],
    [{ ...image, data: 'A' }],
    [{ ...image, data: '====' }],
    [{ ...image, data: ' ' }],
    [{ ...image, mimeType: 'png' }],
    [{ type: 'resource', resource: { uri: 'a:b' } }],
    [{ type: 'resource', resource: { uri: 'a:b', blob: '%' } }],
    [{ type: 'resource_link', uri: 'a:b' }],
    [{ type: 'video', data, mimeType: 'video/mp4' }],
    [[image]],
    [null],
  ])('refuses %j', (given) => {
    expect(partOf(given)).toBeUndefined();
  });
});

test('createParts() numbers by type, sends what is held behind the next, and stops at its limits', () => {
  const sent: (readonly string[])[] = [];
  const parts = createParts((some) => sent.push(some));
  const json = JSON.stringify(image);
  const audio = JSON.stringify({ ...image, type: 'audio' });
  expect([parts.emit(json, false), parts.emit(json, true), parts.emit(audio, true)]).toEqual([1, 2, 1]);
  expect(sent).toEqual([[json]]);
  parts.emit('{"type":"text","text":"t"}', false);
  expect(sent[1]?.map((part) => JSON.parse(part).type)).toEqual(['text', 'image', 'audio']);
  expect(parts.held()).toEqual([]);
  expect(parts.emit('{"type":"image"}', false)).toBe(NO_PART);
  expect(parts.emit(JSON.stringify({ ...image, data: 'A'.repeat(PART_LIMITS.bytes) }), false)).toBe(TOO_LARGE);
  for (let count = 4; count < PART_LIMITS.parts; count += 1) expect(parts.emit(json, true)).toBeGreaterThan(0);
  expect(parts.emit(json, true)).toBe(TOO_MANY);
});

describe('R055: a script hands out', () => {
  const label = '[image 1: image/png, 25 B]';
  test.each([
    ['a part that it returns', 'shot', label],
    [
      'the parts of a whole result',
      '({ content: [{ type: "text", text: "t" }, shot] })',
      { content: [{ type: 'text', text: 't' }, label] },
    ],
    ['parts in a list', '[shot]', [label]],
    ['a part deep inside', '({ a: [{ b: new Map([[1, shot]]) }], n: 1 })', { a: [{ b: [[1, label]] }], n: 1 }],
    ['one part once, however often it stands there', '[shot, { shot }]', [label, { shot: label }]],
  ])('%s', async (_, script, value) => {
    const outcome = await run(`${SHOT} ${script}`);
    expect(resultOf(outcome)).toEqual(value);
    expect(outcome).toMatchObject({ parts: [image], emitted: [] });
  });

  test('what it emits, in order, and names it where it stands again', async () => {
    const outcome = await run(`${SHOT}
      emit('before'); emit(shot); emit({ content: [{ type: 'text', text: 'in' }, { ...shot, mimeType: 'image/gif' }] });
      emit([{ ...shot, type: 'audio', mimeType: 'audio/wav' }]); emit({ n: 12n, shot: { ...shot } }); emit(undefined);
      console.log('seen', shot, { ...shot }); console.log({ shot });
      return { shot, n: 1 };`);
    expect(outcome.emitted).toEqual([
      { type: 'text', text: 'before' },
      image,
      { type: 'text', text: 'in' },
      { ...image, mimeType: 'image/gif' },
      { type: 'audio', data, mimeType: 'audio/wav' },
      { type: 'text', text: '{"n":"12n","shot":"[image 3: image/png, 25 B]"}' },
      image,
      { type: 'text', text: 'undefined' },
    ]);
    expect(resultOf(outcome)).toEqual({ shot: label, n: 1 });
    expect(outcome).toMatchObject({ parts: [] });
    expect(outcome.logs).toEqual([`seen ${label} [image: image/png, 25 B]`, `{"shot":"${label}"}`]);
  });

  test('what it emitted before it failed, threw a part or hung', async () => {
    const thrown = await run(`${SHOT} emit(shot); throw shot`);
    expect(errorOf(thrown).message).toBe(`"${label}"`);
    expect(thrown.emitted).toEqual([image]);
    const hung = await run(`${SHOT} emit(shot); Array(1e9).join()`, { limits: { timeoutMs: 300 } });
    expect(errorOf(hung).name).toBe('TimeoutError');
    expect(hung.emitted).toEqual([image]);
  });

  test('no malformed part: that is a value like any other', async () => {
    const odd = { ...image, data: '%%%' };
    const bare = { type: 'image', data };
    const script = `emit(${JSON.stringify(odd)}); emit([${JSON.stringify(image)}, ${JSON.stringify(odd)}]); return ${JSON.stringify([odd, bare])}`;
    const outcome = await run(script);
    expect(resultOf(outcome)).toEqual([odd, bare]);
    expect(outcome.emitted).toEqual([
      { type: 'text', text: JSON.stringify(odd) },
      image,
      { type: 'text', text: JSON.stringify(odd) },
    ]);
  });

  test('no more than it may: emit() throws, and a value says so in the place of the part', async () => {
    const outcome = await run(`${SHOT}
      let error; try { for (let at = 0; at < 100; at++) emit({ ...shot }); } catch (caught) { error = caught }
      return { error: String(error), more: { ...shot }, rest: 1 }`);
    expect(outcome.emitted).toHaveLength(PART_LIMITS.parts);
    expect(resultOf(outcome)).toEqual({
      error: 'LimitError: emit: a run may give its agent 64 parts, which are given already; return or emit less',
      more: '[image: image/png, 25 B; not shown: a run may give its agent 64 parts, which are given already]',
      rest: 1,
    });
    const large = await run(`emit({ type: 'image', mimeType: 'image/png', data: 'A'.repeat(9 * 1024 * 1024) })`, SLOW);
    expect(errorOf(large)).toMatchObject({
      name: 'LimitError',
      message: expect.stringContaining('8 MiB of parts in all'),
      line: 1,
    });
  });

  test('a part of 5 MB, whatever the script did to the built-ins', async () => {
    const outcome = await run(
      `
      Map.prototype.get = Array.prototype.push = () => { throw new Error('patched') };
      JSON.stringify = () => { throw new Error('patched') };
      return { type: 'image', mimeType: 'image/png', data: 'A'.repeat(5_000_000) }`,
      SLOW,
    );
    expect(resultOf(outcome)).toBe('[image 1: image/png, 3.6 MB]');
    expect(outcome).toMatchObject({ parts: [{ data: expect.stringMatching(/^A{1000}/) }] });
  });
});

import { describe, expect, test } from 'vitest';
import { answerOf, shownText } from '../../../../daemon/surface/execute/outcome.ts';
import type { ScriptOutcome } from '../../../../daemon/surface/ports.ts';
import type { Content, Json, ToolResult } from '../../../../schema/tool.ts';

const text = (one: string): Content => ({ type: 'text', text: one });
const image = (data = 'QUJD'): Content => ({ type: 'image', data, mimeType: 'image/png' });
const resource = (one: string): Content => ({ type: 'resource', resource: { uri: 'a:b', text: one } });
const LABEL = '[image 1: image/png, 3 B]';

const answer = (outcome: ScriptOutcome, limit = 1000, trace?: readonly string[]) => {
  const kept = new Map<string, Json>();
  const keep = (runId: string, body: string) => body.length < 50_000 && Boolean(kept.set(runId, JSON.parse(body)));
  const result = answerOf(outcome, { runId: 'r12', limit, keep, ...(trace && { trace }) });
  return { result, kept: kept.get('r12'), content: result.content };
};
const done = (
  value: Json | undefined,
  more: Partial<ScriptOutcome & { parts: readonly Content[] }> = {},
): ScriptOutcome => ({ ok: true, value, logs: [], ...more }) as ScriptOutcome;
const failed = (more: Partial<ScriptOutcome> = {}): ScriptOutcome =>
  ({ ok: false, error: { name: 'TypeError', message: 'no', line: 2, column: 5 }, logs: [], ...more }) as ScriptOutcome;

const textsOf = ({ content }: ToolResult): string =>
  content.map((part) => part.text ?? (part['resource'] as { text?: string } | undefined)?.text ?? '').join('');

describe('answerOf()', () => {
  test('gives emitted parts, the value, its parts and the console, in this order', () => {
    const outcome = done(
      { a: LABEL },
      { parts: [image()], emitted: [text('first'), image('REVG')], logs: ['one', 'two'] },
    );
    expect(answer(outcome).result).toEqual({
      content: [text('first'), image('REVG'), text(`{"a":"${LABEL}"}`), image(), text('console:\none\ntwo')],
    });
  });
  test('shows `undefined` by name, but not behind what was emitted', () => {
    expect(answer(done(undefined)).content).toEqual([text('undefined')]);
    expect(answer(done(undefined, { emitted: [image()] })).content).toEqual([image()]);
  });
  test('R046: a text that says Error is a success; a failure has its sentence first, then all that was shown', () => {
    expect(answer(done('Error: fine')).result).toEqual({ content: [text('Error: fine')] });
    expect(answer(failed({ emitted: [image()], logs: ['seen'] }), 1000, ['files.read 3 ms ok']).result).toEqual({
      content: [text('TypeError: no (line 2, column 5)'), image(), text('console:\nseen'), text('files.read 3 ms ok')],
      isError: true,
    });
  });
  test('keeps nothing that fits', () => {
    expect(answer(done('x'.repeat(1000))).kept).toBeUndefined();
  });

  test.each([
    ['a text', 'line\n'.repeat(2000)],
    ['a list', Array.from({ length: 900 }, (_, id) => ({ id }))],
    ['an object', { rows: Array.from({ length: 900 }, (_, id) => ({ id })), next: 7 }],
  ])('cuts %s to the limit and keeps all of it', (_, value) => {
    const { result, kept } = answer(done(value, { logs: ['a', 'b'.repeat(900)] }));
    expect(textsOf(result).length).toBeLessThanOrEqual(1000);
    expect(textsOf(result).length).toBeGreaterThan(700);
    expect(result.content[0]?.text).toMatch(
      /\n… cut: [\d,]+ of [\d,]+ (items|characters).* are shown\. `await metad\.result\("r12"\)` in a later script has it all\.$/,
    );
    expect(result.content[1]?.text).toMatch(/^console:\na\nb+/);
    expect(kept).toEqual(value);
  });
  test('says so where it is too large to be kept', () => {
    const { content, kept } = answer(done('x'.repeat(60_000)));
    expect(content[0]?.text).toMatch(
      /cut: [\d,]+ of 60,000 characters are shown\. With 0\.1 MiB it is too large to be kept/,
    );
    expect(kept).toBeUndefined();
  });
  test('cuts what was emitted too, texts of resources included, and keeps that beside the value', () => {
    const long = 'y'.repeat(3000);
    const { result, kept } = answer(done('short', { emitted: [text(long), image(), resource(long), text('z')] }));
    expect(textsOf(result).length).toBeLessThanOrEqual(1000);
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image', 'resource', 'text', 'text']);
    expect(result.content[1]).toEqual(image());
    expect(textsOf({ content: result.content.slice(2, 3) })).toMatch(
      /^y+\n… cut: .* has it all, as `{ value, emitted }`\.$/,
    );
    expect(result.content.slice(3)).toEqual([text('z'), text('short')]);
    expect(kept).toEqual({ value: 'short', emitted: [long, resource(long), 'z'] });
  });
  test('cuts a long error, console and trace; the value keeps three quarters', () => {
    const logs = Array.from({ length: 400 }, (_, at) => `line ${at}`);
    const error = { name: 'ToolError', message: 'm'.repeat(5000) };
    const { result } = answer(failed({ error, logs } as never), 1000, logs);
    expect(textsOf(result).length).toBeLessThanOrEqual(1000);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toMatch(/^ToolError: m+\n… cut: [\d,]+ of 5,011 characters are shown\.$/);
    expect(result.content[1]?.text).toMatch(/^console:\n/);
    expect(result.content[1]?.text).toMatch(/line 399$/);
    const value = answer(done('v'.repeat(5000), { logs })).content[0]?.text ?? '';
    expect(value.length).toBeGreaterThan(550);
  });
  test('stays within any limit', () => {
    const outcome = done(
      Array.from({ length: 500 }, (_, id) => ({ id })),
      {
        emitted: Array.from({ length: 30 }, () => text('e'.repeat(300))),
        logs: ['l'.repeat(3000)],
      },
    );
    for (const limit of [1, 50, 200, 400, 1000, 5000]) {
      expect(textsOf(answer(outcome, limit).result).length).toBeLessThanOrEqual(limit);
      expect(
        textsOf(
          answer({ ...outcome, ok: false, error: { name: 'E', message: 'x'.repeat(900) } } as never, limit).result,
        ).length,
      ).toBeLessThanOrEqual(limit);
    }
  });
});

test('shownText() shows parts by their labels, once', () => {
  const content = [
    text('a'),
    image('REVG'),
    text('{"x":"[image 2: image/png, 3 B]"}'),
    image(),
    { type: 'resource_link', uri: 'a:b', name: 'n' },
  ];
  expect(shownText({ content })).toBe(
    'a\n[image 1: image/png, 3 B]\n{"x":"[image 2: image/png, 3 B]"}\n[resource link 1: a:b, n]',
  );
});

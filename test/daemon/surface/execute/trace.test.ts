import { expect, test } from 'vitest';
import { endOf, failedEnd, traceLines } from '../../../../daemon/surface/execute/trace.ts';
import type { TraceEntry } from '../../../../daemon/surface/ports.ts';
import { MetadError } from '../../../../schema/errors.ts';

const entry = (change: Partial<TraceEntry> = {}): TraceEntry => ({
  server: 'files',
  tool: 'read-file',
  ms: 12.4,
  outcome: 'ok',
  bytes: 3174,
  ...change,
});

test('traceLines() has one line a call, and none without calls', () => {
  expect(traceLines([])).toEqual([]);
  expect(
    traceLines([
      entry(),
      entry({ outcome: 'error', ms: 1400, error: 'no such file' }),
      entry({ outcome: 'running', ms: null }),
      entry({ outcome: 'cancelled', arguments: '{"a":1}' }),
    ]),
  ).toEqual([
    'calls made: 4, 3 not ok',
    'ok files.read-file 12 ms 3.1 KB',
    'error files.read-file 1.4 s: no such file',
    'running files.read-file',
    'cancelled files.read-file {"a":1} 12 ms',
  ]);
});

test('traceLines() counts the middle of a long trace', () => {
  const lines = traceLines(Array.from({ length: 1000 }, (_, at) => entry({ outcome: at === 500 ? 'error' : 'ok' })));
  expect(lines).toHaveLength(42);
  expect(lines[0]).toBe('calls made: 1000, 1 not ok');
  expect(lines[16]).toBe('… 960 more, 1 of them not ok …');
});

test('traceLines() keeps what servers say on its line, short and visible', () => {
  const error = `no\u202e \u001b[2J${'x'.repeat(500)}`;
  const [, line = ''] = traceLines([entry({ outcome: 'error', tool: 'a\nok b', error })]);
  expect(line).toMatch(/^error files\.a ok b 12 ms: no x+…$/);
  expect(line.length).toBeLessThan(200);
});

test('endOf() measures what a result holds, and quotes what failed', () => {
  const text = (value: string) => ({ type: 'text', text: value });
  expect(endOf({ content: [text('é'), { type: 'image', data: 'AAAA' }] })).toEqual({ outcome: 'ok', bytes: 6 });
  expect(endOf({ content: [], structuredContent: { a: 1 } })).toEqual({ outcome: 'ok', bytes: 7 });
  expect(endOf({ content: [{ type: 'resource', resource: { blob: 'AAAAAAAA' } }] })).toEqual({
    outcome: 'ok',
    bytes: 8,
  });
  expect(endOf({ content: [text('no')], isError: true })).toEqual({ outcome: 'error', bytes: 2, error: 'no' });
});

test('failedEnd() tells time-outs and cancels from the rest', () => {
  const { signal } = new AbortController();
  expect(failedEnd(new MetadError('timeout', 'late'), signal)).toMatchObject({ outcome: 'timeout', error: 'late' });
  expect(failedEnd(new MetadError('cancelled', 'x'), signal)).toEqual({ outcome: 'cancelled', bytes: 0 });
  expect(failedEnd(new Error('broke'), AbortSignal.abort())).toEqual({ outcome: 'cancelled', bytes: 0 });
  expect(failedEnd(new Error('broke'), signal)).toMatchObject({ outcome: 'error', error: 'broke' });
});

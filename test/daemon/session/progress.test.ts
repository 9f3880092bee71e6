import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startProgress } from '../../../daemon/session/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Report {
  readonly progressToken: string;
  readonly progress: number;
  readonly message: string;
}

const start = (progressToken?: string) => {
  const sent: Report[] = [];
  const context = {
    mcpReq: {
      _meta: progressToken === undefined ? undefined : { progressToken },
      notify: async ({ params }: { params: Report }) => void sent.push(params),
    },
  } as unknown as ServerContext;
  return { sent, ...startProgress(context, () => {}) };
};

test('startProgress() says nothing without a token', () => {
  const { sent, report, stop } = start();
  expect(report).toBeUndefined();
  vi.advanceTimersByTime(60_000);
  expect(sent).toEqual([]);
  stop();
});

test('startProgress() sends each step under the token, and the value always grows', () => {
  const { sent, report, stop } = start('t');
  for (const done of [1, 2, 2, 1, 7]) report?.(done, `step ${done}`);
  vi.advanceTimersByTime(11_000);
  expect(sent).toHaveLength(7);
  for (const [at, { progress, progressToken }] of sent.entries()) {
    expect(progressToken).toBe('t');
    expect(progress).toBeGreaterThan(sent[at - 1]?.progress ?? 0);
  }
  expect(sent.at(-1)?.message).toBe('step 7');
  stop();
});

test('startProgress() is never silent for more than 5 s, until stopped', () => {
  const { sent, report, stop } = start('t');
  vi.advanceTimersByTime(4_900);
  expect(sent).toHaveLength(0);
  vi.advanceTimersByTime(100);
  expect(sent).toHaveLength(1);
  vi.advanceTimersByTime(3_000);
  report?.(1, 'a step');
  vi.advanceTimersByTime(4_900);
  expect(sent).toHaveLength(2);
  vi.advanceTimersByTime(100);
  expect(sent).toHaveLength(3);
  stop();
  vi.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

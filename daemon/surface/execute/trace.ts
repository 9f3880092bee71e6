// The calls of a run as an agent reads them: one line each, the middle left out where there are many.
import { MetadError, messageOf } from '../../../schema/errors.ts';
import { cleanText, oneLine } from '../../../schema/text.ts';
import { isObject, type ToolResult } from '../../../schema/tool.ts';
import type { CallEnd } from '../../run/contract.ts';
import { textOf } from '../answer.ts';
import type { TraceEntry } from '../ports.ts';

const FIRST = 15;
const LAST = 25;
/** Characters of each part of a line: forty lines must leave room for the error itself. */
const NAME = 120;
const ARGUMENTS = 100;
const ERROR = 160;

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** `512 B`, `3.1 KB`. */
const sizeText = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
};

/** `12 ms`, `1.4 s`. */
const timeText = (ms: number): string => (ms < 999.5 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** A server's text on one line, with nothing in it that hides or runs on. */
const shown = (text: string, limit: number): string => {
  const line = oneLine(cleanText(text).text);
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
};

const lineOf = ({ server, tool, ms, outcome, bytes, error, arguments: args }: TraceEntry): string => {
  const parts = [
    outcome,
    shown(`${server}.${tool}`, NAME),
    args === undefined ? undefined : shown(args, ARGUMENTS),
    ms === null ? undefined : timeText(ms),
    outcome === 'ok' ? sizeText(bytes) : undefined,
  ];
  return `${parts.filter((part) => part !== undefined).join(' ')}${error === undefined ? '' : `: ${shown(error, ERROR)}`}`;
};

/** One line a call, at most about forty, under a line with their number; nothing for no calls. */
export const traceLines = (entries: readonly TraceEntry[]): readonly string[] => {
  if (entries.length === 0) return [];
  const bad = entries.filter(({ outcome }) => outcome !== 'ok').length;
  const head = `calls made: ${entries.length}${bad === 0 ? ', all ok' : `, ${bad} not ok`}`;
  if (entries.length <= FIRST + LAST) return [head, ...entries.map(lineOf)];
  const middle = entries.slice(FIRST, -LAST);
  const badThere = middle.filter(({ outcome }) => outcome !== 'ok').length;
  return [
    head,
    ...entries.slice(0, FIRST).map(lineOf),
    `… ${middle.length} more, ${badThere === 0 ? 'all ok' : `${badThere} of them not ok`} …`,
    ...entries.slice(-LAST).map(lineOf),
  ];
};

const bytesIn = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** Bytes of a result's texts and of its base64 as it was sent; of structured content where there is nothing else. */
const bytesOf = ({ content, structuredContent }: ToolResult): number =>
  content.length === 0 && structuredContent !== undefined
    ? bytesIn(JSON.stringify(structuredContent))
    : content.reduce((sum, { text, data, resource }) => {
        const inner = isObject(resource) ? bytesIn(resource['text']) + bytesIn(resource['blob']) : 0;
        return sum + bytesIn(text) + bytesIn(data) + inner;
      }, 0);

export const endOf = (result: ToolResult): CallEnd => ({
  outcome: result.isError ? 'error' : 'ok',
  bytes: bytesOf(result),
  ...(result.isError && { error: textOf(result) }),
});

export const failedEnd = (error: unknown, signal: AbortSignal): CallEnd => {
  const code = error instanceof MetadError ? error.code : undefined;
  if (signal.aborted || code === 'cancelled') return { outcome: 'cancelled', bytes: 0 };
  return { outcome: code === 'timeout' ? 'timeout' : 'error', bytes: 0, error: messageOf(error) };
};

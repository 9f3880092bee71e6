// What a successful call teaches about its tool's return type, once whoever waits has the result.
import { messageOf } from '../../schema/errors.ts';
import type { Json, ToolResult } from '../../schema/tool.ts';
import type { Shapes } from '../catalog/shapes.ts';
import type { NamedTool, ViewServer } from '../catalog/view.ts';
import type { Log } from '../log.ts';
import { onlyText, unwrap } from '../surface/answer.ts';

export type Observe = (server: ViewServer, tool: NamedTool, result: ToolResult) => void;

/** Larger results are not looked at, in UTF-16 units of their text. */
const LARGEST = 256 * 1024;

/** How much of `room` is left beside a value's texts and commas; below 0 as soon as it does not fit. */
const roomAfter = (value: Json, room: number): number => {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 4;
  let left = room - 2;
  for (const [key, inner] of Object.entries(value)) {
    if (left < 0) break;
    left = roomAfter(inner, left - (Array.isArray(value) ? 1 : key.length + 4));
  }
  return left;
};

export const isSmall = ({ content, structuredContent }: ToolResult): boolean =>
  structuredContent === undefined
    ? content.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) <= LARGEST
    : roomAfter(structuredContent, LARGEST) >= 0;

/** What a script got, where that is an object or array of the tool's own: no plain text, no `{ content }` of ours. */
export const learnable = (result: ToolResult): Json | undefined => {
  const isValue = result.structuredContent !== undefined || onlyText(result) !== undefined;
  if (result.isError || !isValue || !isSmall(result)) return undefined;
  const value = unwrap(result);
  return typeof value === 'object' && value !== null ? value : undefined;
};

export const createLearning =
  (shapes: Shapes, log: Log): Observe =>
  ({ key }, { raw, tool }, result) => {
    if (!shapes.isDue(key, tool)) return;
    setImmediate(() => {
      try {
        const value = learnable(result);
        if (value !== undefined) shapes.learn(key, tool, value);
      } catch (error) {
        log('shape.failed', { tool: raw, error: messageOf(error) });
      }
    });
  };

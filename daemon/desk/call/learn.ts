// What a successful call teaches about its tool's return type, once whoever waits has the result.
import { messageOf } from '../../../schema/errors.ts';
import type { Json, ToolResult } from '../../../schema/tool.ts';
import type { Shapes } from '../../catalog/shapes.ts';
import type { NamedTool, ViewServer } from '../../catalog/view.ts';
import type { Log } from '../../log.ts';
import { onlyText, unwrap } from '../../surface/answer.ts';

export type Observe = (server: ViewServer, tool: NamedTool, result: ToolResult) => void;

/** Longer texts are not parsed, and larger structures not looked at; in UTF-16 units without the strings' own. */
const LARGEST = 256 * 1024;

/** How much of `room` is left beside a value, whose strings cost nothing to tell; below 0 as soon as it does not fit. */
const roomAfter = (value: Json, room: number): number => {
  if (typeof value !== 'object' || value === null) return room - 4;
  let left = room - 2;
  for (const [key, inner] of Object.entries(value)) {
    if (left < 0) break;
    left = roomAfter(inner, left - (Array.isArray(value) ? 1 : key.length + 4));
  }
  return left;
};

/** Does a script get it as a text, parsed or not? */
const isText = (result: ToolResult): boolean =>
  result.structuredContent === undefined && onlyText(result) !== undefined;

/** Whether a script gets a plain text, told without parsing; may be false where it does all the same. */
const isPlain = (result: ToolResult): boolean => isText(result) && !/^\s*[[{]/.test(onlyText(result) ?? '');

export const isSmall = (result: ToolResult): boolean =>
  isText(result)
    ? (onlyText(result) ?? '').length <= LARGEST
    : roomAfter(result.structuredContent ?? (result.content as readonly Json[]), LARGEST) >= 0;

/** What a script got, or another value of the same shape; undefined where there is none or it is too large to look at. */
export const learnable = (result: ToolResult): Json | undefined => {
  if (result.isError) return undefined;
  if (isPlain(result)) return '';
  return isSmall(result) ? unwrap(result) : undefined;
};

export const createLearning =
  (shapes: Shapes, log: Log): Observe =>
  ({ key }, { raw, tool }, result) => {
    if (!shapes.isDue(key, tool, isPlain(result))) return;
    setImmediate(() => {
      try {
        const value = learnable(result);
        if (value !== undefined) shapes.learn(key, tool, value);
      } catch (error) {
        log('shape.failed', { tool: raw, error: messageOf(error) });
      }
    });
  };

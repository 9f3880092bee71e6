// Results in the one form that every agent shows: text parts, isError where something failed.
import { partLabel } from '../../schema/part.ts';
import type { Content, Json, ToolResult } from '../../schema/tool.ts';

export const textPart = (text: string): Content => ({ type: 'text', text });

export const answer = (...texts: readonly (string | undefined)[]): ToolResult => ({
  content: texts.filter((text) => text !== undefined).map(textPart),
});

export const failure = (...texts: readonly (string | undefined)[]): ToolResult => ({
  ...answer(...texts),
  isError: true,
});

/** A value of a script as an agent reads it: a string as it is, `undefined` by name, the rest as JSON. */
export const readable = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? 'undefined' : JSON.stringify(value);

/** What a call gives to whoever reads it as one value (issue: scripts, `call_tool` on text-only agents). */
export class ToolFailure extends Error {
  override readonly name = 'ToolError';
}

/** A result as one text: a part that is none stands there by its label. */
export const textOf = ({ content }: Pick<ToolResult, 'content'>): string =>
  content.map((part) => (part.type === 'text' ? (part.text ?? '') : partLabel(part))).join('\n');

const parsed = (text: string): Json => {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};

/**
 * What a script gets from a call. One rule: structuredContent; else, if all parts are text, the text, parsed when it is
 * a JSON object or array; else `{content}`.
 * @throws ToolFailure with the server's own text where the result says `isError`.
 */
export const unwrap = (result: ToolResult): Json => {
  const content = result.content ?? [];
  if (result.isError) {
    const said = textOf({ content }).trim();
    throw new ToolFailure(said || 'The tool failed and gave no text.');
  }
  if (result.structuredContent !== undefined) return result.structuredContent;
  if (content.every((part) => part.type === 'text')) return parsed(textOf({ content }));
  return { content: content as readonly Json[] };
};

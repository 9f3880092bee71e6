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

/** A tool said that it failed: its text is the message, `content` all that it sent. */
export class ToolFailure extends Error {
  override readonly name = 'ToolError';
  readonly content: readonly Content[];

  constructor(message: string, content: readonly Content[]) {
    super(message);
    this.content = content;
  }
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

/** The text of a result that is nothing but one text. A result without any part is the empty one. */
export const onlyText = ({ content }: Pick<ToolResult, 'content'>): string | undefined => {
  const [first] = content;
  if (first === undefined) return '';
  return content.length === 1 && first.type === 'text' ? (first.text ?? '') : undefined;
};

/**
 * What a script gets from a call. One rule: structuredContent; else the text of a result that is one text part, parsed
 * where it is a JSON object or array; else, for several parts or one that is no text, `{content}` with the parts as sent.
 * @throws ToolFailure with the server's own text where the result says `isError`.
 */
export const unwrap = (result: ToolResult): Json => {
  const content = result.content ?? [];
  if (result.isError) {
    const said = textOf({ content }).trim();
    throw new ToolFailure(said || 'The tool failed and gave no text.', content);
  }
  if (result.structuredContent !== undefined) return result.structuredContent;
  const text = onlyText({ content });
  return text === undefined ? { content: content as readonly Json[] } : parsed(text);
};

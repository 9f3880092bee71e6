// Text that servers wrote, made safe to show: it is data, and nothing in it may hide, end a comment or fill a context.

export interface Cleaned {
  readonly text: string;
  /** Control and invisible characters that were taken out. */
  readonly removed: number;
  /** Characters cut off at the limit. */
  readonly cut: number;
}

const ORDINARY = /^[\n\x20-\x7e]*$/;
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;
// A terminal's colour codes go whole: without their ESC they would stay behind as `[31m`.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// Cf is the whole class of format characters (zero-width, bidi, tags). The others print as nothing too, or choose a glyph
// and can so carry hidden data.
const UNSEEN = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\uffa0\ufe00-\ufe0f\ufff0-\ufff8\u{e0000}-\u{e0fff}\p{Cf}`;
const REMOVED = new RegExp(`[${UNSEEN}\\p{Cc}\\p{Cs}]`, 'gu');
const ESCAPED = new RegExp(`[${UNSEEN}\\u007f-\\u009f\\u2028\\u2029]`, 'gu');
// U+200C and U+200D join letters of these scripts.
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]$/u;
const PICTURE = /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9]|\p{Extended_Pictographic}\ufe0f)$/u;

/** Whether the joiner or glyph choice at `at` is part of what a person sees: one between joining letters, or in an emoji. */
const belongs = (mark: string, text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 3), at);
  if (mark === '\ufe0e' || mark === '\ufe0f') return PICTURE.test(before) && !/[\ufe0e\ufe0f]$/.test(before);
  if (mark !== '\u200c' && mark !== '\u200d') return false;
  const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 32);
  if (mark === '\u200d' && PICTURE.test(before)) return /\p{Extended_Pictographic}/u.test(next);
  return JOINING.test(before) && /[\p{L}\p{M}]/u.test(next);
};

/**
 * Server text for people and models: line ends become `\n`, control, zero-width, bidi, tag and other invisible characters
 * go (counted), lone surrogates become U+FFFD, and what is over `limit` UTF-16 units is cut with a note in its place.
 */
export const cleanText = (raw: string, limit = Number.POSITIVE_INFINITY): Cleaned => {
  const whole = raw.length;
  const kept = whole > limit ? raw.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : raw;
  const cut = whole - kept.length;
  const note = cut > 0 ? ` … (${cut} more characters cut)` : '';
  if (ORDINARY.test(kept)) return { text: kept + note, removed: 0, cut };
  let removed = 0;
  const text = kept
    .replace(LINE_ENDS, '\n')
    .replace(ESCAPES, (sequence) => {
      removed += sequence.length;
      return '';
    })
    .replace(REMOVED, (mark, at: number, line: string) => {
      if (mark === '\n' || belongs(mark, line, at)) return mark;
      if (mark === '\t') return ' ';
      if (/\p{Cs}/u.test(mark)) return '\ufffd';
      removed += 1;
      return '';
    });
  return { text: text + note, removed, cut };
};

/** Cleaned text for the inside of a block comment: it cannot end the comment. */
export const commentText = (text: string): string => text.replaceAll('*/', '*\\/');

// What a description of a tool has no reason to say: orders about other tools, secrecy, or the rules the model already has.
const ORDERS = [
  /\b(?:before|prior to|instead of) (?:using|calling|invoking) (?:any|every|all|another|other) (?:other )?tools?\b/i,
  /\b(?:ignore|disregard|override|forget) (?:all |any |the |your )*(?:previous|prior|earlier|above|system) (?:instructions?|rules|prompts?)/i,
  /\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|notify|notifying)\b.{0,30}\buser\b/i,
  /<\/?(?:important|system|secret|hidden)>/i,
  /\btools? of (?:the )?(?:server|mcp)\b.{0,60}\b(?:first|before|must)\b/i,
];

/** The part of a server's text that speaks to the model rather than of the tool, cut short; a person should look at it. */
export const suspiciousPart = (text: string): string | undefined => {
  const sample = text.slice(0, 20_000);
  const found = ORDERS.map((pattern) => pattern.exec(sample)).find((match) => match !== null);
  return found === undefined || found === null ? undefined : oneLine(sample.slice(found.index, found.index + 80));
};

/** Cleaned text as one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

// An end of sentence: a mark, then space and something that may begin one. `e.g. x` and `v1.2` are none.
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no))[.!?](?=\s+[^\sa-z])|[。！？]/;

/** The first sentence of a text, on one line, cut at a word within `limit` characters with `…`. */
export const firstSentence = (text: string, limit: number): string => {
  const paragraph = text.trim().split(/\n\s*\n|\n(?=\s*(?:[-*#•]|\d+[.)]))/, 1)[0] ?? '';
  const line = oneLine(paragraph.slice(0, limit * 4 + 200));
  const end = SENTENCE_END.exec(line);
  const sentence = (end === null ? line : line.slice(0, end.index)).replace(/[.:;,]+$/, '');
  if (sentence.length <= limit) return sentence;
  const short = sentence.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
  const space = short.lastIndexOf(' ');
  return `${(space > limit / 2 ? short.slice(0, space) : short).replace(/[\s.:;,(]+$/, '')}…`;
};

/** A string as a TypeScript literal in double quotes; what cannot be seen is escaped, so the value stays exact. */
export const quote = (value: string): string =>
  JSON.stringify(value).replace(ESCAPED, (mark) =>
    mark.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

// From what became of a script to what the agent is shown: value, parts, console, errors, within the cap.
import { partLabel } from '../../../schema/part.ts';
import type { Content, Json, ToolResult } from '../../../schema/tool.ts';
import { readable, textPart } from '../answer.ts';
import type { ScriptError, ScriptOutcome } from '../ports.ts';
import { cutMiddle, cutText, cutValue, shares } from './cut.ts';

export interface AnswerOptions {
  /** `r12`: under this name the whole of what was cut is kept. */
  readonly runId: string;
  /** Characters of all text in the answer. */
  readonly limit: number;
  /** Keeps JSON under the run's name. False where it is too large for that. */
  readonly keep: (runId: string, body: string) => boolean;
  /** Lines on the calls that a failed run had made. */
  readonly trace?: readonly string[];
}

/** `TypeError: x is not a function (line 2, column 5)` */
export const describe = ({ name, message, line, column }: ScriptError): string => {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return `${name}: ${message}${place}`;
};

export const logsOf = ({ logs }: Pick<ScriptOutcome, 'logs'>): string | undefined =>
  logs.length === 0 ? undefined : `console:\n${logs.join('\n')}`;

/** Of the cap, console output and trace may always have this much. */
const ASIDE = 4;

/** The text of a part that counts towards the cap; undefined for one that holds none. */
const textIn = ({ type, text, resource }: Content): string | undefined => {
  if (type === 'text') return text;
  const inner = (resource as { readonly text?: Json } | undefined)?.text;
  return typeof inner === 'string' ? inner : undefined;
};

const withText = (part: Content, text: string): Content =>
  part.type === 'text' ? { ...part, text } : { ...part, resource: { ...Object(part['resource']), text } };

/** One piece of the answer: a part as it is, or a text that may have to be cut. */
interface Piece {
  readonly part: Content;
  /** Undefined where nothing of it counts. */
  readonly text: string | undefined;
  /** In at most so many characters; `shown` says how much that is. */
  readonly cut: (room: number) => { readonly text: string; readonly shown: string };
}

const pieceOf = (part: Content): Piece => {
  const text = textIn(part);
  return { part, text, cut: (room) => cutText(text ?? '', room) };
};
const valuePiece = (value: Json | undefined): Piece => {
  const text = readable(value);
  return {
    part: textPart(text),
    text,
    cut: (room) => (value === undefined ? cutText(text, room) : cutValue(value, text, room)),
  };
};
const asidePiece = (text: string): Piece => ({
  part: textPart(text),
  text,
  cut: (room) => ({ text: cutMiddle(text, room), shown: '' }),
});

const lengthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);

const MIB = 1024 * 1024;
const sizeOf = (body: string): string => `${(Buffer.byteLength(body) / MIB).toFixed(1)} MiB`;

/** What is kept: the value alone where nothing else was cut. */
const wholeOf = (value: Json | undefined, emitted: readonly Piece[], isEmittedCut: boolean): Json => {
  if (!isEmittedCut) return value ?? null;
  const texts = emitted.map(({ part, text }) => (part.type === 'text' ? (text ?? '') : (part as Json)));
  return { ...(value !== undefined && { value }), emitted: texts };
};

/** The longest line that `cutNote` makes, so that there is room for it. */
const NOTE = 260;

const cutNote = (shown: string, whole: Json, { runId, keep }: AnswerOptions): string => {
  const body = JSON.stringify(whole);
  const form = typeof whole === 'object' && whole !== null && 'emitted' in whole ? ', as `{ value, emitted }`' : '';
  return keep(runId, body)
    ? `… cut: ${shown} are shown. \`await metad.result("${runId}")\` in a later script has it all${form}.`
    : `… cut: ${shown} are shown. With ${sizeOf(body)} it is too large to be kept: return less, or filter in the script.`;
};

/** Pieces within the room, with the note behind the last one that was cut. */
const cutPieces = (
  main: readonly Piece[],
  room: number,
  noteOf: (shown: string, cut: ReadonlySet<Piece>) => string | undefined,
): readonly Content[] => {
  const given = shares(
    main.map(({ text }) => text?.length ?? 0),
    // Behind each other piece that is cut stands a mark of two characters.
    room - NOTE - 2 * main.length,
  );
  const cut = new Map<Piece, { text: string; shown: string }>();
  main.forEach((piece, at) => {
    if (piece.text !== undefined && (given[at] ?? 0) < piece.text.length) cut.set(piece, piece.cut(given[at] ?? 0));
  });
  const last = [...cut.keys()].at(-1);
  const note = last && noteOf(cut.get(last)?.shown ?? '', new Set(cut.keys()));
  return main.map((piece) => {
    const shorter = cut.get(piece);
    if (shorter === undefined) return piece.part;
    const more = piece === last && note !== undefined ? `\n${note}` : '\n…';
    return withText(piece.part, `${shorter.text}${more}`);
  });
};

/** No text beyond the limit, whatever the sums above came to: for limits so small that not even the notes fit. */
const bounded = (content: readonly Content[], limit: number): readonly Content[] => {
  let left = limit;
  return content.map((part) => {
    const text = textIn(part);
    if (text === undefined) return part;
    const kept = text.length <= left ? text : cutText(text, left).text;
    left -= kept.length;
    return kept === text ? part : withText(part, kept);
  });
};

/**
 * A run's outcome as a tool result. In order: what was emitted, the value with a label for each content part in it,
 * those parts, the console; of a failed run the error first, and the trace last. All its text together has at most
 * `limit` characters; what is cut is kept under the run's name.
 */
export const answerOf = (outcome: ScriptOutcome, options: AnswerOptions): ToolResult => {
  const { limit, trace = [] } = options;
  const emitted = (outcome.emitted ?? []).map(pieceOf);
  const asides = [logsOf(outcome), trace.length === 0 ? undefined : trace.join('\n')]
    .filter((text) => text !== undefined)
    .map(asidePiece);
  // What a script showed by `emit` is its result; that it returned nothing is then no news.
  const value = outcome.ok && (outcome.value !== undefined || emitted.length === 0) ? [valuePiece(outcome.value)] : [];
  const parts = outcome.ok ? (outcome.parts ?? []).map(pieceOf) : [];
  const error = outcome.ok ? [] : [pieceOf(textPart(describe(outcome.error)))];
  const main = [...error, ...emitted, ...value, ...parts];
  const flag = outcome.ok ? {} : { isError: true };
  if (lengthOf(main) + lengthOf(asides) <= limit) {
    return { content: [...main, ...asides].map(({ part }) => part), ...flag };
  }

  const asideRoom = Math.min(lengthOf(asides), Math.max(Math.floor(limit / ASIDE), limit - lengthOf(main)));
  const asideShares = shares(
    asides.map(({ text }) => text?.length ?? 0),
    asideRoom,
  );
  const note = (shown: string, cut: ReadonlySet<Piece>): string | undefined => {
    const outputs = [...emitted, ...parts];
    const isOutputCut = outputs.some((piece) => cut.has(piece));
    if (!isOutputCut && !value.some((piece) => cut.has(piece))) return `… cut: ${shown} are shown.`;
    const texts = outputs.filter(({ text }) => text !== undefined);
    return cutNote(shown, wholeOf(outcome.ok ? outcome.value : undefined, texts, isOutputCut), options);
  };
  const room = limit - asideRoom;
  const shown = lengthOf(main) <= room ? main.map(({ part }) => part) : cutPieces(main, room, note);
  const beside = asides.map((piece, at) => textPart(piece.cut(asideShares[at] ?? 0).text));
  return { content: bounded([...shown, ...beside], limit), ...flag };
};

/** A result as one text for people: parts that are no text stand there by their labels, numbered as in the value. */
export const shownText = ({ content }: Pick<ToolResult, 'content'>): string => {
  const numbers = new Map<string, number>();
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => text ?? '');
  const lines = content.flatMap((part) => {
    if (part.type === 'text') return [part.text ?? ''];
    const number = (numbers.get(part.type) ?? 0) + 1;
    numbers.set(part.type, number);
    const label = partLabel(part, number);
    // In the value it has a place of its own already.
    return texts.some((text) => text.includes(label)) ? [] : [label];
  });
  return lines.join('\n');
};

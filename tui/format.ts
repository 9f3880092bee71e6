// How values read in a terminal: sizes, times, and text that has to fit.
import stringWidth from 'string-width';

/** Columns that a text takes. */
export const widthOf = (text: string): number => stringWidth(text);

const segmenter = new Intl.Segmenter();

/** The longest start of `text` (or end, from behind) that takes at most `width` columns; never half a character. */
const part = (text: string, width: number, fromBehind: boolean): string => {
  const graphemes = [...segmenter.segment(text)].map(({ segment }) => segment);
  if (fromBehind) graphemes.reverse();
  const kept: string[] = [];
  let used = 0;
  for (const grapheme of graphemes) {
    used += widthOf(grapheme);
    if (used > width) break;
    kept.push(grapheme);
  }
  if (fromBehind) kept.reverse();
  return kept.join('');
};

/** Cuts in the middle, where names and paths say least. */
export const truncateMiddle = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  if (width < 2) return width === 1 ? '…' : '';
  const tail = Math.floor((width - 1) / 2);
  return `${part(text, width - 1 - tail, false)}…${part(text, tail, true)}`;
};

/** Cuts at the end: for sentences. */
export const truncateEnd = (text: string, width: number): string =>
  widthOf(text) <= width ? text : width < 1 ? '' : `${part(text, width - 1, false)}…`;

export const pad = (text: string, width: number, toRight = false): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return toRight ? space + text : text + space;
};

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** `512 B`, `8.4 MB`, `1.2 GB`; powers of 1024. */
export const formatBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  // 1023.95 of a unit would print as 1024 of it.
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
};

/** `42s`, `12m`, `3h 05m`, `2d 04h`: two units at most, the smaller always with two digits. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d ${two(Math.floor((whole % 86_400) / 3600))}h`;
};

/** `7 ms`, `1.4 s`, `2m 03s`. */
export const formatMilliseconds = (milliseconds: number): string => {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  return formatDuration(milliseconds / 1000);
};

/** Local time of day, `14:03:09`. */
export const formatClock = (at: number): string => {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((value) => String(value).padStart(2, '0'))
    .join(':');
};

/** `1 session`, `3 sessions`. */
export const plural = (count: number, noun: string, many = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : many}`;

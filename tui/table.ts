// Tables that fit: columns shrink, then the least important ones go, and every row stays one line.
import { pad, truncateEnd, truncateMiddle, widthOf } from './format.ts';

/** How a piece of text is meant; what colour that is, if any, is for whoever draws it. */
export type Tone = 'plain' | 'dim' | 'strong' | 'good' | 'busy' | 'bad';

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of a screen, as pieces. */
export type Line = readonly Span[];

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly tone?: (row: Row) => Tone;
  readonly toRight?: boolean;
  /** Numbers and words of ours are never cut; names shrink down to this many columns, cut in the middle. */
  readonly least?: number;
  /** Sentences are cut at the end and take what is left. */
  readonly sentence?: boolean;
  /** The highest goes first when there is no room; 0 (the default) never goes. */
  readonly drop?: number;
}

const GAP = '  ';

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone });

export const lineText = (line: Line): string =>
  line
    .map(({ text }) => text)
    .join('')
    .trimEnd();

interface Fitted<Row> {
  readonly column: Column<Row>;
  readonly cells: readonly string[];
  readonly width: number;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);

const measure = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Fitted<Row>[] =>
  columns.map((column) => {
    const cells = rows.map(column.cell);
    return { column, cells, width: Math.max(widthOf(column.title), ...cells.map(widthOf)) };
  });

const floorOf = <Row>({ column, width }: Fitted<Row>): number =>
  Math.min(width, Math.max(column.least ?? width, widthOf(column.title)));

/** Leaves out columns, least important first, until the rest fits when shrunk as far as it may be. */
const choose = <Row>(fitted: readonly Fitted<Row>[], width: number): readonly Fitted<Row>[] => {
  if (total(fitted.map(floorOf)) <= width) return fitted;
  const first = Math.max(...fitted.map(({ column }) => column.drop ?? 0));
  return first === 0
    ? fitted
    : choose(
        fitted.filter(({ column }) => (column.drop ?? 0) !== first),
        width,
      );
};

/** Takes what is too much from the columns that can give, the widest first. */
const shrink = <Row>(fitted: readonly Fitted<Row>[], width: number): readonly Fitted<Row>[] => {
  const floors = fitted.map(floorOf);
  const widths = fitted.map((one) => one.width);
  for (let excess = total(widths) - width; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [at, one] of widths.entries())
      if (one > (floors[at] ?? 0) && (widest < 0 || one > (widths[widest] ?? 0))) widest = at;
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return fitted.map((one, at) => ({ ...one, width: widths[at] ?? one.width }));
};

/**
 * Head and rows as lines no wider than `width`, unless the columns that never go are wider already.
 * @param width columns at hand; Infinity prints everything in full
 */
export const table = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): Line[] => {
  const fitted = shrink(choose(measure(columns, rows), width), width);
  const draw = (text: (one: Fitted<Row>) => string, tone: (one: Fitted<Row>) => Tone): Line =>
    fitted.flatMap((one, at) => {
      const cut = one.column.sentence ? truncateEnd : truncateMiddle;
      const last = at === fitted.length - 1 && !one.column.toRight;
      const shown = cut(text(one), one.width);
      const cell = span(last ? shown : pad(shown, one.width, one.column.toRight), tone(one));
      return at === 0 ? [cell] : [span(GAP), cell];
    });
  return [
    draw(
      ({ column }) => column.title,
      () => 'dim',
    ),
    ...rows.map((row, at) =>
      draw(
        ({ cells }) => cells[at] ?? '',
        ({ column }) => column.tone?.(row) ?? 'plain',
      ),
    ),
  ];
};

/** Whether a column of this title would be shown at this width: what is left out may be said elsewhere. */
export const shows = <Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number, title: string) =>
  choose(measure(columns, rows), width).some(({ column }) => column.title === title);

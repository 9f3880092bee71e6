// The result of one run, and its two forms: text for the terminal, and docs/benchmarks.md.
import { BOUNDS, reasonOf, verdictOf } from './bounds.ts';
import type { Row, Table } from './harness.ts';

export interface Result {
  readonly date: string;
  readonly seconds: number;
  readonly machine: {
    readonly cores: number;
    readonly node: string;
    readonly system: string;
    /** Load average over a minute, at the start: other work on the machine makes numbers worse. */
    readonly load: number;
  };
  readonly rows: readonly Row[];
  readonly tables: readonly Table[];
  /** Measurements that could not be made, and why. */
  readonly failures: readonly string[];
}

const number = (value: number): string => {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (value >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

const cellsOf = (row: Row): string[] => {
  const { id, what, unit, value, base, baseName = '', note = '' } = row;
  const measured = value === null ? '–' : `${number(value)} ${unit}`;
  const ratio = value === null || base === undefined ? '' : `${number(value / base)} ×`;
  const against = base === undefined ? '' : `${baseName} (${number(base)})`;
  return [
    what,
    measured,
    ratio,
    against,
    BOUNDS[id]?.text ?? '',
    verdictOf(row),
    [note, reasonOf(row)].filter(Boolean).join('; '),
  ];
};

const HEAD = ['what', 'measured', 'ratio', 'against', 'bound', '', 'note'];

const cell = (value: string | number): string => (typeof value === 'number' ? number(value) : value);

/** Columns as wide as their widest cell; those of numbers to the right. */
const columns = (head: readonly string[], rows: Table['rows']): string[] => {
  const table = [head, ...rows].map((row) => row.map(cell));
  const widths = head.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const isNumber = head.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  return table.map((cells) =>
    cells
      .map((text, column) => (isNumber[column] ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

export const toText = ({ rows, tables, failures }: Result): string =>
  [
    ...columns(HEAD, rows.map(cellsOf)),
    ...tables.flatMap((table) => ['', table.title, ...columns(table.head, table.rows)]),
    ...failures.map((failure) => `not measured: ${failure}`),
  ].join('\n');

const markdownTable = (head: readonly string[], rows: Table['rows']): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, column) => (rows.some((row) => typeof row[column] === 'number') ? '---:' : '---'));
  return [line(head), line(rule), ...rows.map((row) => line(row.map(cell)))].join('\n');
};

/** Folded: a table may have a hundred rows, and the page is read for the bounds. */
const folded = ({ title, head, rows }: Table): string => `
<details>
<summary>${title}</summary>

${markdownTable(head, rows)}

</details>
`;

export const toMarkdown = ({ date, seconds, machine, rows, tables, failures }: Result): string => `# Benchmarks

Written by \`npm run bench -- --write-docs\`; do not edit. Everything is measured in one run, side by side, so read the
ratios; the absolute numbers belong to the machine. A bound is what metad holds itself to. "The bare relay" is a program
that takes the same hops (stdio, Unix socket, a process, stdio) and does nothing on the way. PSS is memory with shared
pages divided among those who share them.

Run of ${date}: ${seconds} s, ${machine.cores} cores, Node ${machine.node}, ${machine.system}, load ${machine.load.toFixed(1)} at the start.

${markdownTable(HEAD, rows.map(cellsOf))}
${[...failures.map((failure) => `\nNot measured: ${failure}\n`), ...tables.map(folded)].join('')}`;

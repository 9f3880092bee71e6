// The result of one run, and its two forms: a table for the terminal and one for docs/benchmarks.md.
import { BOUNDS, reasonOf, verdictOf } from './bounds.ts';
import type { Row } from './harness.ts';

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

export const toText = ({ rows, failures }: Result): string => {
  const table = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...failures.map((failure) => `not measured: ${failure}`)].join('\n');
};

export const toMarkdown = ({ date, seconds, machine, rows, failures }: Result): string => {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `# Benchmarks

Written by \`npm run bench -- --write-docs\`; do not edit. Everything is measured in one run, side by side, so read the
ratios; the absolute numbers belong to the machine. A bound is what metad holds itself to. "The bare relay" is a program
that takes the same hops (stdio, Unix socket, a process, stdio) and does nothing on the way. PSS is memory with shared
pages divided among those who share them.

Run of ${date}: ${seconds} s, ${machine.cores} cores, Node ${machine.node}, ${machine.system}, load ${machine.load.toFixed(1)} at the start.

${[line(HEAD), line(HEAD.map(() => '---')), ...rows.map((row) => line(cellsOf(row)))].join('\n')}
${failures.map((failure) => `\nNot measured: ${failure}\n`).join('')}`;
};

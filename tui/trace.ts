// The trace of a run as a table.
import type { RunCall } from '../schema/wire.ts';
import { formatBytes, formatMilliseconds } from './format.ts';
import type { Column } from './table.ts';
import { clean } from './text.ts';

export const traceColumns: readonly Column<RunCall>[] = [
  { title: 'OUTCOME', cell: ({ outcome }) => outcome },
  { title: 'TOOL', cell: ({ server, tool }) => clean(`${server}.${tool}`) },
  { title: 'TOOK', cell: ({ ms }) => (ms === null ? '—' : formatMilliseconds(ms)), toRight: true },
  { title: 'SIZE', cell: ({ bytes }) => formatBytes(bytes), toRight: true },
  {
    title: 'NOTE',
    cell: ({ error, arguments: args }) => clean([error, args].filter((part) => part !== undefined).join(' ')),
    sentence: true,
  },
];

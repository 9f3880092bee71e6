// `metad list`: the servers that apply here, and which file says so.
import type { ListedServer } from '../../schema/wire.ts';
import { type CommonOptions, type Context, DONE, note, print, printJson } from '../context.ts';
import { reach } from '../reach.ts';
import { whichWorkspace } from '../which.ts';

const LONGEST_COMMAND = 60;

const cut = (text: string): string =>
  text.length <= LONGEST_COMMAND ? text : `${text.slice(0, LONGEST_COMMAND - 1)}…`;

const table = (servers: readonly ListedServer[]): string => {
  const rows = [
    ['SERVER', 'SHARING', 'STATE', 'RUNS', 'DECLARED IN'],
    ...servers.map(({ name, sharing, disabled, state, runs, origin }) => [
      name,
      sharing,
      disabled ? 'disabled' : state,
      cut(runs.join(' ')),
      origin,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

export const list = async (
  context: Context,
  options: CommonOptions & { readonly workspace?: string },
): Promise<number> => {
  const { client } = await reach(context, options);
  const found = await client.list(whichWorkspace(context, options.workspace));
  if (options.json) printJson(context, found);
  else if (found.servers.length === 0)
    note(context, 'No server applies here. `metad add NAME -- COMMAND` adds one, `metad suggest` knows some.');
  else print(context, table(found.servers));
  return DONE;
};

// The namespaces of one view, looked up by name: for the guest, and for the check before it runs.
import { GUEST_GLOBALS } from '../guest/globals.ts';
import type { View } from '../messages.ts';

/** Of one tool: its place in the view, the name that scripts are shown, and the server's own. */
export interface KnownTool {
  readonly at: number;
  readonly script: string;
  readonly raw: string;
}

export interface KnownNamespace {
  readonly global: string;
  readonly server: string;
  /** Any name may be called. */
  readonly isOpen: boolean;
  /** Script names win over raw ones, as in declarations; `then` is none, or `await` would call it. */
  find(name: string): KnownTool | undefined;
  /** Script names. */
  names(): readonly string[];
  removed(): readonly string[];
}

export interface Known {
  readonly namespaces: readonly KnownNamespace[];
  /** The namespace that a script has as this global. */
  global(name: string): KnownNamespace | undefined;
  /** What `tools[name]` is: servers by their own names, and by their globals. */
  server(name: string): KnownNamespace | undefined;
}

/** A tool of one of these names would be called by `await`, JSON or a template without the script's doing. */
const SILENT: ReadonlySet<string> = new Set(['then', 'toJSON', 'toString', 'valueOf']);

/** The first of several wins, and `over` before all. */
const byName = <T>(names: readonly string[], items: readonly T[], over: ReadonlyMap<string, T>): Map<string, T> => {
  const map = new Map(over);
  names.forEach((name, at) => {
    const item = items[at];
    if (item !== undefined && !map.has(name)) map.set(name, item);
  });
  return map;
};

const namespaceOf = (global: string, server: string, isOpen: boolean, table: string): KnownNamespace => {
  let read: { tools: KnownTool[]; map: Map<string, KnownTool>; removed: string[] } | undefined;
  const rows = (): NonNullable<typeof read> => {
    if (read !== undefined) return read;
    const tools: KnownTool[] = [];
    const removed: string[] = [];
    for (const [script, raw] of (isOpen ? [] : JSON.parse(table)) as [string, string?][]) {
      if (raw === undefined) removed.push(script);
      else tools.push({ at: tools.length, script, raw });
    }
    const shown = new Map(tools.map((tool) => [tool.script, tool]));
    const raws = tools.map(({ raw }) => (SILENT.has(raw) ? '' : raw));
    const map = byName(raws, tools, shown);
    map.delete('then');
    if (!shown.has('')) map.delete('');
    read = { tools, map, removed };
    return read;
  };
  return {
    global,
    server,
    isOpen,
    find: (name) => rows().map.get(name),
    names: () => rows().tools.map(({ script }) => script),
    removed: () => rows().removed,
  };
};

export const knownOf = ({ names, tables }: View): Known => {
  const rows = JSON.parse(names) as [string, string, 0 | 1][];
  const namespaces = rows.map(([global, server, open], at) =>
    namespaceOf(global, server, open === 1, tables[at] ?? '[]'),
  );
  const nothing: ReadonlyMap<string, KnownNamespace> = new Map();
  const globals = byName(
    rows.map(([global]) => global),
    namespaces,
    nothing,
  );
  const servers = new Map(rows.map(([, server], at) => [server, namespaces[at]]));
  return {
    namespaces,
    global: (name) => (GUEST_GLOBALS.has(name) ? undefined : globals.get(name)),
    server: (name) => servers.get(name) ?? globals.get(name),
  };
};

// The calls of one run, in order, as they are now.
import type { JsonObject } from '../../schema/tool.ts';
import type { RunCall } from '../../schema/wire.ts';
import type { CallEnd } from './contract.ts';

export interface Trace {
  begin(server: string, tool: string, args: JsonObject): (end: CallEnd) => void;
  /** What is still open was cancelled. */
  close(): void;
  entries(): readonly RunCall[];
  made(): number;
  failed(): number;
  open(): readonly RunCall[];
}

export interface TraceOptions {
  readonly now: () => number;
  readonly keepsArguments: boolean;
  readonly onChange: (place: number, call: RunCall) => void;
}

const ARGUMENTS = 500;
const ERROR = 300;

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit - 1)}…` : text);

const firstLine = (text: string): string => cut(text.trim().split(/\r?\n/, 1)[0] ?? '', ERROR);

/** Its length is bounded by whoever runs the script: `execute.maxCalls`. */
export const createTrace = ({ now, keepsArguments, onChange }: TraceOptions): Trace => {
  const entries: RunCall[] = [];
  /** When each open one began, by place. */
  const open = new Map<number, number>();
  let failed = 0;
  const end = (place: number, { outcome, bytes, error }: CallEnd): void => {
    const since = open.get(place);
    const entry = entries[place];
    if (since === undefined || entry === undefined) return;
    open.delete(place);
    if (outcome !== 'ok') failed += 1;
    const said = error === undefined ? '' : firstLine(error);
    const ended: RunCall = { ...entry, ms: now() - since, outcome, bytes, ...(said !== '' && { error: said }) };
    entries[place] = ended;
    onChange(place, ended);
  };
  return {
    begin(server, tool, args) {
      const place = entries.length;
      const told = keepsArguments ? { arguments: cut(JSON.stringify(args), ARGUMENTS) } : {};
      const entry: RunCall = { server, tool, ms: null, outcome: 'running', bytes: 0, ...told };
      entries.push(entry);
      open.set(place, now());
      onChange(place, entry);
      return (how) => end(place, how);
    },
    close() {
      for (const place of [...open.keys()]) end(place, { outcome: 'cancelled', bytes: 0 });
    },
    entries: () => entries,
    made: () => entries.length,
    failed: () => failed,
    open: () => [...open.keys()].flatMap((place) => entries[place] ?? []),
  };
};

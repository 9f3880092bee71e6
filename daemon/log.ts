// A log line is an event and its fields. Parts get a `Log`; only daemon/main.ts knows where the lines go.

export type Fields = Readonly<Record<string, unknown>>;
export type Log = (event: string, fields?: Fields) => void;

export const withFields =
  (log: Log, bound: Fields): Log =>
  (event, fields) =>
    log(event, { ...bound, ...fields });

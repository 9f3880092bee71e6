// One thing that is wrong with a config file, at its place.

export interface Problem {
  /** `error`: the part it names is not used. `warning`: everything is used, but perhaps not as meant. */
  readonly severity: 'error' | 'warning';
  readonly file: string;
  /** Both from 1; 0 where the file as a whole is meant. Columns count UTF-16 units, as editors do. */
  readonly line: number;
  readonly column: number;
  /** The key, such as `mcpServers.files.args[2]`; empty for the file as a whole. */
  readonly path: string;
  /** A whole sentence that names the key. It never holds a value of `env` or `headers`, nor any unparsed text. */
  readonly message: string;
}

/** `file:line:column: severity: message`, the form that editors and terminals make clickable. */
export const problemText = ({ severity, file, line, column, message }: Problem): string =>
  `${file}${line > 0 ? `:${line}:${column}` : ''}: ${severity}: ${message}`;

/** Whether the key `path` is `outer` or stands inside of it. */
export const isWithin = (path: string, outer: string): boolean =>
  path.startsWith(outer) && /^($|[.[])/.test(path.slice(outer.length));

/** `['mcpServers', 'my files', 'args', 2]` as a person writes it: `mcpServers["my files"].args[2]`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)) return `[${JSON.stringify(name)}]`;
      return at === 0 ? name : `.${name}`;
    })
    .join('');

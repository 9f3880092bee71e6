// One thing that is wrong with a config file, at its place. A stand-in with the final signatures.

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

export const problemText = ({ severity, file, line, column, message }: Problem): string =>
  `${file}${line > 0 ? `:${line}:${column}` : ''}: ${severity}: ${message}`;

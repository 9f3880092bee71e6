// The closed list of failures that metad tells others about, and their form on the wire.

/**
 * - `bad-request`: what was sent cannot be understood; the message names the place.
 * - `bad-config`: config.json or a definition in it is wrong; the message names file, line and field.
 * - `not-found`: no server, tool or run of that name; the message names near ones.
 * - `unavailable`: the server is not running and cannot be started now; the message says why and what to do.
 * - `upstream`: the backing server failed or went away during the call; its outcome may be unknown.
 * - `timeout`: a stated limit passed; the message names the limit.
 * - `cancelled`: whoever asked gave up.
 * - `limit`: a stated size or count was exceeded.
 * - `refused`: metad will not do this, by rule.
 * - `unsupported`: this version cannot do it (yet); the message names what can.
 * - `internal`: a bug of ours; the log has the details.
 */
export const ERROR_CODES = [
  'bad-request',
  'bad-config',
  'not-found',
  'unavailable',
  'upstream',
  'timeout',
  'cancelled',
  'limit',
  'refused',
  'unsupported',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The one form in which an error travels over the control API. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** An error that a person may read: `message` is a whole sentence, `cause` is for the log. */
export class MetadError extends Error {
  override readonly name = 'MetadError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Only our own errors travel with their text; anything else is a bug and says no more than that. */
export const toWire = (error: unknown): WireError =>
  error instanceof MetadError
    ? { code: error.code, message: error.message }
    : { code: 'internal', message: 'Internal error. `metad logs` has the details.' };

export const fromWire = ({ code, message }: WireError): MetadError => new MetadError(code, message);

/** The text of anything that was thrown, for logs and for quoting a server's own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

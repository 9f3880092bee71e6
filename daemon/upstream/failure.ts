// What went wrong with a server, said for a person, and whether trying again could help.
import type { Definition } from '../../schema/config.ts';
import { MetadError, messageOf } from '../../schema/errors.ts';

/** The request surely never reached the server, so it may be sent again. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** The connection broke after the call was sent and before an answer: it may have run. */
export class Broken extends MetadError {}

/** `data` of the error that stands for an answer which will not come: known by identity, so no server can send it. */
export const NO_ANSWER: object = Object.freeze({ reason: 'the connection broke' });

export interface Failure {
  /** `parked`: waits for the config or a person. `lost`: tried again on the next call, after the back-off. */
  readonly kind: 'parked' | 'lost';
  /** A whole sentence: which server, what happened, what to do. */
  readonly reason: string;
}

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

// The SDK's errors are told apart by their fields: `instanceof` would load the SDK with this file. Only SseError has
// `event` (its code is an HTTP status), and SdkError's codes are strings.
const isSse = (error: unknown): boolean => field(error, 'event') !== undefined;

/** The code of a JSON-RPC error that the server itself answered with. */
export const answeredCode = (error: unknown): number | undefined => {
  const code = field(error, 'code');
  const isAnswer = error instanceof Error && !isSse(error) && field(error, 'data') !== NO_ANSWER;
  return isAnswer && typeof code === 'number' ? code : undefined;
};

/** The HTTP status with which a remote server refused, wherever the SDK keeps it. */
export const httpStatus = (error: unknown): number | undefined => {
  const status = field(field(error, 'data'), 'status') ?? field(error, 'status');
  if (typeof status === 'number') return status;
  if (field(error, 'name') === 'UnauthorizedError') return 401;
  const code = field(error, 'code');
  return isSse(error) && typeof code === 'number' ? code : undefined;
};

/** `ECONNREFUSED` and the like, also from inside of fetch's `cause`. */
export const systemCode = (error: unknown): string | undefined => {
  const code = field(error, 'code') ?? field(field(error, 'cause'), 'code');
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
};

/** Connections refused before a byte went out. */
const REFUSED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** The code of a connection that was never made. */
export const refusedCode = (error: unknown): string | undefined => {
  const code = systemCode(error);
  return code !== undefined && REFUSED.has(code) ? code : undefined;
};

/** Whether a request to a remote server may have been received, and its answer was lost on the way. */
export const isBroken = (error: unknown): boolean =>
  field(error, 'data') === NO_ANSWER ||
  (error instanceof TypeError && httpStatus(error) === undefined && refusedCode(error) === undefined);

const PERMANENT_STATUS: Readonly<Record<number, string>> = {
  401: 'it asks for authorization (HTTP 401). Check its headers',
  403: 'it denies access (HTTP 403). Check its headers',
  404: 'there is no MCP server at its address (HTTP 404). Check `url`',
};

/** fetch says only `fetch failed`; the cause says why. */
export const withCause = (error: unknown): string => {
  const cause = field(error, 'cause');
  const text = cause === undefined ? '' : messageOf(cause) || String(field(cause, 'code') ?? '');
  return text === '' ? messageOf(error) : `${messageOf(error)} (${text})`;
};

export const quoted = (tail: string): string => (tail === '' ? '' : ` Last words on stderr: ${tail}`);

/** Says why a start failed. `tail` is what the server last wrote to stderr. */
export const startFailure = (definition: Definition, error: unknown, tail: string): Failure => {
  const { name, reach, origin } = definition;
  const cannot = `Server \`${name}\` cannot start:`;
  if (error instanceof MetadError) {
    const parked = error.code === 'bad-config';
    return { kind: parked ? 'parked' : 'lost', reason: `${error.message}${parked ? '' : quoted(tail)}` };
  }
  const system = systemCode(error);
  if (reach.kind === 'stdio') {
    if (system === 'ENOENT') {
      const remedy = `Install it, or correct \`command\` in ${origin}.`;
      return { kind: 'parked', reason: `${cannot} its command \`${reach.command}\` was not found. ${remedy}` };
    }
    if (system === 'EACCES') {
      const remedy = `Make it executable, or correct \`command\` in ${origin}.`;
      return { kind: 'parked', reason: `${cannot} its command \`${reach.command}\` may not be executed. ${remedy}` };
    }
    const more = ` \`metad logs ${name}\` may say more.`;
    return { kind: 'lost', reason: `${cannot} ${messageOf(error)}.${more}${quoted(tail)}` };
  }
  const status = httpStatus(error);
  const permanent = status === undefined ? undefined : PERMANENT_STATUS[status];
  if (permanent !== undefined) return { kind: 'parked', reason: `${cannot} ${permanent} in ${origin}.` };
  return { kind: 'lost', reason: `Server \`${name}\` cannot be reached at ${reach.url}: ${withCause(error)}.` };
};

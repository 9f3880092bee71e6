// The lines that the shim says itself, and the few it reads whole. Everything else passes through untouched.

/** The daemon went away with this request in flight. Not -32000: the SDKs use that for a connection that ended. */
export const LOST = -32010;
/** No daemon can be reached or it refused the session. */
export const UNREACHABLE = -32011;
/** The line is longer than metad passes on. */
export const TOO_LONG = -32012;

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';

const line = (message: object): Buffer => Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** An error answer; `id` is an envelope's, so JSON text. */
export const errorLine = (id: string, code: number, message: string, data?: object): Buffer =>
  line({ id: JSON.parse(id), error: data === undefined ? { code, message } : { code, message, data } });

/** What an agent hears of a request that was in flight when the daemon went away. */
export const lostLine = (id: string, method: string): Buffer =>
  method === 'tools/call'
    ? errorLine(
        id,
        LOST,
        'The metad daemon went away during this call, so its outcome is unknown: it may have taken effect. metad did not repeat it; check before calling again.',
        { outcome: 'unknown' },
      )
    : errorLine(
        id,
        LOST,
        `The metad daemon went away before it answered ${method}; its outcome is unknown. Ask again.`,
        {
          outcome: 'unknown',
        },
      );

/** tools/list_changed: plain for a legacy agent, else on the listen request with the id `subscription` (JSON text). */
export const listChangedLine = (subscription?: string): Buffer =>
  line({
    method: 'notifications/tools/list_changed',
    ...(subscription === undefined ? {} : { params: { _meta: { [SUBSCRIPTION_ID]: JSON.parse(subscription) } } }),
  });

type Tree = { readonly [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at `path` in a line, or undefined where the line is no JSON or the path ends early. */
export const valueAt = (bytes: Buffer, ...path: readonly string[]): unknown => {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
  for (const key of path) value = isTree(value) ? value[key] : undefined;
  return value;
};

const idText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : undefined;

/** The id (JSON text) of the request that a `notifications/cancelled` names. */
export const cancelledId = (bytes: Buffer): string | undefined => idText(valueAt(bytes, 'params', 'requestId'));

/** The id (JSON text) of the listen request that a notification belongs to. */
export const subscriptionOf = (bytes: Buffer): string | undefined =>
  idText(valueAt(bytes, 'params', '_meta', SUBSCRIPTION_ID));

/** The same `notifications/cancelled`, naming another request. */
export const withCancelledId = (bytes: Buffer, id: string): Buffer => {
  const params = valueAt(bytes, 'params');
  return line({
    method: 'notifications/cancelled',
    params: { ...(isTree(params) ? params : {}), requestId: JSON.parse(id) },
  });
};

/** Whether a last line without its newline is a message all the same. */
export const isWhole = (rest: Buffer): boolean => {
  try {
    JSON.parse(rest.toString());
    return true;
  } catch {
    return false;
  }
};

// One line of a server's stdout: JSON-RPC messages, noise, or noise with a message behind it.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

export interface Frame {
  readonly messages: readonly JSONRPCMessage[];
  /** What was on the line beside JSON-RPC; empty where there was nothing. */
  readonly noise: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const INTERNAL_ERROR = -32603;
const ODD = 'it answered with neither a result object nor a JSON-RPC error';

/** An answer in another shape than the specification's, as an answer that is in it. */
const mended = ({ id, result, error }: Fields): Fields => {
  const head = { jsonrpc: '2.0', id };
  // Servers of JSON-RPC 1.0 send both, one of them null.
  if ((error === undefined || error === null) && isObject(result)) {
    const { _meta, ...rest } = result;
    return { ...head, result: isObject(_meta) ? result : rest };
  }
  const { code, message, data } = isObject(error) ? error : {};
  const said = typeof error === 'string' ? error : message;
  return {
    ...head,
    error: {
      code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
      message: typeof said === 'string' ? said : ODD,
      ...(data === undefined ? {} : { data }),
    },
  };
};

/** What the SDK takes; anything else it reports and forgets, and whoever asked would wait to the end of their time. */
const isRegular = (answer: Fields): boolean => {
  if (Object.keys(answer).length !== 3) return false;
  const { result, error } = answer;
  if (isObject(result)) return result['_meta'] === undefined || isObject(result['_meta']);
  return isObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
};

const inShape = (message: JSONRPCMessage): JSONRPCMessage =>
  'method' in message || isRegular(message as unknown as Fields)
    ? message
    : (mended(message as unknown as Fields) as unknown as JSONRPCMessage);

const isMessage = (value: unknown): value is JSONRPCMessage => {
  if (typeof value !== 'object' || value === null) return false;
  const { jsonrpc, id, method } = value as { jsonrpc?: unknown; id?: unknown; method?: unknown };
  if (jsonrpc !== '2.0') return false;
  if (typeof method === 'string') return true;
  // An answer without a usable id belongs to nobody; the SDK would take `null` for request 0.
  return (typeof id === 'number' || typeof id === 'string') && ('result' in value || 'error' in value);
};

const parse = (text: string): readonly JSONRPCMessage[] | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Batches existed in 2025-03-26 only; servers that still send them are understood.
  const list = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every(isMessage) ? list.map(inShape) : undefined;
};

/** Starts of a message that are tried behind noise, so that a huge line of braces costs no more than that. */
const TRIES = 8;

/**
 * Reads one line. A prompt or half-line printed without a newline sits in front of the next message: what stands before
 * the first `{` from which the rest is JSON-RPC counts as noise, and the message is used.
 */
export const readFrame = (line: string): Frame => {
  const text = line.trim();
  if (text === '') return { messages: [], noise: '' };
  const whole = parse(text);
  if (whole !== undefined) return { messages: whole, noise: '' };
  let at = text.indexOf('{', 1);
  for (let tries = 0; at !== -1 && tries < TRIES; tries++, at = text.indexOf('{', at + 1)) {
    const messages = parse(text.slice(at));
    if (messages !== undefined) return { messages, noise: text.slice(0, at).trimEnd() };
  }
  return { messages: [], noise: text };
};

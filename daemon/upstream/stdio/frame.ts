// One line of a server's stdout: JSON-RPC messages, noise, or noise with a message behind it.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

export interface Frame {
  readonly messages: readonly JSONRPCMessage[];
  /** What was on the line beside JSON-RPC; empty where there was nothing. */
  readonly noise: string;
}

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
  return list.length > 0 && list.every(isMessage) ? list : undefined;
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

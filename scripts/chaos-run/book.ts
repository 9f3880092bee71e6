// What every session has asked and what came back: each request answered once, each effect made at most once, and never
// a word of somebody else's.
import { existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../schema/tool.ts';

/** `ok` and `failed` are answers; `cancelled` was taken back by the agent; `cut` lost its shim. */
export type Outcome = 'ok' | 'failed' | 'cancelled' | 'cut';

export interface Asked {
  readonly nonces: readonly string[];
  readonly isEffect: boolean;
  outcome?: Outcome;
}

export interface Page {
  readonly serial: number;
  /** A nonce for one call of this session. */
  nonce(): string;
  ask(isEffect: boolean, nonces: readonly string[]): Asked;
  /** For a tap of the connection. */
  readonly tap: (direction: 'sent' | 'received', message: JsonObject) => void;
  /** Its shim was killed: what was not answered by then never is. */
  cut(): void;
}

export interface Book {
  page(): Page;
  /** A sentence for each thing that is wrong by now, while nothing is under way. */
  faults(): string[];
  /** True while a request of a session that lives waits for its answer. */
  waiting(): string[];
}

const NONCE = /n(\d+)x\d+z/g;

export const noncesIn = (text: string): string[] => text.match(NONCE) ?? [];

const idOf = (message: JsonObject): string | undefined =>
  message['id'] === undefined || message['id'] === null ? undefined : JSON.stringify(message['id']);

/** @param ledger the file to which the servers write each effect */
export const createBook = (ledger: string): Book => {
  const wrong: string[] = [];
  const asked: Asked[] = [];
  const open = new Map<string, { answers: number; cancelled: boolean; cut: boolean; what: string }>();
  let serials = 0;

  const page = (): Page => {
    serials += 1;
    const serial = serials;
    let count = 0;
    const keyOf = (id: string) => `${serial}/${id}`;
    return {
      serial,
      nonce: () => {
        count += 1;
        return `n${serial}x${count}z`;
      },
      ask: (isEffect, nonces) => {
        const one: Asked = { nonces, isEffect };
        asked.push(one);
        return one;
      },
      tap: (direction, message) => {
        const { method } = message;
        const id = idOf(message);
        if (direction === 'sent') {
          if (method === 'notifications/cancelled') {
            const taken = open.get(keyOf(JSON.stringify(Object(message['params'])['requestId'])));
            if (taken) taken.cancelled = true;
          } else if (method !== undefined && id !== undefined && method !== 'subscriptions/listen')
            open.set(keyOf(id), {
              answers: 0,
              cancelled: false,
              cut: false,
              what: JSON.stringify(message).slice(0, 400),
            });
          return;
        }
        for (const [nonce, owner] of JSON.stringify(message).matchAll(NONCE))
          if (Number(owner) !== serial)
            wrong.push(`session ${serial} got ${nonce} of another session: ${JSON.stringify(message).slice(0, 400)}`);
        if (method !== undefined || id === undefined) return;
        const request = open.get(keyOf(id));
        if (request) request.answers += 1;
      },
      cut: () => {
        for (const [key, request] of open) if (key.startsWith(`${serial}/`)) request.cut = true;
      },
    };
  };

  return {
    page,
    waiting: () =>
      [...open].flatMap(([key, { answers, cancelled, cut, what }]) =>
        answers === 0 && !cancelled && !cut ? [`${key} ${what}`] : [],
      ),
    faults: () => {
      const faults = wrong.splice(0);
      for (const [key, { answers, cancelled, cut, what }] of open) {
        if (answers > 1) faults.push(`request ${key} was answered ${answers} times: ${what}`);
        if (answers === 0 && !cancelled && !cut) faults.push(`request ${key} was not answered: ${what}`);
        // A late second answer must be seen too, so they are kept for one step more.
      }
      const made = new Map<string, number>();
      const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : [];
      for (const line of lines) made.set(line, (made.get(line) ?? 0) + 1);
      for (const { isEffect, nonces, outcome } of asked) {
        if (!isEffect) continue;
        for (const nonce of nonces) {
          const times = made.get(nonce) ?? 0;
          if (times > 1) faults.push(`the effect ${nonce} was made ${times} times (its call: ${outcome ?? 'open'})`);
          if (times === 0 && outcome === 'ok') faults.push(`the effect ${nonce} was reported and never made`);
        }
      }
      return faults;
    },
  };
};

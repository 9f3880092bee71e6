// `atob`, `btoa` and `crypto`: what the host computes, and only texts between it and the guest. Made at first use.
import type { WebHost } from './host.ts';

/** Self-contained: its text is evaluated in the guest. */
export const guestBytes = (web: WebHost) => {
  const KINDS = [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    BigInt64Array,
    BigUint64Array,
  ];
  const MOST = 65_536;
  const fault = (name: string, message: string): never => {
    const error = new Error(message);
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
    throw error;
  };
  const coded =
    (name: 'atob' | 'btoa', wrong: string) =>
    (...given: [data?: unknown]): string => {
      if (given.length === 0) throw new TypeError(`${name} takes a text`);
      const out = web(name, [`${given[0]}`]) as string | null;
      return out ?? fault('InvalidCharacterError', wrong);
    };
  const crypto = {
    randomUUID: (): string => web('uuid', []) as string,
    getRandomValues: <T extends ArrayBufferView>(view: T): T => {
      if (!KINDS.some((kind) => view instanceof kind))
        fault('TypeMismatchError', 'getRandomValues takes a typed array of whole numbers');
      if (view.byteLength > MOST)
        fault(
          'QuotaExceededError',
          `getRandomValues fills at most ${MOST} bytes at once; it was given ${view.byteLength}`,
        );
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(web('random', [view.byteLength]) as number[]);
      return view;
    },
  };
  Object.defineProperty(crypto, Symbol.toStringTag, { value: 'Crypto', configurable: true });
  return {
    atob: coded('atob', 'The text to be decoded is not correctly encoded as base64'),
    btoa: coded('btoa', 'The text to be encoded has characters outside of the Latin1 range'),
    crypto,
  };
};

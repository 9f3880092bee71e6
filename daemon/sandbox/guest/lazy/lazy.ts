// Globals that are made when a script first uses them: an idle context holds no more than their names.
import { guestBytes } from './bytes.ts';
import { guestClone } from './clone.ts';
import { guestText } from './text.ts';
import { guestUrl } from './url.ts';

/** Which library makes which global. */
export const LAZY_GLOBALS: Readonly<Record<string, readonly string[]>> = {
  clone: ['structuredClone'],
  text: ['TextEncoder', 'TextDecoder'],
  url: ['URL', 'URLSearchParams'],
  bytes: ['atob', 'btoa', 'crypto'],
};

// `__name` is what esbuild writes around functions where it keeps their names, as when run from source.
const source = (library: unknown): string => `(web) => { const __name = (value) => value; return (${library})(web); }`;

/** Each an expression: a function of the `WebHost` that gives the library's globals. */
export const LAZY_SOURCES: ReadonlyMap<string, string> = new Map([
  ['clone', source(guestClone)],
  ['text', source(guestText)],
  ['url', source(guestUrl)],
  ['bytes', source(guestBytes)],
]);

// What is said of a tool or server that is not there, before a script runs and while it runs.
import type { nearNames } from '../../../schema/near.ts';

/**
 * @param kind `tool` or `server`; `what` is the object that was asked.
 * Self-contained: the guest is given its text.
 */
export const unknownMember = (
  key: string,
  kind: string,
  what: string,
  names: readonly string[],
  removed: readonly string[],
  nearest: typeof nearNames,
): string => {
  const like = nearest(key, names);
  const hint = like.length > 0 ? `near: ${like.join(', ')}` : `Object.keys(${what}) lists them`;
  const why = removed.includes(key) ? 'was removed by its server and is no longer' : 'is not';
  return `${key} ${why} a ${kind} of ${what}; ${hint}`;
};

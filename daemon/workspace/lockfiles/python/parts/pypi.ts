// Names of Python packages and the lines that require them.

/** A name as PEP 503 compares it: `Foo._bar` is `foo-bar`. */
export const normalize = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

export interface Requirement {
  readonly name: string;
  /** The version of a lone `==1.2` or `===1.2`; null for a range, a URL, or nothing. */
  readonly pinned: string | null;
}

const NAME = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*/;
const VERSION = /^(?:===?|[<>!~]=|[<>])\s*([^\s()]+)$/;

/**
 * A requirement as PEP 508 writes it: `requests[socks]>=2 ; python_version < "3.9"`, `name @ https://…`.
 * Undefined where the text is none.
 */
export const requirementOf = (text: string): Requirement | undefined => {
  const [, name] = NAME.exec(text.trim()) ?? [];
  if (name === undefined) return undefined;
  const rest = text.trim().replace(NAME, '');
  if (rest.startsWith('@')) return { name: normalize(name), pinned: null };
  const [versions = ''] = rest.split(';');
  const bare = versions.trim().replace(/^\(([^()]*)\)$/, '$1');
  const parts = bare === '' ? [] : bare.split(',').map((part) => VERSION.exec(part.trim()));
  if (parts.includes(null)) return undefined;
  const [, pin] = (parts.length === 1 && bare.startsWith('==') && parts[0]) || [];
  return { name: normalize(name), pinned: pin === undefined || pin.includes('*') ? null : pin };
};

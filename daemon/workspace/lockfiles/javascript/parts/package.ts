// One package as lockfiles name it, and the ways in which they write names and versions.
import type { Ecosystem } from '../../../dependency.ts';

export interface Package {
  /** The real one: of `"old": "npm:ms@1"` it is `ms`. */
  readonly name: string;
  readonly version: string | null;
}

/** Up to the peers that pnpm and Deno append: `18.2.0(react@18.2.0)`, `18.2.0_react@18.2.0`. */
const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?(?=$|[(_])/;

/** The version at the start of a text such as `18.2.0(react@18.2.0)`; null for links, URLs and ranges. */
export const versionIn = (text: string): string | null => VERSION.exec(text)?.[0] ?? null;

/** `@scope/name@rest` → name and rest; undefined without an `@` after the name. */
export const splitAt = (text: string): { readonly name: string; readonly rest: string } | undefined => {
  const at = text.indexOf('@', 1);
  return at < 0 ? undefined : { name: text.slice(0, at), rest: text.slice(at + 1) };
};

/** `ms@2.1.3(peers)` → ms 2.1.3; undefined where no version follows the name. */
export const packageIn = (text: string): { readonly name: string; readonly version: string } | undefined => {
  const parts = splitAt(text);
  const version = parts === undefined ? null : versionIn(parts.rest);
  return parts === undefined || version === null ? undefined : { name: parts.name, version };
};

/** The package behind a manifest's `"name": "range"`: aliases (`npm:ms@1`) and JSR's (`jsr:^1`) name another one. */
export const nameBehind = (name: string, range: string): string => {
  const [, protocol, target = ''] = /^(npm|jsr):(.+)$/.exec(range) ?? [];
  if (protocol === undefined) return name;
  const isNamed = /^(?:@[^/@]+\/)?[A-Za-z_][^/@]*/.exec(target)?.[0];
  const real = isNamed ?? name;
  return protocol === 'jsr' ? npmNameOf(real) : real;
};

/** JSR's packages come to npm's clients as `@jsr/scope__name`. */
const npmNameOf = (name: string): string => name.replace(/^@(?!jsr\/)([^/]+)\/(.+)$/, '@jsr/$1__$2');

/** Which ecosystem a package belongs to, under its name there. */
export const homeOf = (name: string): { readonly ecosystem: Ecosystem; readonly name: string } => {
  const [, scope, rest] = /^@jsr\/(.+?)__(.+)$/.exec(name) ?? [];
  return scope === undefined || rest === undefined
    ? { ecosystem: 'npm', name }
    : { ecosystem: 'jsr', name: `@${scope}/${rest}` };
};

/** Something on this disk: it has no version that anybody published. */
export const isLocal = (range: string): boolean => /^(?:workspace|file|link|portal|exec):|^\.{0,2}\//.test(range);

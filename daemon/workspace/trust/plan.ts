// What exactly a definition would start or contact, as a person is shown it before they trust it. Pure.
import type { Definition } from '../../../schema/config.ts';
import type { TrustGate, TrustPlan, TrustServer } from '../../../schema/trust.ts';
import { shownFolder } from '../files/place.ts';
import type { Offer } from '../offer.ts';
import { leavesOf, predicateText } from '../predicate/predicate.ts';
import { programOf } from '../program.ts';

/** Variables that decide which code a program runs: a harmless command line with one of these is not harmless. */
const DECIDING =
  /^(PATH|LD_.*|DYLD_.*|NODE_(OPTIONS|PATH)|NPM_CONFIG_.*|PYTHON(PATH|STARTUP|HOME)|PERL5(OPT|LIB)|PERL5DB|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|BASH_ENV|ENV|SHELLOPTS|PROMPT_COMMAND|SHELL|EDITOR|VISUAL|PAGER|BROWSER|GIT_.*|UV_.*|PIP_.*|BUN_.*|DENO_.*|CARGO_.*|RUSTC.*|GO(FLAGS|PROXY|PATH)|DOCKER_.*|.*_PROXY|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|HOME|XDG_.*)$/i;

const withoutValues = (query: string): string =>
  query.replace(/=[^&#]*/g, (value) => (/^=\$\{[^}]*\}$/.test(value) ? value : '=…'));

/**
 * A secret may stand before the host and in values of the query; who is contacted hangs on neither. The host is the one
 * that will be used: `https://other.example\@host` reads as one of `host` and is not.
 */
const shownUrl = (url: string): string => {
  // With variables nobody can say yet which part is what.
  if (url.includes('${') || !URL.canParse(url))
    return url
      .replace(/#.*$/s, '')
      .replace(/(?<=^[a-z]+:\/\/)[^/@?\\]*(?=@)/i, '…')
      .replace(/\?.*$/s, withoutValues);
  const { protocol, username, password, host, pathname, search } = new URL(url);
  return `${protocol}//${username + password === '' ? '' : '…@'}${host}${pathname}${withoutValues(search)}`;
};

/** @param root the workspace for which it would be started */
export const planOf = (definition: Definition, root: string): TrustPlan => {
  const { reach } = definition;
  if (reach.kind !== 'stdio')
    return { kind: reach.kind, url: shownUrl(reach.url), headers: Object.keys(reach.headers) };
  const { command, args, env } = reach;
  return {
    kind: 'stdio',
    command,
    args,
    cwd: shownFolder(definition, root),
    env: Object.keys(env),
    deciding: Object.fromEntries(Object.entries(env).filter(([name]) => DECIDING.test(name))),
  };
};

/** A server as a person is shown it. @param root as for `planOf` @param offer where a plugin declares it */
export const shownOf = (
  definition: Definition,
  root: string,
  variablesOf: (definition: Definition) => readonly string[],
  offer?: Offer,
): Omit<TrustServer, 'state' | 'hash'> => ({
  name: definition.name,
  disabled: definition.disabled,
  plan: planOf(definition, root),
  variables: variablesOf(definition),
  ...(offer === undefined ? {} : { gate: gatePlanOf(offer) }),
});

/** When it would be started, and which programs would be run to find that out. */
const gatePlanOf = ({ gate, customs }: Pick<Offer, 'gate' | 'customs'>): TrustGate => ({
  when: gate === undefined ? 'always' : predicateText(gate),
  runs: (gate === undefined ? [] : leavesOf(gate))
    .map((leaf) => programOf(leaf, customs))
    .filter((program) => typeof program !== 'string'),
});

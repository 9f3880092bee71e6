// Predicates as manifests write them: `all(depends-on(sqlx>=0.7), not(env(CI)))`. What Symposium writes is read alike.
import { allOf, type Predicate } from './predicate.ts';
import { parseRequirement } from './requirement.ts';

const BUILT_IN = ['depends-on', 'path_exists', 'env', 'workspace-member', 'shell', 'not', 'any', 'all'] as const;

/** Names in use before, and what they are now. */
const RETIRED: Readonly<Record<string, string>> = {
  crate: 'depends-on',
  crates: 'depends-on',
  workspace: 'workspace-member',
};

const CUSTOM_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Deeper than this nobody writes, and each level is a call of the parser. */
const DEEPEST = 50;

/** Whether a plugin may give this name to a predicate of its own. */
export const isFreeName = (name: string): boolean =>
  CUSTOM_NAME.test(name) && !(BUILT_IN as readonly string[]).includes(name) && !Object.hasOwn(RETIRED, name);

/** The parts between commas that stand in no parentheses. */
const partsOf = (text: string): readonly string[] => {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
};

const isBalanced = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
};

const innerOf = (name: string, argument: string, depth: number): readonly Predicate[] => {
  const parts = partsOf(argument);
  if (argument.trim() === '' || parts.includes(''))
    throw new Error(
      `${name}(…) takes predicates with commas between them, like \`${name}(env(CI), path_exists(.git))\`.`,
    );
  return parts.map((part) => parse(part, depth + 1));
};

const parse = (text: string, depth: number): Predicate => {
  const trimmed = text.trim();
  const [, name = '', argument = ''] = /^([A-Za-z][\w-]*)\s*\((.*)\)$/s.exec(trimmed) ?? [];
  if (name === '' || !isBalanced(argument))
    throw new Error(`"${trimmed}" is no predicate: write one like \`depends-on(next>=15)\` or \`path_exists(.git)\`.`);
  if (depth > DEEPEST) throw new Error(`"${trimmed.slice(0, 40)}…" stands in more than ${DEEPEST} other predicates.`);
  const verbatim = argument.trim();
  const needed = (what: string): string => {
    if (verbatim !== '') return verbatim;
    throw new Error(`${name}() needs ${what} between its parentheses.`);
  };
  switch (name) {
    case 'depends-on':
      return { kind: 'depends-on', requirement: verbatim === '*' ? null : parseRequirement(needed('a package')) };
    case 'path_exists':
      return { kind: 'path-exists', path: needed('a path') };
    case 'env': {
      const [variable = '', ...value] = needed('the name of a variable').split('=');
      return { kind: 'env', name: variable.trim(), ...(value.length > 0 && { value: value.join('=') }) };
    }
    case 'workspace-member':
      if (verbatim !== '') throw new Error('workspace-member() takes nothing between its parentheses.');
      return { kind: 'workspace-member' };
    case 'shell':
      return { kind: 'shell', command: needed('a command') };
    case 'not': {
      const [inner, ...more] = innerOf(name, argument, depth);
      if (inner === undefined || more.length > 0) throw new Error('not(…) takes one predicate.');
      return { kind: 'not', inner };
    }
    case 'any':
    case 'all':
      return { kind: name, inner: innerOf(name, argument, depth) };
    default: {
      const now = RETIRED[name];
      if (now !== undefined) throw new Error(`${name}(…) is now called ${now}(…).`);
      return { kind: 'custom', name, argument: verbatim };
    }
  }
};

/** @throws Error with a sentence on what is wrong and what would be right */
export const parsePredicate = (text: string): Predicate => parse(text, 0);

/** `depends-on` of a manifest: any of them does. @throws Error likewise */
export const parseDependsOn = (names: readonly string[]): Predicate => {
  const inner = names.map(
    (name): Predicate => ({
      kind: 'depends-on',
      requirement: name.trim() === '*' ? null : parseRequirement(name),
    }),
  );
  const [only] = inner;
  return inner.length === 1 && only !== undefined ? only : { kind: 'any', inner };
};

/** Both fields of one table: all must hold. Undefined where neither says anything. */
export const parseGate = (dependsOn: readonly string[], predicates: readonly string[]): Predicate | undefined => {
  const parts = [...(dependsOn.length === 0 ? [] : [parseDependsOn(dependsOn)]), ...predicates.map(parsePredicate)];
  return parts.length === 0 ? undefined : allOf(parts);
};

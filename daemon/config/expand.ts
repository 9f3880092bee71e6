// Variables in a definition, by one rule for all fields.
import type { Definition } from '../../schema/config.ts';
import { MetadError } from '../../schema/errors.ts';

export interface Values {
  /** What `${NAME}` may name. Values never reach an error or a log from here. */
  readonly variables: Readonly<Record<string, string>>;
  /** The session's root, for `${workspaceFolder}`; null where it has none. */
  readonly workspaceFolder?: string | null;
}

/** `${NAME}`, `${NAME:-default}`, and both with VS Code's `env:` before the name; also `${input:id}`, to refuse it. */
const REFERENCE = /\$\{(?:(input:)[^}]*|(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?)\}/g;

/** `unset` is the variable that would cure it. */
type Refuse = (field: string, why: string, unset?: string) => void;

const textOf = (text: string, field: string, values: Values, refuse: Refuse): string =>
  text.replace(
    REFERENCE,
    (whole, input: string | undefined, name: string | undefined, fallback: string | undefined) => {
      if (input !== undefined || name === undefined) {
        refuse(field, `${whole} asks for input, which metad does not do: name a variable of your shell instead`);
        return whole;
      }
      const known = name === 'workspaceFolder' ? (values.workspaceFolder ?? undefined) : own(values.variables, name);
      if (known !== undefined && (known !== '' || fallback === undefined)) return known;
      if (fallback !== undefined) return fallback;
      if (name === 'workspaceFolder')
        refuse(field, '${workspaceFolder} has no value, since this session has no workspace');
      else refuse(field, `the variable ${name} is not set`, name);
      return whole;
    },
  );

const own = (variables: Values['variables'], name: string): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

/** The definition with every text that may hold a reference replaced; `field` is the name by which a person finds it. */
const mapTexts = (definition: Definition, map: (field: string, text: string) => string): Definition => {
  const { reach } = definition;
  const record = (kind: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(`${kind}.${name}`, text)]));
  return {
    ...definition,
    reach:
      reach.kind === 'stdio'
        ? {
            ...reach,
            command: map('command', reach.command),
            args: reach.args.map((text, at) => map(`args[${at}]`, text)),
            env: record('env', reach.env),
            ...(reach.cwd === undefined ? {} : { cwd: map('cwd', reach.cwd) }),
          }
        : { ...reach, url: map('url', reach.url), headers: record('headers', reach.headers) },
  };
};

/** Names of the variables that a definition refers to, each once: those with a default too, `workspaceFolder` not. */
export const variablesOf = (definition: Definition): string[] => {
  const found = new Set<string>();
  mapTexts(definition, (_, text) => {
    for (const match of text.matchAll(REFERENCE)) if (match[2] !== undefined) found.add(match[2]);
    return text;
  });
  found.delete('workspaceFolder');
  return [...found];
};

/**
 * A definition with every reference replaced. The rule, the same in command, args, env, url, headers and cwd:
 * - `${NAME}` is the value of the variable NAME; an error where it is not set.
 * - `${NAME:-default}` is the default where NAME is not set or empty. The default ends at the first `}` and is literal.
 * - `${workspaceFolder}` is the root of the session's workspace; `${env:NAME}` is read as `${NAME}`.
 * - All else stays as it is: `$NAME`, `~`, a `${` that is not closed or holds no name, the names of env and headers.
 * - What was put in is never looked at again.
 * @throws MetadError `bad-config` naming the server and every field and variable that fails, and no value.
 */
export const expand = (definition: Definition, values: Values): Definition => {
  const failures: string[] = [];
  const unset = new Set<string>();
  const refuse: Refuse = (field, why, name) => {
    failures.push(`${field}: ${why}`);
    if (name !== undefined) unset.add(name);
  };
  const expanded = mapTexts(definition, (field, text) => textOf(text, field, values, refuse));
  if (failures.length === 0) checkExpanded(expanded, refuse);
  if (failures.length === 0) return expanded;
  const [first] = unset;
  const remedy =
    first === undefined
      ? `Change it in ${definition.origin}`
      : `Set ${first} in your shell's profile and run \`metad daemon restart\` in a terminal, or write \${${first}:-default}`;
  throw new MetadError(
    'bad-config',
    `Server ${JSON.stringify(definition.name)} cannot be used: ${failures.join('; ')}. ${remedy}.`,
  );
};

/** What Node would refuse later, with the secret value in the text of its error. */
const checkExpanded = ({ reach }: Definition, refuse: Refuse): void => {
  if (reach.kind === 'stdio') {
    if (reach.command === '') refuse('command', 'it is empty once its variables are replaced');
    return;
  }
  if (!URL.canParse(reach.url) || !/^https?:/i.test(reach.url))
    refuse('url', 'it is no http:// or https:// address once its variables are replaced');
  for (const [name, text] of Object.entries(reach.headers))
    if (/[^\t -~\u0080-\u00ff]/.test(text))
      refuse(`headers.${name}`, 'it holds a line break or another character that no header can carry');
};

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

type Refuse = (field: string, why: string) => void;

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
      refuse(
        field,
        name === 'workspaceFolder'
          ? '${workspaceFolder} has no value, since this session has no workspace'
          : `the variable ${name} is not set`,
      );
      return whole;
    },
  );

const own = (variables: Values['variables'], name: string): string | undefined =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

/** Every text that may hold a reference, with the name by which a person finds it. */
const fieldsOf = ({ reach }: Definition): [field: string, text: string][] =>
  reach.kind === 'stdio'
    ? [
        ['command', reach.command],
        ...reach.args.map((text, at): [string, string] => [`args[${at}]`, text]),
        ...Object.entries(reach.env).map(([name, text]): [string, string] => [`env.${name}`, text]),
        ...(reach.cwd === undefined ? [] : [['cwd', reach.cwd] as [string, string]]),
      ]
    : [
        ['url', reach.url],
        ...Object.entries(reach.headers).map(([name, text]): [string, string] => [`headers.${name}`, text]),
      ];

/** Names of the variables that a definition refers to, each once: those with a default too, `workspaceFolder` not. */
export const variablesOf = (definition: Definition): string[] => {
  const found = fieldsOf(definition).flatMap(([, text]) =>
    [...text.matchAll(REFERENCE)].map((match) => match[2] ?? ''),
  );
  return [...new Set(found)].filter((name) => name !== '' && name !== 'workspaceFolder');
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
  const refuse: Refuse = (field, why) => void failures.push(`${field}: ${why}`);
  const at = (field: string, text: string) => textOf(text, field, values, refuse);
  const record = (kind: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, at(`${kind}.${name}`, text)]));
  const { reach } = definition;
  const expanded: Definition = {
    ...definition,
    reach:
      reach.kind === 'stdio'
        ? {
            ...reach,
            command: at('command', reach.command),
            args: reach.args.map((text, index) => at(`args[${index}]`, text)),
            env: record('env', reach.env),
            ...(reach.cwd === undefined ? {} : { cwd: at('cwd', reach.cwd) }),
          }
        : { ...reach, url: at('url', reach.url), headers: record('headers', reach.headers) },
  };
  if (failures.length === 0) checkExpanded(expanded, refuse);
  if (failures.length > 0)
    throw new MetadError(
      'bad-config',
      `Server ${JSON.stringify(definition.name)} cannot be used: ${failures.join('; ')}. ` +
        `Set it in your shell's profile and run \`metad daemon restart\` in a terminal, or change ${definition.origin}.`,
    );
  return expanded;
};

/** What Node would refuse later, with the secret value in the text of its error. */
const checkExpanded = ({ reach }: Definition, refuse: Refuse): void => {
  if (reach.kind === 'stdio') {
    if (reach.command === '') refuse('command', 'it is empty once its variables are replaced');
    return;
  }
  if (!URL.canParse(reach.url) || !/^https?:/i.test(reach.url))
    refuse('url', 'it is no http:// or https:// address once its variables are replaced');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  for (const [name, text] of Object.entries(reach.headers))
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(text))
      refuse(`headers.${name}`, 'it holds a line break or another character that no header can carry');
};

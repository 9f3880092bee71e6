// The text of a manifest to what it says, or a sentence on what is wrong with it and where.
import { parse as parseToml, TomlError } from 'smol-toml';
import { nodeAt, parseJsonc } from '../../../schema/config/jsonc.ts';
import { sentenceOf } from '../../../schema/config/sentence.ts';
import { messageOf } from '../../../schema/errors.ts';
import { nearName } from '../../../schema/near.ts';
import { IGNORED_KEYS, type PluginFile, pluginSchema, RETIRED_KEYS } from '../../../schema/plugin.ts';
import { isObject } from '../../../schema/tool.ts';

export interface Manifest {
  readonly file: string;
  readonly plugin: PluginFile;
  /** What is odd and changes nothing. */
  readonly warnings: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

/** @throws Error naming the file, and line and column where they are known */
export const tomlOf = (text: string, file: string): Table => {
  // What an editor leaves between truncating and writing.
  if (text.trim() === '') throw new Error(`${file} is empty.`);
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw new Error(`${file} cannot be read: ${messageOf(error)}`);
    const [reason = 'it is no TOML'] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new Error(`${file}:${error.line}:${error.column}: this is no TOML: ${reason}.`);
  }
};

const KNOWN = Object.keys(pluginSchema.def.shape);

const oddKeys = (table: Table, file: string): string[] =>
  Object.keys(table).flatMap((key) => {
    if (KNOWN.includes(key) || IGNORED_KEYS.includes(key)) return [];
    const now = RETIRED_KEYS[key];
    if (now !== undefined) return [`${file}: "${key}" is not read any more: it is called "${now}" now.`];
    const near = nearName(key, KNOWN);
    const hint =
      near === undefined ? 'Settings of metad’s own stand in metad.toml beside it.' : `Did you mean "${near}"?`;
    return [`${file}: metad knows no key "${key}". ${hint}`];
  });

/** `crates` of older manifests means what `depends-on` means now: it is read, and warned about. */
const renewed = (table: Table): Table =>
  'crates' in table && !('depends-on' in table) ? { ...table, 'depends-on': table['crates'] } : table;

const renewedServers = (table: Table): Table => {
  const servers = table['mcp_servers'];
  if (!Array.isArray(servers)) return renewed(table);
  return { ...renewed(table), mcp_servers: servers.map((one) => (isObject(one) ? renewed(one) : one)) };
};

/**
 * @param table as TOML gives it
 * @throws Error naming the file and the key
 */
export const manifestOf = (table: Table, file: string): Manifest => {
  const value = renewedServers(table);
  const result = pluginSchema.safeParse(value, { jitless: true });
  if (result.success) return { file, plugin: result.data, warnings: oddKeys(table, file) };
  const parsed = parseJsonc(JSON.stringify(value), file);
  const sentences = result.error.issues.map((issue) =>
    parsed.ok ? sentenceOf(issue, issue.path, nodeAt(parsed.jsonc.root, issue.path)) : issue.message,
  );
  throw new Error(`${file}: ${sentences.join(' ')}`);
};

// One server put into, or taken out of, the text of a config file. Pure.
import type { Node } from 'jsonc-parser';
import { MetadError } from '../errors.ts';
import { childOf, parseJsonc, plainValue, propertiesOf } from './jsonc.ts';
import { withoutProperty, withProperty, withValue } from './jsonc-edit.ts';
import { problemText } from './problem.ts';

const BOM = '\uFEFF';
const KEY = 'mcpServers';

/** @throws MetadError `bad-request` with file, line and column where it is no JSONC: nothing is guessed */
const read = (text: string, file: string) => {
  const parsed = parseJsonc(text, file);
  if (!parsed.ok) throw new MetadError('bad-request', `Nothing was changed: ${problemText(parsed.problem)}`);
  const { jsonc } = parsed;
  const servers = childOf(jsonc.root, KEY);
  if (jsonc.root.type !== 'object' || (servers !== undefined && servers.type !== 'object'))
    throw new MetadError('bad-request', `Nothing was changed: ${file} must be an object, and so must its ${KEY}.`);
  return { jsonc, root: jsonc.root, servers };
};

const propertyOf = (servers: Node | undefined, name: string): Node | undefined =>
  servers?.children?.find(({ children }) => children?.[0]?.value === name);

type Entries = readonly (readonly [name: string, value: unknown])[];

const entriesOf = (servers: Node | undefined): Entries =>
  propertiesOf(servers).map(({ name, value }) => [name, plainValue(value)]);

/** A file of a person's is worth a second look: the text, if it says just what was meant. @throws MetadError `internal` */
const proven = (text: string, file: string, meant: Entries): string => {
  const parsed = parseJsonc(text, file);
  const found = parsed.ok ? entriesOf(childOf(parsed.jsonc.root, KEY)) : undefined;
  if (JSON.stringify(found) === JSON.stringify(meant)) return text;
  throw new MetadError(
    'internal',
    `Nothing was changed: metad does not know how to write into ${file}. Edit it yourself.`,
  );
};

/** Positions in a tree are those of the text without its byte order mark. */
const withoutBom = (text: string): readonly [bom: string, body: string] =>
  text.startsWith(BOM) ? [BOM, text.slice(BOM.length)] : ['', text];

/**
 * @param text empty for a file that is not there yet
 * @param replaces what stands under the name gives way, comments in it included
 * @throws MetadError `bad-request` where the file cannot be read, or has the name already
 */
export const withServer = (text: string, file: string, name: string, entry: unknown, replaces = false): string => {
  const [bom, body] = withoutBom(text);
  if (body.trim() === '') return `${bom}${JSON.stringify({ [KEY]: { [name]: entry } }, null, 2)}\n`;
  const { jsonc, root, servers } = read(body, file);
  const there = propertyOf(servers, name);
  const before = entriesOf(servers);
  if (there !== undefined && servers !== undefined && replaces) {
    const at = before.findIndex(([one]) => one === name);
    return bom + proven(withValue(body, servers, there, entry), file, before.with(at, [name, entry]));
  }
  if (there !== undefined) {
    const { line, column } = jsonc.at(there);
    throw new MetadError(
      'bad-request',
      `${file}:${line}:${column} has a server named ${name} already: take another name, or replace it with --force.`,
    );
  }
  const after =
    servers === undefined ? withProperty(body, root, KEY, { [name]: entry }) : withProperty(body, servers, name, entry);
  return bom + proven(after, file, [...before, [name, entry]]);
};

/**
 * The text without that server, however often it has it: the next one would come to count. Undefined where it has none of
 * that name. @throws as `withServer`
 */
export const withoutServer = (text: string, file: string, name: string): string | undefined => {
  const [bom, body] = withoutBom(text);
  if (body.trim() === '') return undefined;
  const { servers } = read(body, file);
  const there = propertyOf(servers, name);
  if (there === undefined || servers === undefined) return undefined;
  const before = entriesOf(servers);
  const at = before.findIndex(([one]) => one === name);
  const rest = bom + proven(withoutProperty(body, servers, there), file, before.toSpliced(at, 1));
  return withoutServer(rest, file, name) ?? rest;
};

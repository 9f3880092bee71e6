// A config file to a frozen Config and all that is wrong with it. Pure: daemon and terminal read alike.
import type { Node } from 'jsonc-parser';
import { type Config, type ConfigFile, configSchema, type Definition } from '../config.ts';
import { frozen } from './definition.ts';
import { childOf, type Jsonc, nodeAt, parseJsonc, plainValue, propertiesOf } from './jsonc.ts';
import { bareServer, unknownRegistryKey, unknownSetting } from './keys.ts';
import { type Problem, pathText } from './problem.ts';
import { registrySchema } from './registry.ts';
import { kindOf, sentenceOf } from './sentence.ts';
import { ONCE, readServer } from './server.ts';

export interface Reading {
  /** Undefined where the file as a whole cannot be used: no JSONC, or a setting outside of `mcpServers` is wrong. */
  readonly config: Config | undefined;
  readonly problems: readonly Problem[];
  /** All names under mcpServers in the order of the file; one that `config.servers` lacks has an error in `problems`. */
  readonly names: readonly string[];
}

/**
 * Reads the text of config.json. Never throws for what the file holds.
 * One wrong server leaves the others as they are; unknown keys are warnings; of two keys of one name the first counts.
 * @param source the file's bytes (then its encoding is checked too), or its text
 * @param origin the path of the file, for problems and definitions
 */
export const readConfig = (source: Uint8Array | string, origin: string): Reading => {
  const parsed = parseJsonc(source, origin);
  if (!parsed.ok) return { config: undefined, problems: [parsed.problem], names: [] };
  const { jsonc } = parsed;
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], node: Node, path: readonly PropertyKey[], message: string) =>
    void problems.push({ severity, file: origin, ...jsonc.at(node), path: pathText(path), message });

  const settings = readSettings(jsonc.root, report);
  const found = readServers(childOf(jsonc.root, 'mcpServers'), origin, report);
  warnOfDoubles(jsonc.root, [], jsonc, report);
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return {
    config:
      settings === undefined || found === undefined
        ? undefined
        : Object.freeze({ ...settings, servers: found.servers }),
    problems,
    names: found?.names ?? [],
  };
};

/** What is in force without any file. */
export const defaultConfig = (): Config =>
  Object.freeze({ ...settingsOf(configSchema.parse({}, ONCE)), servers: new Map<string, Definition>() });

export type Report = (severity: Problem['severity'], node: Node, path: readonly PropertyKey[], message: string) => void;

const settingsOf = ({ mcpServers: _, $schema: __, ...settings }: ConfigFile) => frozen(settings);

const readSettings = (root: Node, report: Report) => {
  if (root.type !== 'object') {
    report('error', root, [], `The file must be an object in { }, but is ${kindOf(root)}.`);
    return undefined;
  }
  warnOfUnknown(root, [], Object.keys(configSchema.def.shape), report);
  for (const [name, schema] of Object.entries(configSchema.def.shape)) {
    // Only the groups with fixed keys: the others are read by the parts that own them.
    const inner =
      schema.def.type === 'prefault' ? (schema.def as unknown as { innerType: Group }).innerType : undefined;
    const group = childOf(root, name);
    if (inner !== undefined && group !== undefined) warnOfUnknown(group, [name], Object.keys(inner.def.shape), report);
  }
  const registries = childOf(root, 'registries')?.children ?? [];
  for (const [at, entry] of registries.entries()) warnOfUnknownRegistryKeys(entry, at, report);
  // Each server is checked on its own.
  const result = configSchema.safeParse(plainValue(root, 'mcpServers'), ONCE);
  if (result.success) return settingsOf(result.data);
  for (const issue of result.error.issues) {
    const at = nodeAt(root, issue.path);
    report('error', at, issue.path, sentenceOf(issue, issue.path, at));
  }
  return undefined;
};

interface Group {
  readonly def: { readonly shape: Readonly<Record<string, unknown>> };
}

const warnOfUnknown = (node: Node, path: readonly string[], known: readonly string[], report: Report): void => {
  for (const { name, key, value } of propertiesOf(node)) {
    if (known.includes(name)) continue;
    const below = [...path, name];
    const inside = propertiesOf(value).map((property) => property.name);
    const server = path.length === 0 && (inside.includes('command') || inside.includes('url'));
    const label = pathText(below);
    report('warning', key, below, server ? bareServer(label) : unknownSetting(label, name, known));
  }
};

const warnOfUnknownRegistryKeys = (entry: Node, at: number, report: Report): void => {
  const known = Object.keys(registrySchema.def.shape);
  for (const { name, key } of propertiesOf(entry)) {
    const path = ['registries', at, name];
    if (!known.includes(name)) report('warning', key, path, unknownRegistryKey(pathText(path), name, known));
  }
};

const readServers = (node: Node | undefined, origin: string, report: Report) => {
  const servers = new Map<string, Definition>();
  const names = new Set<string>();
  if (node !== undefined && node.type !== 'object') {
    report('error', node, ['mcpServers'], `mcpServers must be an object in { }, but is ${kindOf(node)}.`);
    return undefined;
  }
  for (const { name, value } of propertiesOf(node)) {
    if (names.has(name)) continue; // warnOfDoubles has told
    names.add(name);
    const definition = readServer(name, value, origin, report);
    if (definition !== undefined) servers.set(name, definition);
  }
  return { servers, names: [...names] };
};

/** The first of two keys counts, for servers as for all: what a file adds below never changes what stands above. */
export const warnOfDoubles = (node: Node, path: readonly PropertyKey[], jsonc: Jsonc, report: Report): void => {
  const first = new Map<string, Node>();
  for (const { name, key, value } of propertiesOf(node)) {
    const below = [...path, name];
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, key);
      warnOfDoubles(value, below, jsonc, report);
    } else {
      const line = jsonc.at(before).line;
      report(
        'warning',
        key,
        below,
        `${pathText(below)} is there twice: the one of line ${line} counts, this one is left out.`,
      );
    }
  }
  if (node.type === 'array')
    for (const [at, child] of (node.children ?? []).entries()) warnOfDoubles(child, [...path, at], jsonc, report);
};

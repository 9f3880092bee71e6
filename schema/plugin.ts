// The manifest of a plugin (SYMPOSIUM.toml), as far as metad reads it: which servers, and when they apply.
import * as z from 'zod/mini';

const texts = z.union([z.string(), z.array(z.string())]);
/** A table, or an array of `{name, value}` as ACP has it. */
const pairs = z.union([z.record(z.string(), z.string()), z.array(z.object({ name: z.string(), value: z.string() }))]);

const gate = {
  'depends-on': z.optional(texts),
  predicates: z.optional(z.array(z.string())),
};

const serverSchema = z.looseObject({
  ...gate,
  name: z.string().check(z.minLength(1)),
  type: z.optional(z.string()),
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  env: z.optional(pairs),
  url: z.optional(z.string()),
  headers: z.optional(pairs),
});

const installationSchema = z.looseObject({
  name: z.string(),
  source: z.optional(z.string()),
  crate: z.optional(z.string()),
  executable: z.optional(z.string()),
  script: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
});

const predicateSchema = z.looseObject({
  name: z.string(),
  command: z.union([z.string(), z.looseObject({})]),
  args: z.optional(z.array(z.string())),
});

const sourceSchema = z.looseObject({
  ...gate,
  source: z.looseObject({ path: z.optional(z.string()), cargo: z.optional(z.string()) }),
});

export const pluginSchema = z.looseObject({
  ...gate,
  name: z.optional(z.string()),
  predicate: z.optional(z.array(predicateSchema)),
  mcp_servers: z.optional(z.array(serverSchema)),
  installations: z.optional(z.array(installationSchema)),
  plugins: z.optional(z.array(sourceSchema)),
});

export type PluginFile = z.output<typeof pluginSchema>;
export type PluginServer = z.output<typeof serverSchema>;
export type Installation = z.output<typeof installationSchema>;

/** Read by Symposium and of no concern here. */
export const IGNORED_KEYS: readonly string[] = ['hooks', 'skills', 'subcommand', 'defaults', 'description', 'version'];

/** Keys of earlier versions, and what stands in their place. */
export const RETIRED_KEYS: Readonly<Record<string, string>> = {
  crates: 'depends-on',
  'plugin-source': 'registry',
};

// A tool as a backing server listed it, and what one listing of a whole server holds.

/** JSON as it came off the wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Hints that a server gives about a tool (MCP 2025-11-25, schema.ts `ToolAnnotations`); untrusted. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/**
 * One entry of `tools/list`, unchanged. Only `name` is sure: real servers publish boolean, null and missing schemas,
 * so both schemas are read defensively by whoever uses them.
 */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Json;
  readonly outputSchema?: Json;
  readonly annotations?: ToolAnnotations;
  readonly execution?: JsonObject;
  readonly _meta?: JsonObject;
}

/**
 * - `confirmed`: the running server said so in this daemon's life.
 * - `cached`: from the database, not confirmed yet.
 * - `stale`: a later refresh failed or came back empty; this is the last good list.
 */
export type Freshness = 'cached' | 'confirmed' | 'stale';

/** All that one server listed, at one moment. Immutable: a refresh makes a new one. */
export interface Listing {
  /** Identity of the definition that listed it, see daemon/catalog; never holds a secret. */
  readonly key: string;
  /** Name of the server in config at the time of listing; for people only. */
  readonly server: string;
  readonly tools: readonly Tool[];
  readonly instructions?: string;
  readonly serverInfo?: { readonly name: string; readonly version: string; readonly title?: string };
  readonly protocolVersion?: string;
  readonly freshness: Freshness;
  /** Milliseconds since the epoch, when the server last said so. */
  readonly listedAt: number;
  /** Raw names that earlier lists had and this one has not, the latest first; so that a call can be told so. */
  readonly removed?: readonly string[];
  /** What was wrong with the list: pages that failed or repeated, nameless or doubled tools. One sentence each. */
  readonly warnings: readonly string[];
}

/** One part of a tool's result (MCP `ContentBlock`), as sent. */
export type Content = { readonly type: string; readonly text?: string } & { readonly [key: string]: Json | undefined };

/** The result of `tools/call`, as sent. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

// What a workspace depends on, whatever package manager says so.

/** Where names of packages come from; the word before the colon in `cargo:sqlx`. */
export const ECOSYSTEMS = [
  'npm',
  'jsr',
  'cargo',
  'go',
  'pypi',
  'rubygems',
  'composer',
  'nuget',
  'hex',
  'swift',
  'pub',
  'maven',
] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface Dependency {
  readonly ecosystem: Ecosystem;
  /** As its ecosystem writes it: PyPI's by PEP 503, Maven's as `group:artifact`, Go's the module path. */
  readonly name: string;
  /** What the lockfile resolved it to, else null: a range in a manifest is no version. */
  readonly version: string | null;
  /** Named by a manifest of the workspace; false for what comes with others. */
  readonly direct: boolean;
  /** The folder of the member whose manifest names it, relative to the root with `/`; empty for the root itself. */
  readonly member: string;
}

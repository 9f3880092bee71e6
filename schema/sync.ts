// What a person is shown of registries before anything of them is used. Types only.
import type { TrustedServer, TrustFile } from './trust.ts';

export interface RegistryReport {
  readonly name: string;
  /** The address of the repository, or the folder. */
  readonly source: string;
  /** Of a repository: the commit in use (null: none yet) and the newest; null for a folder. */
  readonly commit: { readonly now: string | null; readonly next: string } | null;
  /** By manifest, relative to the registry's folder. */
  readonly files: readonly TrustFile[];
  /** Servers in use that the newest commit has no more. */
  readonly gone: readonly string[];
  /** False where the newest commit could not be had: the problems say why, and nothing is new. */
  readonly isFetched: boolean;
  /** Whole sentences. */
  readonly problems: readonly string[];
}

/** What a person said yes to: exactly this. */
export interface SyncedRegistry {
  readonly name: string;
  /** Null for a folder. */
  readonly commit: string | null;
  readonly servers: readonly Pick<TrustedServer, 'file' | 'server' | 'hash'>[];
}

export interface SyncResult {
  /** Sessions whose servers are others now. */
  readonly sessions: number;
}

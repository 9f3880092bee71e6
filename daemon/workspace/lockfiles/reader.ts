// What each parser of lockfiles is, and what it may look at.
import type { Dependency, Ecosystem } from '../dependency.ts';

/**
 * The files of a workspace root, by paths relative to it with `/` between names. Every path that is asked for, there or
 * not, becomes part of what is watched, so a reader asks for nothing that it does not need. Synchronous: readers run in a
 * worker.
 */
export interface Files {
  /** The whole text; undefined where there is no such file. @throws Error naming the file where it cannot be read. */
  text(path: string): string | undefined;
  /** Names in a folder, sorted; none where there is no such folder. Empty path: the root. */
  names(folder: string): readonly string[];
  /** Whether a folder of that path is there. */
  isFolder(path: string): boolean;
}

/** A row of the table of what is supported. */
export interface FileUse {
  /** As in the table: `package-lock.json`, `requirements*.txt`. */
  readonly file: string;
  /** What is read of it, as a phrase: `direct dependencies of each workspace`, `versions`. */
  readonly reads: string;
}

export interface Reader {
  /** Unique among readers; under it the last good result is kept. */
  readonly id: string;
  /** For people: `npm`, `Yarn`, `Cargo`. */
  readonly title: string;
  readonly ecosystems: readonly Ecosystem[];
  readonly files: readonly FileUse[];
  /**
   * Direct dependencies of the root and of each member, then what the lockfile holds beside them. Undefined where the root
   * has none of this reader's files. Without a lockfile: the manifests' direct dependencies, versions null.
   * @throws Error with a sentence that names the file and the place where a file of this reader is broken
   */
  read(files: Files): readonly Dependency[] | undefined;
}

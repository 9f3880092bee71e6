// All readers over one root: what is known is kept where nothing changed, and where something is broken.
import type { Dependency } from '../dependency.ts';
import type { Files, Reader } from '../lockfiles/reader.ts';
import { type Looks, looksAt, type Read } from './reads.ts';

/** What one reader found. */
export interface Finding {
  /** Of the reader. */
  readonly id: string;
  readonly reads: readonly Read[];
  /** The last good ones where there is a problem. */
  readonly dependencies: readonly Dependency[];
  /** A sentence: what is broken now. */
  readonly problem?: string;
}

/** Dependencies of one reader that are kept: the largest monorepos have some thousands, and all are written as one text. */
const MOST = 20_000;

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** Direct ones first: they alone decide anything. */
const bounded = (dependencies: readonly Dependency[]): readonly Dependency[] =>
  dependencies.length <= MOST
    ? dependencies
    : [...dependencies.filter(({ direct }) => direct), ...dependencies.filter(({ direct }) => !direct)].slice(0, MOST);

const findingOf = (reader: Reader, looks: Looks, before: Finding | undefined): Finding => {
  const { files: watched, reads } = looks.recorded();
  try {
    const dependencies = bounded(reader.read(watched) ?? []);
    return { id: reader.id, reads: reads(), dependencies };
  } catch (error) {
    const dependencies = before?.dependencies ?? [];
    return { id: reader.id, reads: reads(), dependencies, problem: problemOf(error) };
  }
};

/** A finding whose files are as they were is the very object that was given. Never throws. */
export const survey = (readers: readonly Reader[], files: Files, kept: readonly Finding[]): readonly Finding[] => {
  const looks = looksAt(files);
  const known = new Map(kept.map((finding) => [finding.id, finding]));
  return readers.map((reader) => {
    const before = known.get(reader.id);
    return before !== undefined && looks.isAsBefore(before.reads) ? before : findingOf(reader, looks, before);
  });
};

/** What a change of may matter, relative to the root: files (folders that must be there count as such), and names in folders. */
export const watchedOf = (findings: readonly Finding[]): { readonly files: string[]; readonly folders: string[] } => {
  const reads = findings.flatMap((finding) => finding.reads);
  const pathsOf = (isNames: boolean) => [
    ...new Set(reads.filter(({ kind }) => (kind === 'names') === isNames).map(({ path }) => path)),
  ];
  return { files: pathsOf(false), folders: pathsOf(true) };
};

// What a source file imports, read from its text: static, type-only, dynamic, `import('x')` as a type, and require.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Import {
  /** Path from the root of the repository. */
  readonly file: string;
  /** As written. */
  readonly specifier: string;
  /** A path from the root for our own files; `node:x` for built-ins; else the name of the package. */
  readonly target: string;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
}

// Over the raw text, comments included: an import that hides is worse than a comment that is taken for one.
const PATTERNS: readonly { pattern: RegExp; typeOnly: (match: RegExpMatchArray) => boolean }[] = [
  {
    pattern: /^[ \t]*(?:import|export)\b(?<clause>[^;'"`]*?)\bfrom\s*['"](?<specifier>[^'"]+)['"]/gm,
    typeOnly: ({ groups }) => isTypeClause(groups?.['clause'] ?? ''),
  },
  { pattern: /^[ \t]*import\s*['"](?<specifier>[^'"]+)['"]/gm, typeOnly: () => false },
  {
    // `typeof import('x')` and `import('x').Name` in a type position are erased; `await import('x')` is not.
    pattern: /(?<before>typeof\s+|await\s+|[:<|&=]\s*)?\bimport\s*\(\s*['"`](?<specifier>[^'"`]+)['"`]\s*\)/g,
    typeOnly: ({ groups }) => /^(?:typeof|[:<|&])/.test(groups?.['before'] ?? ''),
  },
  { pattern: /\b\w*require(?:\.resolve)?\s*\(\s*['"`](?<specifier>[^'"`]+)['"`]/gi, typeOnly: () => false },
];

const isTypeClause = (clause: string): boolean => {
  if (/^\s*type\b/.test(clause)) return true;
  const named = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
  return named?.split(',').every((name) => name.trim() === '' || /^\s*type\s/.test(name)) ?? false;
};

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

export const importsIn = (file: string, text: string): Import[] =>
  PATTERNS.flatMap(({ pattern, typeOnly }) =>
    [...text.matchAll(pattern)].map((match) => {
      const specifier = match.groups?.['specifier'] ?? '';
      const target = specifier.startsWith('.')
        ? join(dirname(file), specifier)
        : specifier.startsWith('node:')
          ? specifier
          : packageOf(specifier);
      return { file, specifier, target, typeOnly: typeOnly(match) };
    }),
  );

/** Imports whose target is computed: nobody can check those. */
export const computedImportsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![.\w])(?:import|require)\s*\((?!\s*['"`][^'"`$]*['"`]\s*\))[^)\n]*/g)].map(([found]) => found);

/** All TypeScript files below `folder`, as paths from `root`. */
export const sourcesBelow = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();

export const importsOf = (root: string, file: string): Import[] =>
  importsIn(file, readFileSync(join(root, file), 'utf8'));

/** The first cycle among these imports, as the files in order; undefined where there is none. */
export const cycleIn = (imports: readonly Import[]): string[] | undefined => {
  const edges = groupBy(imports);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    for (const { target } of edges.get(file) ?? []) {
      const found = visit(target, [...path, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
};

const groupBy = (imports: readonly Import[]): Map<string, Import[]> => {
  const groups = new Map<string, Import[]>();
  for (const found of imports) groups.set(found.file, [...(groups.get(found.file) ?? []), found]);
  return groups;
};

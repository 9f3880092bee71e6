// The manifests of a Python project: pyproject.toml as standards and Poetry, PDM and uv write it, and setup.cfg.

import { readText, readToml } from '../../parts/documents.ts';
import { inFolder } from '../../parts/paths.ts';
import { at, isTable, tableAt, textAt, textsAt } from '../../parts/values.ts';
import type { Files } from '../../reader.ts';
import { normalize, requirementOf } from './pypi.ts';

export const PYPROJECT = 'pyproject.toml';
export const SETUP = 'setup.cfg';

export interface Project {
  /** By PEP 503; undefined where the project has no name. */
  readonly name: string | undefined;
  /** Names of what it needs itself, of all groups and extras, without itself. */
  readonly needs: ReadonlySet<string>;
  /** Something that runs while the project is built says what else it needs. */
  readonly isDynamic: boolean;
  /** `[tool.uv.workspace]`. */
  readonly members: readonly string[];
  readonly exclude: readonly string[];
}

/** All texts in the lists of a table. */
const listsIn = (value: unknown, ...keys: readonly string[]): readonly string[] =>
  Object.keys(tableAt(value, ...keys)).flatMap((key) => textsAt(value, ...keys, key));

/** Poetry and Pipenv write tables with names as keys. */
const poetryNames = (poetry: unknown): readonly string[] => {
  const groups = Object.values(tableAt(poetry, 'group')).map((group) => tableAt(group, 'dependencies'));
  const tables = [tableAt(poetry, 'dependencies'), tableAt(poetry, 'dev-dependencies'), ...groups];
  return tables.flatMap((table) => Object.keys(table)).filter((name) => name !== 'python');
};

const projectOf = (document: unknown): Project => {
  const name = textAt(document, 'project', 'name') ?? textAt(document, 'tool', 'poetry', 'name');
  const lines = [
    ...textsAt(document, 'project', 'dependencies'),
    ...listsIn(document, 'project', 'optional-dependencies'),
    ...listsIn(document, 'dependency-groups'),
    ...textsAt(document, 'tool', 'uv', 'dev-dependencies'),
    ...listsIn(document, 'tool', 'pdm', 'dev-dependencies'),
  ];
  // PDM takes editable ones with pip's option and the name behind `#egg=`.
  const required = lines.map((line) => requirementOf(/^-e\s.*#egg=([^&\s]+)/.exec(line)?.[1] ?? line)?.name);
  const needs = new Set([...required, ...poetryNames(at(document, 'tool', 'poetry')).map(normalize)]);
  needs.delete(name === undefined ? undefined : normalize(name));
  return {
    name: name === undefined ? undefined : normalize(name),
    needs: new Set([...needs].filter((need) => need !== undefined)),
    isDynamic: textsAt(document, 'project', 'dynamic').some((field) => field.endsWith('dependencies')),
    members: textsAt(document, 'tool', 'uv', 'workspace', 'members'),
    exclude: textsAt(document, 'tool', 'uv', 'workspace', 'exclude'),
  };
};

/** What pyproject.toml in a folder says; undefined where there is none. @throws Error naming file and line */
export const readProject = (files: Files, folder: string): Project | undefined => {
  const document = readToml(files, inFolder(folder, PYPROJECT));
  return isTable(document) ? projectOf(document) : undefined;
};

/** Names in `install_requires` and the extras of setup.cfg; undefined where there is no such file. */
export const readSetup = (files: Files, folder: string): ReadonlySet<string> | undefined => {
  const text = readText(files, inFolder(folder, SETUP));
  if (text === undefined) return undefined;
  const found = new Set<string>();
  let section = '';
  let isWanted = false;
  for (const line of text.split('\n')) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const [, header] = /^\[([^\]]+)\]/.exec(line) ?? [];
    const [, key, value] = /^([\w.-]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (header !== undefined) {
      section = header.trim();
      isWanted = false;
      continue;
    }
    if (key !== undefined)
      isWanted = section === 'options.extras_require' || (section === 'options' && key === 'install_requires');
    const name = isWanted ? requirementOf(value ?? line)?.name : undefined;
    if (name !== undefined) found.add(name);
  }
  return found;
};

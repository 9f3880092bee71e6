// What Gradle's files say as text: projects of the settings, the version catalog, coordinates in a build file. They are
// programs: what is put together while they run is missed.

import { readText, readToml } from '../../parts/documents.ts';
import { below, MOST_MEMBERS } from '../../parts/paths.ts';
import { at, tableAt, textAt, textsAt } from '../../parts/values.ts';
import type { Files } from '../../reader.ts';

/** The file in Groovy or in Kotlin, whichever is there; comments to the end of a line left out. */
const readScript = (files: Files, path: string): string | undefined => {
  const text = readText(files, path) ?? readText(files, `${path}.kts`);
  return text?.replace(/(^|\s)\/\/.*$/gm, '$1');
};

/** Folders of the projects that settings.gradle includes, the root's too; undefined where there are no settings. */
export const projectFolders = (files: Files): readonly string[] | undefined => {
  const text = readScript(files, 'settings.gradle');
  if (text === undefined) return undefined;
  const moved = new Map<string, string>();
  for (const [, name = '', path = ''] of text.matchAll(
    /project\(\s*["']([^"']+)["']\s*\)\.projectDir\s*=\s*(?:new\s+)?[Ff]ile\([^"'\n]*["']([^"'\n]+)["']/g,
  ))
    moved.set(name.replace(/^:/, ''), path);
  const names = [...text.matchAll(/\binclude\b\s*\(?((?:\s*["'][^"'\n]+["']\s*,?)+)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/["']:?([^"'\n]+)["']/g)].map(([, name = '']) => name),
  );
  const folders = names.map((name) => below('', moved.get(name) ?? name.replaceAll(':', '/')));
  return [...new Set(['', ...folders.filter((folder) => folder !== undefined)])].slice(0, MOST_MEMBERS);
};

/** `group:artifact` by accessor: `libs.androidx.core` for `androidx-core`; several behind a bundle. */
export type Catalog = ReadonlyMap<string, readonly string[]>;

const accessor = (alias: string): string => alias.replace(/[-_]/g, '.');

const moduleOf = (library: unknown): string | undefined => {
  const text = typeof library === 'string' ? library : textAt(library, 'module');
  if (text !== undefined) return /^[^:\s]+:[^:\s]+/.exec(text)?.[0];
  const [group, name] = [textAt(library, 'group'), textAt(library, 'name')];
  return group === undefined || name === undefined ? undefined : `${group}:${name}`;
};

/** gradle/libs.versions.toml. @throws Error naming file and line */
export const readCatalog = (files: Files): Catalog => {
  const document = readToml(files, 'gradle/libs.versions.toml');
  const catalog = new Map<string, readonly string[]>();
  const libraries = tableAt(document, 'libraries');
  for (const [alias, library] of Object.entries(libraries)) {
    const module = moduleOf(library);
    if (module !== undefined) catalog.set(accessor(alias), [module]);
  }
  for (const bundle of Object.keys(tableAt(document, 'bundles'))) {
    const modules = textsAt(document, 'bundles', bundle).map((alias) => moduleOf(at(libraries, alias)));
    catalog.set(
      `bundles.${accessor(bundle)}`,
      modules.filter((module) => module !== undefined),
    );
  }
  return catalog;
};

/** What names a dependency in a `dependencies` block: a configuration of Gradle's, Java's, Kotlin's or Android's plugins. */
const CONFIGURATION =
  /\b(?:\w{0,60}(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[cC]ompileOnlyApi|[rR]untimeOnly|[aA]nnotationProcessor)|compile|testCompile|runtime|k(?:apt|sp)\w{0,60}|coreLibraryDesugaring|developmentOnly|classpath)\b[\s(]*/g;
const PLATFORM = /^(?:(?:enforcedP|p)latform|testFixtures)\s*\(\s*/;
const COORDINATES = /^["']([\w.-]+):([\w.-]+)/;
const MAP = /^group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']/;
const LIBS = /^libs\.([\w.]+)/;
const KOTLIN = /^kotlin\(\s*["']([\w-]+)["']/;

/** The longest accessor that a text begins with: `.get` and the like may follow. */
const inCatalog = (catalog: Catalog, path: string): readonly string[] => {
  const parts = path.split('.').slice(0, 20);
  for (let length = parts.length; length > 0; length--) {
    const found = catalog.get(parts.slice(0, length).join('.'));
    if (found !== undefined) return found;
  }
  return [];
};

/** `group:artifact` of all that build.gradle in a folder names; undefined where there is none. */
export const buildNeeds = (files: Files, path: string, catalog: Catalog): readonly string[] | undefined => {
  const text = readScript(files, path);
  if (text === undefined) return undefined;
  return [...text.matchAll(CONFIGURATION)].flatMap(({ index, 0: { length } }) => {
    const rest = text.slice(index + length, index + length + 500).replace(PLATFORM, '');
    const [, group, artifact] = COORDINATES.exec(rest) ?? MAP.exec(rest) ?? [];
    if (group !== undefined) return [`${group}:${artifact}`];
    const kotlin = KOTLIN.exec(rest)?.[1];
    if (kotlin !== undefined) return [`org.jetbrains.kotlin:kotlin-${kotlin}`];
    const libs = LIBS.exec(rest)?.[1];
    return libs === undefined ? [] : inCatalog(catalog, libs);
  });
};

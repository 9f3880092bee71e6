// Who may import whom, and why. A folder without a row, or a row without its folder, fails too.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { computedImportsIn, cycleIn, type Import, importsIn, importsOf, sourcesBelow } from './helpers/imports.ts';
import { ROOT } from './helpers/program.ts';

interface Rule {
  /** A file, or a folder with all below it that has no row of its own. */
  readonly from: string;
  /** Files, folders, `node:`, or names of packages. */
  readonly may: readonly string[];
  /** The same, for what the compiler erases. */
  readonly mayAsTypes?: readonly string[];
  readonly why: string;
}

/** What every part of the daemon may use. */
const COMMON = [
  'schema',
  'daemon/log.ts',
  'daemon/processes.ts',
  'daemon/scope.ts',
  'daemon/sqlite.ts',
  'daemon/watch.ts',
  'node:',
];

const RULES: readonly Rule[] = [
  { from: 'schema', may: ['schema'], why: 'both ends read it, so it may need neither' },
  { from: 'schema/config.ts', may: ['schema', 'zod'], why: 'the check of config.json is its schema' },
  { from: 'schema/config', may: ['schema', 'zod', 'jsonc-parser'], why: 'reads config.json with positions' },
  { from: 'schema/plugin.ts', may: ['schema', 'zod'], why: 'the check of a manifest is its schema' },
  { from: 'schema/check.ts', may: ['schema', 'zod'], why: 'checks what comes over the wire' },
  {
    from: 'shim',
    may: ['shim', 'schema/paths.ts', 'schema/wire.ts', 'node:'],
    why: 'its start-up is the first thing a user waits for',
  },
  {
    from: 'tui',
    may: ['tui', 'schema', 'shim/connect.ts', 'node:', 'commander', 'string-width'],
    why: 'a client like any other; ink costs more than all the rest',
  },
  {
    from: 'tui/status',
    may: ['tui', 'schema', 'node:', 'ink', 'react', 'string-width'],
    why: 'the one screen: from app.tsx down, ink is needed',
  },
  {
    from: 'daemon/catalog',
    may: ['daemon/catalog', 'schema'],
    mayAsTypes: ['daemon/store/store.ts', 'daemon/upstream/pool.ts', 'daemon/log.ts'],
    why: 'pure: no clock, disk or socket; call path and store are interfaces given to it',
  },
  {
    from: 'daemon/surface',
    may: ['daemon/surface', 'daemon/catalog', 'schema'],
    mayAsTypes: ['daemon/sandbox/sandbox.ts', 'daemon/upstream/pool.ts', 'daemon/run/contract.ts', 'daemon/log.ts'],
    why: 'a view over the catalog; pure like it',
  },
  {
    from: 'daemon/life',
    may: ['daemon/life', ...COMMON, 'better-sqlite3', 'semver'],
    mayAsTypes: ['fastify'],
    why: 'knows processes, not MCP',
  },
  {
    from: 'daemon/config',
    may: ['daemon/config', ...COMMON, 'jsonc-parser', 'zod'],
    why: 'siblings do not know each other; daemon.ts introduces them',
  },
  { from: 'daemon/store', may: ['daemon/store', ...COMMON, 'better-sqlite3'], why: 'as daemon/config' },
  {
    from: 'daemon/upstream',
    may: ['daemon/upstream', ...COMMON, '@modelcontextprotocol/client', '@modelcontextprotocol/core'],
    why: 'as daemon/config',
  },
  {
    from: 'daemon/sandbox',
    may: [
      'daemon/sandbox',
      ...COMMON,
      'quickjs-emscripten-core',
      '@jitl/quickjs-wasmfile-release-sync',
      'acorn',
      'sucrase',
      '@jridgewell/trace-mapping',
    ],
    why: 'as daemon/config',
  },
  {
    from: 'daemon/types',
    may: ['daemon/types', 'daemon/sandbox/script', ...COMMON],
    mayAsTypes: ['daemon/sandbox/limits.ts'],
    why: 'as daemon/config; scripts are read by the one rule of the sandbox',
  },
  {
    from: 'daemon/arguments',
    may: ['daemon/arguments', ...COMMON, 'ajv'],
    why: 'pure; whoever calls tools gives it the tool',
  },
  {
    from: 'daemon/run',
    may: ['daemon/run', ...COMMON],
    why: 'as daemon/config: scripts, agents and the database are interfaces given to it',
  },
  {
    from: 'daemon/session',
    may: ['daemon/session', 'daemon/catalog', ...COMMON, '@modelcontextprotocol/server', '@modelcontextprotocol/core'],
    mayAsTypes: ['daemon/upstream/pool.ts', 'daemon/sandbox/sandbox.ts', 'daemon/surface'],
    why: 'policy without plumbing: upstream and sandbox are interfaces given to it',
  },
  {
    from: 'daemon/api',
    may: ['daemon/api', 'daemon/session', ...COMMON, 'fastify'],
    mayAsTypes: ['daemon/upstream/pool.ts', 'daemon/catalog', 'daemon/store/store.ts', 'daemon/sandbox/sandbox.ts'],
    why: 'translates, decides nothing',
  },
  {
    from: 'daemon/log.ts',
    may: COMMON,
    why: 'every part may import it, so it imports none',
  },
  { from: 'daemon/processes.ts', may: COMMON, why: 'as daemon/log.ts' },
  { from: 'daemon/scope.ts', may: COMMON, why: 'as daemon/log.ts' },
  {
    from: 'daemon/sqlite.ts',
    may: [...COMMON, 'better-sqlite3'],
    why: 'as daemon/log.ts; the one place that picks a driver',
  },
  {
    from: 'daemon/watch.ts',
    may: [...COMMON, 'chokidar'],
    why: 'as daemon/log.ts; the one place that asks the system about files',
  },
  { from: 'daemon/late.ts', may: COMMON, why: 'knows no part' },
  { from: 'daemon/descriptors.ts', may: COMMON, why: 'as daemon/late.ts' },
  { from: 'daemon/log-line.ts', may: COMMON, why: 'as daemon/late.ts' },
  {
    from: 'daemon/journal.ts',
    may: [...COMMON, 'daemon/log-line.ts', 'rotating-file-stream'],
    why: 'the one place that knows where log lines go',
  },
  {
    from: 'daemon/workspace',
    may: ['daemon/workspace', ...COMMON, '@renovatebot/pep440', 'js-yaml', 'jsonc-parser', 'semver', 'smol-toml'],
    why: 'as daemon/config; one library a format',
  },
  {
    from: 'daemon/workspace/lockfiles',
    may: ['daemon/workspace', ...COMMON, '@rgrove/parse-xml', 'js-yaml', 'jsonc-parser', 'semver', 'smol-toml'],
    why: 'what others write is read with well-kept parsers',
  },
  {
    from: 'daemon/desk',
    may: [
      'daemon/desk',
      'daemon/late.ts',
      ...[
        'api',
        'arguments',
        'catalog',
        'config',
        'run',
        'sandbox',
        'session',
        'surface',
        'types',
        'upstream',
        'workspace',
      ].map((part) => `daemon/${part}`),
      ...COMMON,
    ],
    mayAsTypes: ['daemon/store/store.ts', 'daemon/descriptors.ts', 'daemon/workspace'],
    why: 'puts the parts together for whoever asks; daemon.ts opens and closes them',
  },
  {
    from: 'daemon/front.ts',
    may: ['daemon/api', 'daemon/life', ...COMMON],
    mayAsTypes: ['daemon/descriptors.ts'],
    why: 'a part of daemon.ts: the server on its socket, and who is let in',
  },
  { from: 'daemon/daemon.ts', may: ['daemon', ...COMMON, 'fastify'], why: 'the one place that chooses' },
  {
    from: 'daemon/main.ts',
    may: ['daemon/daemon.ts', 'daemon/journal.ts', 'daemon/life', ...COMMON],
    why: "argv, env, signals and exit code; the parts are daemon.ts's business",
  },
];

const TOP = ['daemon', 'shim', 'tui', 'schema'];
const existing = TOP.filter((folder) => existsSync(join(ROOT, folder)));
const sources = existing.flatMap((folder) => sourcesBelow(ROOT, folder));
const imports = sources.flatMap((file) => importsOf(ROOT, file));

const covers = (place: string, path: string): boolean =>
  place === path || path.startsWith(`${place}/`) || (place === 'node:' && path.startsWith('node:'));

/** The row with the longest path that covers the file. */
const ruleOf = (file: string): Rule | undefined =>
  RULES.filter(({ from }) => covers(from, file)).sort((a, b) => b.from.length - a.from.length)[0];

const isBroken = ({ file, target, typeOnly }: Import): boolean => {
  const rule = ruleOf(file);
  const may = [...(rule?.may ?? []), ...(typeOnly ? (rule?.mayAsTypes ?? []) : [])];
  return !may.some((place) => covers(place, target));
};

const complaint = (found: Import): string =>
  `${found.file} imports ${found.specifier}${found.typeOnly ? ' (type)' : ''}: ${ruleOf(found.file)?.why ?? 'no row for it'}`;

describe('imports', () => {
  test('every import is one that its folder may make', () => {
    expect(imports.filter(isBroken).map(complaint)).toEqual([]);
  });

  test('only schema/config and its checks need a library in schema', () => {
    const libraries = imports.filter(({ file, target }) => file.startsWith('schema/') && !target.startsWith('schema/'));
    expect([...new Set(libraries.map(({ file }) => file))]).toEqual(
      expect.not.arrayContaining(['paths', 'wire', 'errors', 'tool', 'identifier'].map((name) => `schema/${name}.ts`)),
    );
    expect(libraries.filter(({ file }) => file.startsWith('schema/declare/')).map(complaint)).toEqual([]);
  });

  test('only main.ts and tests import daemon.ts', () => {
    const importers = imports.filter(({ target }) => target === 'daemon/daemon.ts').map(({ file }) => file);
    expect(importers.filter((file) => file !== 'daemon/main.ts')).toEqual([]);
  });

  test('no import is computed', () => {
    const computed = sources.flatMap((file) =>
      computedImportsIn(readFileSync(join(ROOT, file), 'utf8')).map((found) => `${file}: ${found}`),
    );
    expect(computed).toEqual([]);
  });

  test('no import goes in a circle', () => {
    expect(cycleIn(imports.filter(({ target }) => TOP.some((top) => covers(top, target))))).toBeUndefined();
  });

  test('every row of the table exists, and every folder of the daemon has a row', () => {
    expect(RULES.map(({ from }) => from).filter((from) => !existsSync(join(ROOT, from)))).toEqual([]);
    const places = readdirSync(join(ROOT, 'daemon')).map((name) => `daemon/${name}`);
    expect(places.filter((place) => !RULES.some(({ from }) => from === place))).toEqual([]);
    expect(existing.filter((folder) => !statSync(join(ROOT, folder)).isDirectory())).toEqual([]);
  });
});

describe('the reading of imports', () => {
  const read = (text: string) => importsIn('daemon/store/x.ts', text).map(({ target, typeOnly }) => [target, typeOnly]);

  test('importsIn() sees every way to import', () => {
    expect(read("import { a } from '../life/lock.ts';")).toEqual([['daemon/life/lock.ts', false]]);
    expect(read("import type { A } from '../life/lock.ts';")).toEqual([['daemon/life/lock.ts', true]]);
    expect(read("import { type A, type B } from './b.ts';")).toEqual([['daemon/store/b.ts', true]]);
    expect(read("import { type A, b } from './b.ts';")).toEqual([['daemon/store/b.ts', false]]);
    expect(read("import {\n  a,\n  b,\n} from './b.ts';")).toEqual([['daemon/store/b.ts', false]]);
    expect(read("export * from './b.ts';\nimport './c.ts';")).toEqual([
      ['daemon/store/b.ts', false],
      ['daemon/store/c.ts', false],
    ]);
    expect(read("const x = await import('fastify');")).toEqual([['fastify', false]]);
    expect(read("let x: import('fastify').App;")).toEqual([['fastify', true]]);
    expect(read("type X = typeof import('@scope/name/deep');")).toEqual([['@scope/name', true]]);
    expect(read("const x = require('better-sqlite3');")).toEqual([['better-sqlite3', false]]);
    expect(read("const x = metadRequire('better-sqlite3');")).toEqual([['better-sqlite3', false]]);
  });

  test('a wrong import, a computed one and a circle are found', () => {
    const [wrong] = importsIn('shim/pump.ts', "import fastify from 'fastify';");
    expect(wrong && isBroken(wrong)).toBe(true);
    const [sibling] = importsIn('daemon/store/open.ts', "import type { Lease } from '../upstream/lease.ts';");
    expect(sibling && isBroken(sibling)).toBe(true);
    expect(computedImportsIn('await import(name); require("./" + name); import("./fine.ts")')).toHaveLength(2);
    const circle = [...importsIn('tui/a.ts', "import './b.ts'"), ...importsIn('tui/b.ts', "import './a.ts'")];
    expect(cycleIn(circle)).toEqual(['tui/a.ts', 'tui/b.ts', 'tui/a.ts']);
  });
});

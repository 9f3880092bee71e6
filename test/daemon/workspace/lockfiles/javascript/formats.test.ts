// What the projects kept as data do not show: other versions of the formats, and rarer things in them.
import { describe, expect, test } from 'vitest';
import { given, read } from './given.ts';

const one = (texts: Readonly<Record<string, string>>): readonly string[] => {
  const all = Object.values(read(given(texts)));
  expect(all).toHaveLength(1);
  return all[0] ?? [];
};

const manifest = (dependencies: object, more: object = {}): string => JSON.stringify({ dependencies, ...more });

describe('npm', () => {
  test('JSR’s packages stand under their own name and ecosystem', () => {
    const lock = '{"packages":{"node_modules/@std/path":{"name":"@jsr/std__path","version":"1.0.8"}}}';
    const files = { 'package.json': manifest({ '@std/path': 'npm:@jsr/std__path@^1' }), 'package-lock.json': lock };
    expect(one(files)).toEqual(['> jsr:@std/path 1.0.8']);
    expect(one({ 'package.json': manifest({ '@std/path': 'jsr:^1' }) })).toEqual(['> jsr:@std/path ?']);
  });

  test('a peer that nobody installed is no dependency, one that was is', () => {
    const lock = '{"packages":{"node_modules/react":{"version":"18.2.0","peer":true}}}';
    const files = { 'package.json': '{"peerDependencies":{"react":">=18","vue":"*"}}', 'package-lock.json': lock };
    expect(one(files)).toEqual(['> npm:react 18.2.0']);
  });

  test('what comes from git has the version of its package.json, and pre-releases are versions', () => {
    const lock = JSON.stringify({
      packages: {
        'node_modules/a': { version: '3.1.0-rc.1+build.5', resolved: 'git+ssh://git@host.example/a.git#0123abc' },
      },
    });
    expect(one({ 'package.json': manifest({ a: 'github:o/a' }), 'package-lock.json': lock })).toEqual([
      '> npm:a 3.1.0-rc.1+build.5',
    ]);
  });
});

describe('pnpm', () => {
  test('version 6 names packages with a slash and an @', () => {
    const lock = `lockfileVersion: '6.0'
dependencies:
  old-ms: {specifier: 'npm:ms@1.0.0', version: /ms@1.0.0}
  '@babel/core': {specifier: ^7, version: 7.0.0(supports-color@9.0.0)}
packages:
  /ms@1.0.0: {}
  /@babel/core@7.0.0(supports-color@9.0.0): {}
  /@babel/types@7.1.0: {}
`;
    expect(one({ 'pnpm-lock.yaml': lock })).toEqual([
      '> npm:@babel/core 7.0.0',
      '> npm:ms 1.0.0',
      '+ npm:@babel/types 7.1.0',
    ]);
  });

  test('what comes from git or as an archive has its version inside, in each version of the format', () => {
    const five = `lockfileVersion: 5.4
dependencies:
  a: github.com/o/a/0123abc
packages:
  github.com/o/a/0123abc:
    resolution: {tarball: https://codeload.example/o/a/tar.gz/0123abc}
    name: real-a
    version: 2.0.0
`;
    expect(one({ 'pnpm-lock.yaml': five })).toEqual(['> npm:real-a 2.0.0']);
    const nine = `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a: {specifier: github:o/a, version: https://codeload.example/o/a/tar.gz/0123abc}
packages:
  a@https://codeload.example/o/a/tar.gz/0123abc:
    resolution: {tarball: https://codeload.example/o/a/tar.gz/0123abc}
    version: 2.0.0
`;
    expect(one({ 'pnpm-lock.yaml': nine })).toEqual(['> npm:a 2.0.0']);
  });

  test('a document before the project’s is read with it', () => {
    const lock = `---
lockfileVersion: '9.0'
importers:
  .:
    packageManagerDependencies:
      pnpm: {specifier: 11.0.0, version: 11.0.0}
packages:
  pnpm@11.0.0:
    resolution: {integrity: x}
snapshots:
  pnpm@11.0.0: {}
---
lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      ms: {specifier: ^2, version: 2.1.3}
packages:
  ms@2.1.3:
    resolution: {integrity: x}
`;
    expect(one({ 'pnpm-lock.yaml': lock })).toEqual(['> npm:ms 2.1.3', '+ npm:pnpm 11.0.0']);
  });
});

describe('Yarn', () => {
  test('version 2 writes ranges of workspaces without a protocol, and patched packages beside the plain ones', () => {
    const lock = `__metadata:
  version: 4

"typescript@^4.0.0":
  version: 4.9.5
  resolution: "typescript@npm:4.9.5"
  linkType: hard

"typescript@patch:typescript@^4.0.0#builtin<compat/typescript>":
  version: 4.9.5
  resolution: "typescript@patch:typescript@npm%3A4.9.5#builtin<compat/typescript>::version=4.9.5&hash=1"
  linkType: hard

"site@workspace:apps/site":
  version: 0.0.0-use.local
  resolution: "site@workspace:apps/site"
  dependencies:
    typescript: ^4.0.0
  linkType: soft
`;
    expect(one({ 'package.json': manifest({ typescript: '^4.0.0' }), 'yarn.lock': lock })).toEqual([
      '> npm:typescript 4.9.5',
      'apps/site> npm:typescript 4.9.5',
    ]);
  });

  test('a range that the lockfile does not name takes the only version, if that is in the range', () => {
    const lock = 'ms@^2.0.0:\n  version "2.1.3"\n';
    const versions = (range: string) => one({ 'package.json': manifest({ ms: range }), 'yarn.lock': lock });
    expect(versions('^2.1.0')).toEqual(['> npm:ms 2.1.3']);
    expect(versions('^3.0.0')).toEqual(['> npm:ms ?', '+ npm:ms 2.1.3']); // edited, not yet installed
  });
});

test('Bun: a member’s own version comes before the one that others share', () => {
  const lock = `{
  "workspaces": { "": { "name": "root" }, "packages/a": { "name": "@r/a", "dependencies": { "ms": "^1", "here": "link:here" }, }, },
  "packages": { "ms": ["ms@2.1.3", "", {}, "x"], "@r/a/ms": ["ms@1.0.0", "", {}, "x"], "git": ["git@github:o/git#0123abc", {}, "x"], },
}`;
  expect(one({ 'bun.lock': lock })).toEqual([
    'packages/a> npm:here ?',
    'packages/a> npm:ms 1.0.0',
    '+ npm:git ?',
    '+ npm:ms 2.1.3',
  ]);
});

describe('Deno', () => {
  const config = `{
  // comments are allowed
  "imports": {
    "@std/path": "jsr:@std/path@^1.0.0", "posix": "jsr:@std/path@1/posix", "chalk": "npm:chalk", "preact/": "npm:/preact@^10.5.0/",
    "far": "https://x.example/mod.ts", "near": "./mod.ts", "fs": "node:fs",
  },
}`;

  test('version 4 names each specifier in its shortest form', () => {
    const lock = JSON.stringify({
      version: '4',
      specifiers: {
        'jsr:@std/path@1': '1.0.8',
        'npm:chalk@*': '5.3.0',
        'npm:preact@^10.5.0': '10.9.0_react@18.0.0',
      },
      jsr: { '@std/path@1.0.8': { dependencies: ['jsr:@std/internal'] }, '@std/internal@1.0.0': {} },
      npm: { 'chalk@5.3.0': {}, 'preact@10.9.0_react@18.0.0': {} },
    });
    expect(one({ 'deno.jsonc': config, 'deno.lock': lock })).toEqual([
      '> jsr:@std/path 1.0.8',
      '> npm:chalk 5.3.0',
      '> npm:preact 10.9.0',
      '+ jsr:@std/internal 1.0.0',
    ]);
  });

  test('version 3 keeps all that under `packages`, with the names in the values', () => {
    const lock = JSON.stringify({
      version: '3',
      packages: {
        specifiers: { 'jsr:@std/path@^1.0.0': 'jsr:@std/path@1.0.8', 'npm:chalk': 'npm:chalk@5.3.0' },
        jsr: { '@std/path@1.0.8': {} },
        npm: { 'chalk@5.3.0': {}, 'ms@2.0.0': {} },
      },
      remote: { 'https://x.example/mod.ts': 'hash' },
    });
    expect(one({ 'deno.json': config, 'deno.lock': lock })).toEqual([
      '> jsr:@std/path 1.0.8',
      '> npm:chalk 5.3.0',
      '> npm:preact ?',
      '+ npm:ms 2.0.0',
    ]);
  });

  test('without a lockfile names are known, of members and of an import map too', () => {
    const files = {
      'deno.json': '{"importMap":"./map.json","workspace":{"members":["./packages/*"]}}',
      'map.json': '{"imports":{"a":"npm:a@1"},"scopes":{"./x/":{"b":"jsr:@s/b@1"}}}',
      'packages/p/deno.json': '{"imports":{"c":"npm:c@1"}}',
      'packages/q/package.json': '{"dependencies":{"d":"^1","here":"file:../here"}}',
    };
    expect(read(given(files))).toEqual({
      deno: ['> jsr:@s/b ?', '> npm:a ?', 'packages/p> npm:c ?', 'packages/q> npm:d ?', 'packages/q> npm:here ?'],
    });
  });

  test('a package.json beside it belongs to the manager whose lockfile is there', () => {
    const lock = '{"packages":{"node_modules/ms":{"version":"2.1.3"}}}';
    const files = { 'deno.json': '{"imports":{"a":"npm:a@1"}}', 'package.json': manifest({ ms: '^2' }) };
    expect(read(given({ ...files, 'package-lock.json': lock }))).toEqual({
      npm: ['> npm:ms 2.1.3'],
      deno: ['> npm:a ?'],
    });
    expect(read(given(files))).toEqual({ deno: ['> npm:a ?'], 'package-json': ['> npm:ms ?'] });
  });

  test('a broken deno.jsonc is named with its place', () => {
    expect(() => read(given({ 'deno.jsonc': '{\n  "imports": {{\n' }))).toThrow(
      /^deno\.jsonc is broken at line 2, column 15/,
    );
  });
});

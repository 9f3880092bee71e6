// The examples of docs/plugins.md, each in a workspace where it must hold and in one where it must not.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appliedOf } from '../../../../daemon/workspace/applied.ts';
import { ECOSYSTEMS, type Ecosystem } from '../../../../daemon/workspace/dependency.ts';
import { READERS } from '../../../../daemon/workspace/lockfiles/readers.ts';
import { createPluginLoader } from '../../../../daemon/workspace/plugins/load.ts';
import { survey } from '../../../../daemon/workspace/survey/survey.ts';
import { testFolder } from '../../../helpers/folder.ts';
import { ROOT } from '../../../helpers/program.ts';
import { textFiles } from '../../../helpers/workspace-files.ts';

const examples = [
  ...(await readFile(join(ROOT, 'docs/plugins.md'), 'utf8')).matchAll(/<!-- example: (\w+) -->\n+```toml\n(.*?)```/gs),
].map(([, ecosystem = '', manifest = '']) => ({ ecosystem, manifest }));

/** Of each ecosystem, a project at a version: what a package manager leaves behind. */
const PROJECTS: { readonly [E in Ecosystem]: (version: string) => Readonly<Record<string, string>> } = {
  npm: (version) => ({
    'package.json': '{"dependencies": {"next": "*"}}',
    'package-lock.json': JSON.stringify({
      lockfileVersion: 3,
      packages: { '': { dependencies: { next: '*' } }, 'node_modules/next': { version } },
    }),
  }),
  jsr: (version) => ({
    'deno.json': '{"imports": {"@std/path": "jsr:@std/path@*"}}',
    'deno.lock': JSON.stringify({
      version: '5',
      specifiers: { 'jsr:@std/path@*': version },
      jsr: { [`@std/path@${version}`]: { integrity: '' } },
    }),
  }),
  cargo: (version) => ({
    'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nsqlx = "*"\n',
    'Cargo.lock': `version = 4\n[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = ["sqlx"]\n[[package]]\nname = "sqlx"\nversion = "${version}"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`,
  }),
  pypi: (version) => ({
    'pyproject.toml': '[project]\nname = "app"\nversion = "1"\ndependencies = ["Django"]\n',
    'uv.lock': `version = 1\n[[package]]\nname = "app"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "django" }]\n[[package]]\nname = "django"\nversion = "${version}"\nsource = { registry = "https://pypi.org/simple" }\n`,
  }),
  go: (version) => ({ 'go.mod': `module example.com/app\n\ngo 1.22\n\nrequire github.com/jackc/pgx/v5 v${version}\n` }),
  rubygems: (version) => ({
    'Gemfile.lock': `GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (${version})\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  rails\n`,
  }),
  composer: (version) => ({
    'composer.json': '{"require": {"laravel/framework": "*"}}',
    'composer.lock': JSON.stringify({ packages: [{ name: 'laravel/framework', version: `v${version}` }] }),
  }),
  nuget: (version) => ({
    'app.csproj':
      '<Project><ItemGroup><PackageReference Include="Microsoft.EntityFrameworkCore" /></ItemGroup></Project>',
    'packages.lock.json': JSON.stringify({
      version: 1,
      dependencies: { 'net8.0': { 'Microsoft.EntityFrameworkCore': { type: 'Direct', resolved: version } } },
    }),
  }),
  hex: (version) => ({
    'mix.exs': 'defmodule A do\n  defp deps do\n    [{:phoenix, "~> 1.0"}]\n  end\nend\n',
    'mix.lock': `%{\n  "phoenix": {:hex, :phoenix, "${version}", "aa", [:mix], [], "hexpm", "bb"},\n}\n`,
  }),
  swift: (version) => ({
    'Package.swift':
      '// swift-tools-version:5.9\nlet package = Package(dependencies: [.package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0")])\n',
    'Package.resolved': JSON.stringify({
      version: 2,
      pins: [{ identity: 'swift-nio', location: 'https://github.com/apple/swift-nio.git', state: { version } }],
    }),
  }),
  pub: (version) => ({
    'pubspec.yaml': 'name: app\ndependencies:\n  riverpod: any\n',
    'pubspec.lock': `packages:\n  riverpod:\n    dependency: "direct main"\n    source: hosted\n    version: "${version}"\nsdks:\n  dart: ">=3.0.0 <4.0.0"\n`,
  }),
  maven: (version) => ({
    'pom.xml': `<project><dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter</artifactId><version>${version}</version></dependency></dependencies></project>`,
  }),
};

/** In the range of the example, and outside of it. */
const VERSIONS: { readonly [E in Ecosystem]: readonly [inside: string, outside: string] } = {
  npm: ['15.1.0', '14.2.3'],
  jsr: ['1.0.8', '2.0.0'],
  cargo: ['0.8.2', '0.6.3'],
  pypi: ['5.0', '6.0'],
  go: ['5.5.0', '5.3.1'],
  rubygems: ['7.2.1', '8.0.0'],
  composer: ['11.9.2', '10.48.0'],
  nuget: ['8.0.1', '7.0.0'],
  hex: ['1.7.11', '1.6.16'],
  swift: ['2.65.0', '2.50.0'],
  pub: ['2.5.1', '3.0.0'],
  maven: ['3.3.0', '2.7.18'],
};

const offeredIn = async (manifest: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  await using folder = testFolder();
  await mkdir(folder.at('plugins'));
  await writeFile(folder.at('plugins/example.toml'), manifest);
  const { offers, problems } = await createPluginLoader(() => [{ path: folder.at('plugins') }])();
  expect(problems).toEqual([]);
  const findings = survey(READERS, textFiles(files), []);
  expect(findings.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  const facts = {
    dependencies: findings.flatMap(({ dependencies }) => dependencies),
    environment: {},
    isMember: false,
    pathExists: () => false,
    ran: () => false,
  };
  return [
    ...appliedOf(
      { config: new Map(), own: [], offers },
      () => facts,
      () => false,
    ).definitions.keys(),
  ];
};

test('docs/plugins.md has an example for each ecosystem', () => {
  expect(examples.map(({ ecosystem }) => ecosystem).sort()).toEqual([...ECOSYSTEMS].sort());
});

test.each(examples)(
  'the example for $ecosystem holds where its range does, and nowhere else',
  async ({ ecosystem, manifest }) => {
    const project = PROJECTS[ecosystem as Ecosystem];
    const [inside, outside] = VERSIONS[ecosystem as Ecosystem];
    expect(await offeredIn(manifest, project(inside))).toHaveLength(1);
    expect(await offeredIn(manifest, project(outside))).toEqual([]);
    expect(await offeredIn(manifest, {})).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { cargo } from '../../../../../daemon/workspace/lockfiles/others/cargo.ts';
import { brief, folderFiles, readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

test('cargo reads a workspace that Cargo locked: members by pattern and by path, renamed and shared dependencies', () => {
  const found = cargo.read(folderFiles('test/golden/lockfiles/cargo'));
  expect(brief(found)).toEqual([
    '[serde_derive 1.0.219]',
    '[sqlx-core 0.8.6]',
    '[syn 1.0.109]',
    'cc 1.2.25 @tools/gen',
    'criterion 0.5.1 @crates/api',
    'db 0.3.0',
    'db 0.3.0 @crates/api',
    'gen 0.1.0',
    'rand 0.7.3 @crates/api',
    'rand 0.9.1',
    'rand 0.9.1 @crates/api',
    'serde 1.0.219',
    'serde 1.0.219 @crates/db',
    'sqlx 0.8.6 @crates/db',
    'syn 2.0.101 @tools/gen',
    'tokio 1.45.1 @crates/api',
    'windows-sys 0.59.0 @crates/api',
  ]);
  expect(found?.[0]).toEqual({ ecosystem: 'cargo', name: 'db', version: '0.3.0', direct: true, member: '' });
});

test('cargo reads a lock of before v2, with the root in a table of its own and sources behind versions', () => {
  expect(
    readBrief(cargo, {
      'Cargo.toml': '[package]\nname = "app"\n[dependencies]\nlog = "0.4"\nbitflags = "1"\n',
      'Cargo.lock': [
        '[root]\nname = "app"\nversion = "0.1.0"',
        'dependencies = [\n "log 0.4.1 (registry+https://github.com/rust-lang/crates.io-index)",',
        ' "bitflags 1.0.1 (registry+https://github.com/rust-lang/crates.io-index)",\n]\n',
        '[[package]]\nname = "log"\nversion = "0.4.1"\nsource = "registry+https://x"\n',
        '[[package]]\nname = "bitflags"\nversion = "0.9.1"\nsource = "registry+https://x"\n',
        '[[package]]\nname = "bitflags"\nversion = "1.0.1"\nsource = "registry+https://x"\n',
      ].join('\n'),
    }),
  ).toEqual(['[bitflags 0.9.1]', 'bitflags 1.0.1', 'log 0.4.1']);
});

test('cargo without a lock gives no versions, and one that is behind its manifest all that it may be', () => {
  const manifest =
    '[package]\nname = "app"\n[dependencies]\nlog = "0.4"\nsyn = "2"\nnew = "1"\n[dev_dependencies]\nold = "1"';
  expect(readBrief(cargo, { 'Cargo.toml': manifest })).toEqual(['log ?', 'new ?', 'old ?', 'syn ?']);
  const held = ['log 0.4.1', 'syn 1.0.0', 'syn 2.0.0'].map((text) => {
    const [name, version] = text.split(' ');
    return `[[package]]\nname = "${name}"\nversion = "${version}"\nsource = "x"\n`;
  });
  expect(readBrief(cargo, { 'Cargo.toml': manifest, 'Cargo.lock': `version = 4\n${held.join('')}` })).toEqual([
    'log 0.4.1',
    'new ?',
    'old ?',
    'syn 1.0.0',
    'syn 2.0.0',
  ]);
});

test('cargo says undefined without its files, and looks at nothing outside the root', () => {
  expect(cargo.read(textFiles({ 'package.json': '{}' }))).toBeUndefined();
  const files = textFiles({
    'Cargo.toml':
      '[workspace]\nmembers = ["../other", "/etc", "a"]\n[workspace.dependencies]\nx = { path = "../../x" }',
    'a/Cargo.toml': '[dependencies]\ny = { path = "../../y" }',
  });
  expect(brief(cargo.read(files))).toEqual(['y ? @a']);
  expect([...files.asked].filter((path) => path.startsWith('.') || path.startsWith('/'))).toEqual([]);
});

test.each([
  ['[[package]]\nname = "a"\nversion = "1', /^Cargo\.lock line 3: /],
  ['', /^Cargo\.lock: holds no packages/],
  ['version = 4\n<<<<<<< HEAD\n[[package]]\n=======\n', /^Cargo\.lock line 2: holds conflict markers/],
])('cargo names file and line of a broken lock: %j', (lock, problem) => {
  expect(() => cargo.read(textFiles({ 'Cargo.toml': '', 'Cargo.lock': lock }))).toThrow(problem);
});

test('cargo takes odd shapes for nothing: keys of prototypes, tables where texts belong', () => {
  expect(
    readBrief(cargo, {
      'Cargo.toml': '\uFEFF[dependencies]\r\n__proto__ = "1"\r\nconstructor = { version = 1 }\r\n[target]\r\nx = 3\r\n',
      'Cargo.lock':
        'version = 4\npackage = [1, "a", { name = 3 }, { name = "__proto__", version = "1.0.0", source = "x" }]',
    }),
  ).toEqual(['__proto__ 1.0.0', 'constructor ?']);
});

test('what is not looked at of Cargo.lock is not parsed, and still a file that ends there is noticed', () => {
  const lock = `version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "sqlx 0.7.0",
]

[[package]]
name = "sqlx"
version = "0.7.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aa"
dependencies = [
 "not parsed"" at all
]

[[package]]
name = "sqlx"
version = "0.8.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
dependencies = [
`;
  const files = { 'Cargo.toml': '[package]\nname = "app"\n[dependencies]\nsqlx = "0.7"\n' };
  expect(brief(cargo.read(textFiles({ ...files, 'Cargo.lock': `${lock}]\n` })))).toContain('sqlx 0.7.0');
  expect(() => cargo.read(textFiles({ ...files, 'Cargo.lock': lock }))).toThrow(
    'Cargo.lock: ends in the middle of a list',
  );
});

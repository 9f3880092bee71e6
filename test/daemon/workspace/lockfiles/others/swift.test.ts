import { expect, test } from 'vitest';
import { swift } from '../../../../../daemon/workspace/lockfiles/others/swift.ts';
import { readBrief, textFiles } from '../../../../helpers/workspace-files.ts';

const MANIFEST = `// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Shop",
    dependencies: [
        .package(url: "https://github.com/vapor/vapor.git", from: "4.115.0"),
        .package(
            name: "Fluent",
            url: "https://github.com/vapor/Fluent", .upToNextMajor(from: "4.9.0")),
        .package(id: "mona.LinkedList", from: "1.0.0"),
        .package(path: "../Shared"),
        // .package(url: "https://github.com/x/gone", from: "1.0.0"),
    ],
    targets: [.target(name: "Shop", dependencies: [.product(name: "Vapor", package: "vapor")])]
)
`;
const pin = (identity: string, state: object) => ({
  identity,
  kind: 'remoteSourceControl',
  location: `https://github.com/x/${identity}.git`,
  state,
});

test.each([2, 3])('swift reads Package.resolved of version %s by identity', (version) => {
  const lock = {
    pins: [
      pin('vapor', { revision: 'a', version: '4.115.1' }),
      pin('fluent', { revision: 'b', branch: 'main' }),
      pin('swift-nio', { revision: 'c', version: '2.83.0' }),
    ],
    version,
  };
  expect(readBrief(swift, { 'Package.swift': MANIFEST, 'Package.resolved': JSON.stringify(lock) })).toEqual([
    '[swift-nio 2.83.0]',
    'fluent ?',
    'mona.linkedlist ?',
    'shared ?',
    'vapor 4.115.1',
  ]);
});

test('swift reads version 1, and says what is broken', () => {
  const pins = [{ package: 'Vapor', repositoryURL: 'git@github.com:vapor/vapor.git', state: { version: '4.0.0' } }];
  expect(readBrief(swift, { 'Package.resolved': JSON.stringify({ object: { pins }, version: 1 }) })).toEqual([
    '[vapor 4.0.0]',
  ]);
  expect(readBrief(swift, {})).toBeUndefined();
  expect(() => swift.read(textFiles({ 'Package.resolved': '{}' }))).toThrow(/^Package\.resolved: has no `pins`/);
  expect(() => swift.read(textFiles({ 'Package.resolved': '{\n\n"pins": [' }))).toThrow(/^Package\.resolved line 3/);
});

// What of registries may be used, whatever they hold; that of folders stands for that of commits.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { createPluginLoader } from '../../../../daemon/workspace/plugins/load.ts';
import { createRegistries } from '../../../../daemon/workspace/registry/registries.ts';
import { shownOf } from '../../../../daemon/workspace/trust/plan.ts';
import type { RegistryReport, SyncedRegistry } from '../../../../schema/sync.ts';
import type { TrustedServer } from '../../../../schema/trust.ts';
import { type TestFolder, testFolder } from '../../../helpers/folder.ts';

const server = (name: string, more = '') =>
  `depends-on = ["npm:next"]\n[[mcp_servers]]\nname = "${name}"\ncommand = "${name}-mcp"\n${more}`;

const setUp = (folder: TestFolder) => {
  const trusted = new Map<string, TrustedServer[]>();
  const registries = createRegistries({
    entries: () => [
      { name: 'one', path: folder.at('one') },
      { name: 'two', path: folder.at('two') },
    ],
    cache: folder.at('cache'),
    folderAt: (path) => path,
    pins: { get: () => undefined, set: () => {}, keep: () => {} },
    trusts: {
      of: (root) => trusted.get(root) ?? [],
      add: (root, servers) => void trusted.set(root, [...(trusted.get(root) ?? []), ...servers]),
    },
    shown: (offer) => shownOf(offer.definition, '/w', () => [], offer),
    environment: () => ({}),
    signal: new AbortController().signal,
    now: () => 1,
  });
  const load = createPluginLoader(() => [{ path: folder.at('mine') }, ...registries.folders()], registries.admitted);
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(folder.at(path)), { recursive: true });
      await writeFile(folder.at(path), text);
    }
  };
  const look = () => registries.look(new AbortController().signal);
  const takenOf = ({ name, files }: RegistryReport): SyncedRegistry => ({
    name,
    commit: null,
    servers: files.flatMap(({ file, servers }) => servers.map((one) => ({ file, server: one.name, hash: one.hash }))),
  });
  return {
    write,
    look,
    accept: registries.accept,
    takeAll: async () => registries.accept((await look()).filter(({ files }) => files.length > 0).map(takenOf)),
    offered: async () =>
      (await load()).offers.map(
        ({ definition: { name, origin } }) => `${name} ${origin.replace(`${folder.path}/`, '')}`,
      ),
    problems: async () => (await load()).problems.join('\n').replaceAll(`${folder.path}/`, ''),
  };
};

test('what waits takes no name from what was taken, nor from what is the person’s own', async () => {
  await using folder = testFolder();
  const at = setUp(folder);
  await at.write({ 'mine/a.toml': server('a'), 'two/b.toml': server('b') });
  await at.takeAll();
  await at.write({ 'one/a.toml': server('a'), 'one/b.toml': server('b') });
  expect(await at.offered()).toEqual(['a mine/a.toml', 'b two/b.toml']);
  expect(await at.problems()).toContain('Of the registry one these wait for `metad sync`: a, b.');
});

test('nothing outside of a registry’s folder belongs to it', async () => {
  await using folder = testFolder();
  const at = setUp(folder);
  await at.write({
    'outside/SYMPOSIUM.toml': server('out'),
    'one/x/SYMPOSIUM.toml': `${server('in')}\n[[plugins]]\nsource.path = "../../outside"\n`,
    'one/y/SYMPOSIUM.toml': server('y'),
  });
  await at.takeAll();
  expect(await at.offered()).toEqual(['y one/y/SYMPOSIUM.toml']);
  expect(await at.problems()).toContain('outside/SYMPOSIUM.toml is not read: it leads out of one, to');
});

test('a predicate of a registry is no word of anybody else’s, and what it runs is asked for with its server', async () => {
  await using folder = testFolder();
  const at = setUp(folder);
  const predicate = (command: string) => `[[predicate]]\nname = "fits"\ncommand = "${command}"\n`;
  await at.write({
    'mine/a.toml': `predicates = ["fits()"]\n${server('a')}${predicate('mine')}`,
    'one/b.toml': `predicates = ["fits()"]\n${server('b')}${predicate('good')}`,
    'one/c.toml': `depends-on = ["npm:next"]\n${predicate('other')}`,
  });
  const [report, missing] = await at.look();
  expect([missing?.isFetched, missing?.problems]).toEqual([false, [`${folder.at('two')} is not there.`]]);
  expect(report?.files[0]?.servers[0]?.gate?.runs).toEqual([['good']]);
  await at.takeAll();
  expect(await at.offered()).toEqual(['a mine/a.toml', 'b one/b.toml']);
  // A predicate of the person's own changes nothing of it; the registry's own does.
  await at.write({ 'mine/z.toml': `${server('z')}${predicate('z')}` });
  expect(await at.offered()).toHaveLength(3);
  await at.write({ 'one/b.toml': `predicates = ["fits()"]\n${server('b')}${predicate('evil')}` });
  expect(await at.offered()).toEqual(['a mine/a.toml', 'z mine/z.toml']);
  expect((await at.look())[0]?.files[0]?.servers[0]).toMatchObject({ state: 'changed', gate: { runs: [['evil']] } });
});

test('accept() takes exactly what was shown, or nothing', async () => {
  await using folder = testFolder();
  const at = setUp(folder);
  await at.write({ 'one/a.toml': server('a'), 'two/b.toml': server('b') });
  const shown = (await at.look()).map(({ name, files }) => ({
    name,
    commit: null,
    servers: files.flatMap(({ file, servers }) => servers.map((one) => ({ file, server: one.name, hash: one.hash }))),
  }));
  await at.write({ 'two/b.toml': server('b', 'args = ["--other"]\n') });
  await expect(at.accept(shown)).rejects.toThrow('"b" of the registry two is no longer what was shown');
  await expect(at.accept([{ name: 'three', commit: null, servers: [] }])).rejects.toThrow('no registry three any more');
  await expect(at.accept([{ name: 'one', commit: 'a'.repeat(40), servers: [] }])).rejects.toThrow('another one by now');
  expect(await at.offered()).toEqual([]);
});

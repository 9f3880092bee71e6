import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Files, Reader } from '../../../../daemon/workspace/lockfiles/reader.ts';
import { filesOf } from '../../../../daemon/workspace/survey/disk.ts';
import { type Finding, survey, watchedOf } from '../../../../daemon/workspace/survey/survey.ts';
import { testFolder } from '../../../helpers/folder.ts';

/** A reader of lines `name version`, which counts how often it parses; a line of `!` is broken. */
const lines = (id: string, file: string) => {
  let parsed = 0;
  const reader: Reader = {
    id,
    title: id,
    ecosystems: ['npm'],
    files: [{ file, reads: 'all' }],
    read: (files: Files) => {
      const text = files.text(file);
      if (text === undefined) return undefined;
      parsed += 1;
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          if (line === '!') throw new Error(`${file} is broken at its first line.`);
          const [name = '', version = null] = line.split(' ');
          return { ecosystem: 'npm', name, version, direct: true, member: '' };
        });
    },
  };
  return { reader, parsed: () => parsed };
};

const namesOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ dependencies }) => dependencies.map((d) => d.name));

test('survey() parses unchanged bytes once, and what changed again', async () => {
  await using folder = await testFolder();
  const [one, two] = [lines('one', 'a.lock'), lines('two', 'b.lock')];
  const readers = [one.reader, two.reader];
  await writeFile(folder.at('a.lock'), 'x 1\n');
  const first = survey(readers, filesOf(folder.path), []);
  expect(namesOf(first)).toEqual(['x']);
  expect(watchedOf(first)).toEqual({ files: ['a.lock', 'b.lock'], folders: [] });
  // As it comes back from where it was kept.
  const kept: Finding[] = JSON.parse(JSON.stringify(first));
  await writeFile(folder.at('a.lock'), 'x 1\n');
  const second = survey(readers, filesOf(folder.path), kept);
  expect(second[0]).toBe(kept[0]);
  expect(one.parsed()).toBe(1);
  await writeFile(folder.at('b.lock'), 'y 2\n');
  const third = survey(readers, filesOf(folder.path), second);
  expect(third[0]).toBe(kept[0]);
  expect(namesOf(third)).toEqual(['x', 'y']);
  expect([one.parsed(), two.parsed()]).toEqual([1, 1]);
});

test('survey() keeps the last good result of a broken file and says what is wrong', async () => {
  await using folder = await testFolder();
  const { reader } = lines('one', 'a.lock');
  await writeFile(folder.at('a.lock'), 'x 1\n');
  const good = survey([reader], filesOf(folder.path), []);
  await writeFile(folder.at('a.lock'), '!\n');
  const bad = survey([reader], filesOf(folder.path), good);
  expect(namesOf(bad)).toEqual(['x']);
  expect(bad[0]?.problem).toBe('a.lock is broken at its first line.');
  await writeFile(folder.at('a.lock'), 'z 1\n');
  const mended = survey([reader], filesOf(folder.path), bad);
  expect(namesOf(mended)).toEqual(['z']);
  expect(mended[0]?.problem).toBeUndefined();
});

test('filesOf() stays within the root, and reads neither pipes nor folders nor what is too large', async () => {
  await using folder = await testFolder();
  await mkdir(folder.at('root/inner'), { recursive: true });
  await writeFile(folder.at('secret'), 'outside');
  await symlink(folder.at('secret'), folder.at('root/link'));
  await symlink(folder.at('root/real'), folder.at('root/inside'));
  await writeFile(folder.at('root/real'), 'inside');
  await writeFile(folder.at('root/large'), Buffer.alloc(33 * 1024 * 1024));
  const files = filesOf(folder.at('root'));
  expect(['../secret', 'link', 'inner', 'absent', 'real/below'].map((path) => files.text(path))).toEqual(
    Array(5).fill(undefined),
  );
  expect(files.text('inside')).toBe('inside');
  expect(() => files.text('large')).toThrow('large has 33 MiB; metad reads files of up to 32 MiB.');
  expect([files.names(''), files.names('../'), files.isFolder('inner'), files.isFolder('..')]).toEqual([
    ['inner', 'inside', 'large', 'link', 'real'],
    [],
    true,
    false,
  ]);
});

test('filesOf() reads UTF-16 and leaves out byte order marks', async () => {
  await using folder = await testFolder();
  await writeFile(folder.at('a'), Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('flask==1', 'utf16le')]));
  await writeFile(folder.at('b'), '\uFEFF{}');
  const files = filesOf(folder.path);
  expect([files.text('a'), files.text('b')]).toEqual(['flask==1', '{}']);
});

test('survey() keeps a bounded number of dependencies, direct ones first', () => {
  const all = Array.from({ length: 30_000 }, (_, at) => ({
    ...{ ecosystem: 'npm' as const, name: `n${at}`, version: null, direct: at === 29_999, member: '' },
  }));
  const reader: Reader = { id: 'many', title: 'many', ecosystems: ['npm'], files: [], read: () => all };
  const files: Files = { text: () => undefined, names: () => [], isFolder: () => false };
  const [found] = survey([reader], files, []);
  expect([found?.dependencies.length, found?.dependencies[0]?.name]).toEqual([20_000, 'n29999']);
});

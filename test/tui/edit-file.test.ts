// A person's file replaced as a whole: what it keeps, and what it refuses.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { expect, test } from 'vitest';
import { editFile } from '../../tui/edit-file.ts';
import { testFolder } from '../helpers/folder.ts';

const add = (text: string): string => `${text}+`;

test('editFile() makes a file and its folders for nobody else to read, and keeps the mode of one that is there', async () => {
  await using folder = testFolder();
  const made = folder.at('new/config.json');
  expect(await editFile(made, add)).toBe(true);
  expect([readFileSync(made, 'utf8'), statSync(made).mode & 0o777]).toEqual(['+', 0o600]);
  expect(statSync(folder.at('new')).mode & 0o777).toBe(0o700);
  const shared = folder.at('shared.json');
  writeFileSync(shared, 'a');
  chmodSync(shared, 0o666); // more than the umask lets through
  expect(await editFile(shared, add)).toBe(true);
  expect(statSync(shared).mode & 0o777).toBe(0o666);
  expect(await editFile(shared, () => undefined)).toBe(false);
  expect(await editFile(shared, (text) => text)).toBe(false);
  expect(readdirSync(folder.path).sort()).toEqual(['new', 'shared.json']);
});

test('editFile() writes through links, also to a file that is not there yet', async () => {
  await using folder = testFolder();
  mkdirSync(folder.at('dotfiles'));
  symlinkSync('dotfiles/config.json', folder.at('config.json'));
  for (const text of ['+', '++']) {
    expect(await editFile(folder.at('config.json'), add)).toBe(true);
    expect(readFileSync(folder.at('dotfiles/config.json'), 'utf8')).toBe(text);
    expect(lstatSync(folder.at('config.json')).isSymbolicLink()).toBe(true);
  }
});

test('editFile() leaves alone what is no UTF-8, with every byte', async () => {
  await using folder = testFolder();
  const file = folder.at('config.json');
  for (const bytes of [Buffer.from([0x7b, 0xe9, 0x7d]), Buffer.from('\uFEFF{}', 'utf16le')]) {
    writeFileSync(file, bytes);
    await expect(editFile(file, add)).rejects.toThrow('not valid UTF-8');
    expect(readFileSync(file)).toEqual(bytes);
  }
  writeFileSync(file, '\uFEFFé');
  await editFile(file, add);
  expect(readFileSync(file, 'utf8')).toBe('\uFEFFé+');
});

test('editFile() reads again what others wrote meanwhile, and gives up where they never stop', async () => {
  await using folder = testFolder();
  const file = folder.at('config.json');
  writeFileSync(file, 'a');
  let changes = 0;
  const once = (text: string): string => {
    changes += 1;
    if (changes === 1) writeFileSync(file, 'theirs');
    return add(text);
  };
  expect(await editFile(file, once)).toBe(true);
  expect([readFileSync(file, 'utf8'), changes]).toEqual(['theirs+', 2]);
  const always = (text: string): string => {
    changes += 1;
    writeFileSync(file, `theirs ${changes}`);
    return add(text);
  };
  await expect(editFile(file, always)).rejects.toThrow('being written by something else');
  expect([readFileSync(file, 'utf8'), readdirSync(folder.path)]).toEqual([`theirs ${changes}`, ['config.json']]);
});

test('editFile() does not follow a workspace out of itself', async () => {
  await using folder = testFolder();
  for (const name of ['home', 'file/.metad', 'folder', 'plain']) mkdirSync(folder.at(name), { recursive: true });
  writeFileSync(folder.at('home/config.json'), 'mine');
  symlinkSync(folder.at('home/config.json'), folder.at('file/.metad/config.json'));
  symlinkSync(folder.at('home'), folder.at('folder/.metad'));
  for (const name of ['file', 'folder'])
    await expect(editFile(folder.at(`${name}/.metad/config.json`), add, folder.at(name))).rejects.toThrow(
      'a link out of the workspace',
    );
  expect(readFileSync(folder.at('home/config.json'), 'utf8')).toBe('mine');
  expect(await editFile(folder.at('plain/.metad/config.json'), add, folder.at('plain'))).toBe(true);
});

// Odd and broken input: a sentence that names the file and the place, or the right answer.
import { describe, expect, test } from 'vitest';
import { given, golden, read } from './given.ts';

const LOCKS = [
  ['shop/npm-1', 'package-lock.json'],
  ['shop/npm-3', 'package-lock.json'],
  ['shop/pnpm-7', 'pnpm-lock.yaml'],
  ['shop/pnpm-12', 'pnpm-lock.yaml'],
  ['shop/yarn-1', 'yarn.lock'],
  ['shop/yarn-4', 'yarn.lock'],
  ['shop/bun', 'bun.lock'],
  ['shop/deno', 'deno.lock'],
] as const;

const FILES = ['package.json', 'deno.jsonc', 'packages/web/package.json', 'packages/ui/package.json'];

/** The project with another text for its lockfile, or for all its files. */
const changed = (folder: string, lock: string, change: (text: string) => string, isForAll = false) => {
  const files = golden(folder);
  const texts = FILES.flatMap((path) => {
    const text = files.text(path);
    return text === undefined ? [] : [[path, isForAll ? change(text) : text] as const];
  });
  return given({ ...Object.fromEntries(texts), [lock]: change(files.text(lock) ?? '') });
};

describe.each(LOCKS)('%s', (folder, lock) => {
  test('a byte order mark and CRLF change nothing', () => {
    const windows = changed(folder, lock, (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`, true);
    expect(read(windows)).toEqual(read(golden(folder)));
  });

  test('the marks of an unresolved merge are named with their line', () => {
    const conflict = (text: string) => {
      const lines = text.split('\n');
      lines.splice(4, 0, '<<<<<<< HEAD', '=======', '>>>>>>> topic');
      return lines.join('\n');
    };
    const message = `${lock} is broken at line 5, column 1: a merge conflict is not resolved there.`;
    expect(() => read(changed(folder, lock, conflict))).toThrow(message);
  });

  test('wherever it is cut off, the answer is an error about the file or holds nothing wrong', () => {
    const whole = Object.values(read(golden(folder))).flat();
    const unversioned = new Set(whole.map((line) => line.replace(/ [^ ]+$/, ' ?')));
    const { length } = golden(folder).text(lock) ?? '';
    let errors = 0;
    for (let at = 1; at < length; at += Math.ceil(length / 150)) {
      try {
        const lines = Object.values(read(changed(folder, lock, (text) => text.slice(0, at)))).flat();
        const allowed = (line: string) =>
          whole.includes(line) || unversioned.has(line) || whole.includes(line.replace(/^\+/, '>'));
        // A package whose direct version is not known any more may be left among the others.
        const wrong = lines.filter((line) => !allowed(line) && !line.startsWith('+'));
        expect({ at, wrong }).toEqual({ at, wrong: [] });
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith(lock)) throw error;
        errors += 1;
      }
    }
    expect(errors).toBeGreaterThan(20);
  });

  test('a file of another kind is refused by name', () => {
    const message = new RegExp(`^${lock}`);
    expect(() => read(changed(folder, lock, () => '<!doctype html>\n<p>Not found\n'))).toThrow(message);
    if (lock === 'yarn.lock') return; // an empty one marks a root of Yarn's
    for (const text of ['', '[]', '1', '"text"', 'null'])
      expect(() => read(changed(folder, lock, () => text))).toThrow(message);
  });
});

test('an empty yarn.lock is a root of Yarn with nothing resolved', () => {
  expect(read(given({ 'yarn.lock': '', 'package.json': '{"dependencies":{"next":"^15"}}' }))).toEqual({
    yarn: ['> npm:next ?'],
  });
});

test('names of Object’s own things are packages like others', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const ask = (name: string) => `${JSON.stringify(name)}:"^1.0.0"`;
  const manifest = `{"packageManager":"MANAGER","dependencies":{${names.map(ask).join(',')}}}`;
  const whole = names.map((name) => `> npm:${name} 1.2.3`).sort();
  const none = names.map((name) => `> npm:${name} ?`).sort();
  const readWith = (lock: string, text: string) =>
    [...(Object.values(read(given({ 'package.json': manifest, [lock]: text })))[0] ?? [])].sort();
  const npm = names.map((name) => `"node_modules/${name}":{"version":"1.2.3"}`).join(',');
  expect(readWith('package-lock.json', `{"packages":{${npm}}}`)).toEqual(whole);
  const tree = names.map((name) => `${JSON.stringify(name)}:{"version":"1.2.3"}`).join(',');
  expect(readWith('package-lock.json', `{"lockfileVersion":1,"dependencies":{${tree}}}`)).toEqual(whole);
  const pnpm = names.map((name) => `  ${name}: 1.2.3\n`).join('');
  expect(readWith('pnpm-lock.yaml', `lockfileVersion: 5.4\ndependencies:\n${pnpm}`)).toEqual(whole);
  const yarn = names.map((name) => `${name}@^1.0.0:\n  version "1.2.3"\n\n`).join('');
  expect(readWith('yarn.lock', yarn)).toEqual(whole);
  // None of them is found on an object that does not have it.
  expect(readWith('package-lock.json', '{"packages":{}}')).toEqual(none);
  expect(readWith('package-lock.json', '{"lockfileVersion":1}')).toEqual(none);
  expect(readWith('bun.lock', '{"packages":{},}')).toEqual(none);
  expect(readWith('pnpm-lock.yaml', "lockfileVersion: '9.0'\n")).toEqual(none);
  expect(({} as { version?: string }).version).toBeUndefined();
});

test('what is no text, no object or no list where one belongs is left out', () => {
  const files = given({
    'package.json':
      '{"packageManager":7,"workspaces":{"packages":[1,{}]},"dependencies":{"a":1,"b":null,"c":"^1"},"devDependencies":[]}',
    'package-lock.json': '{"packages":{"":[],"node_modules/c":null,"node_modules/d":{"version":5},"packages/x":7}}',
  });
  expect(read(files)).toEqual({ npm: ['> npm:c ?', '+ npm:d ?'] });
});

test('a lockfile of a megabyte is read to its end', () => {
  const entry = (at: number) =>
    `  p${at}@1.0.${at}:\n    resolution: {integrity: sha512-${'a'.repeat(88)}}\n    engines: {node: '>=18'}\n\n`;
  const packages = Array.from({ length: 6000 }, (_, at) => entry(at)).join('');
  const importer = 'importers:\n  .:\n    dependencies:\n      p9:\n        specifier: ^1\n        version: 1.0.9\n';
  const text = `lockfileVersion: '9.0'\n${importer}packages:\n${packages}snapshots: {}\n`;
  expect(text.length).toBeGreaterThan(1e6);
  const { pnpm = [] } = read(given({ 'pnpm-lock.yaml': text }));
  expect(pnpm).toHaveLength(6000);
  expect(pnpm[0]).toBe('> npm:p9 1.0.9');
  expect(pnpm).toContain('+ npm:p5999 1.0.5999');
});

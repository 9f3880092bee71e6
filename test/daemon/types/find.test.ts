import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findChecker, missingChecker } from '../../../daemon/types/find.ts';
import { testFolder } from '../../helpers/folder.ts';
import { ROOT } from '../../helpers/program.ts';

const PLATFORM = `@typescript/typescript-${process.platform}-${process.arch}`;

const install = (modules: string, version: string, platform = true): void => {
  mkdirSync(`${modules}/typescript`, { recursive: true });
  writeFileSync(`${modules}/typescript/package.json`, JSON.stringify({ version }));
  if (platform) mkdirSync(`${modules}/${PLATFORM}`, { recursive: true });
};

test('findChecker() finds TypeScript within metad, and beside it', () => {
  expect(findChecker(ROOT)).toEqual({ program: expect.stringContaining(PLATFORM) });
  expect(missingChecker(ROOT)).toBeUndefined();
  using folder = testFolder();
  const modules = folder.at('lib', 'node_modules');
  for (const own of [`${modules}/metad`, `${modules}/@scope/metad`]) {
    mkdirSync(own, { recursive: true });
    install(modules, '7.0.2');
    expect(findChecker(own)).toEqual({ program: expect.stringContaining(`${modules}/${PLATFORM}/lib/tsc`) });
  }
});

test('findChecker() follows links as package managers lay them', () => {
  using folder = testFolder();
  const store = folder.at('store', 'typescript', 'node_modules');
  install(store, '8.1.0');
  mkdirSync(folder.at('node_modules', 'metad'), { recursive: true });
  symlinkSync(`${store}/typescript`, folder.at('node_modules', 'typescript'));
  expect(findChecker(folder.at('node_modules', 'metad'))).toEqual({ program: `${store}/${PLATFORM}/lib/tsc` });
});

test('findChecker() takes none from a folder above, and none from NODE_PATH', () => {
  using folder = testFolder();
  install(folder.at('node_modules'), '7.0.2');
  install(folder.at('elsewhere'), '7.0.2');
  const own = folder.at('projects', 'node_modules', 'metad');
  mkdirSync(own, { recursive: true });
  const before = process.env['NODE_PATH'];
  process.env['NODE_PATH'] = folder.at('elsewhere');
  try {
    expect(findChecker(own)).toEqual({ missing: expect.stringContaining('not installed') });
    expect(findChecker(folder.at('projects'))).toEqual({ missing: expect.stringContaining('not installed') });
  } finally {
    if (before === undefined) delete process.env['NODE_PATH'];
    else process.env['NODE_PATH'] = before;
  }
});

test('findChecker() says what is wrong with an older or incomplete TypeScript; missingChecker() names the way out', () => {
  using folder = testFolder();
  const modules = folder.at('node_modules');
  mkdirSync(`${modules}/metad`, { recursive: true });
  install(modules, '5.9.3', false);
  expect(findChecker(`${modules}/metad`)).toEqual({ missing: expect.stringContaining('version 5.9.3; 7 or later') });
  install(modules, '7.0.2', false);
  expect(findChecker(`${modules}/metad`)).toEqual({ missing: expect.stringContaining(PLATFORM) });
  writeFileSync(`${modules}/typescript/package.json`, '{');
  expect(findChecker(`${modules}/metad`)).toEqual({ missing: expect.stringContaining('version unknown') });
  expect(missingChecker(`${modules}/metad`)).toMatch(/execute\.typeNotes.*npm install -g typescript.*false/);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDriver } from '../../../daemon/sqlite.ts';
import { openStore } from '../../../daemon/store/open.ts';
import type { SavedResolution } from '../../../daemon/store/warmth.ts';

const resolution = (key: string, learnedAt = 1): SavedResolution => ({
  key,
  server: 's',
  program: '/p',
  package: 'pkg',
  version: '1.0.0',
  newest: '',
  learnedAt,
  checkedAt: learnedAt,
});

const scratch = () => {
  const folder = mkdtempSync(join(tmpdir(), 'metad-warmth-'));
  return {
    path: join(folder, 'metad.db'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

test('openStore() keeps what starts cost, what was used and what was resolved, over its closing', () => {
  using place = scratch();
  {
    using store = openStore({ path: place.path, log: () => {} });
    for (let at = 1; at <= 7; at += 1) store.warmth.recordStart({ server: 's', at, ms: at * 10, how: '' });
    store.warmth.recordUse({ workspace: '/w', server: 's', at: 1 });
    store.warmth.recordUse({ workspace: '/w', server: 't', at: 5 });
    store.warmth.recordUse({ workspace: '', server: 's', at: 9 });
    store.warmth.recordUse({ workspace: '/w', server: 's', at: 100_000 });
    store.warmth.saveResolution(resolution('a', 1));
    store.warmth.saveResolution(resolution('b', 2));
    store.warmth.saveResolution(resolution('c', 3));
    store.warmth.removeResolution('c');
  }
  using store = openStore({ path: place.path, log: () => {} });
  expect(store.warmth.starts('s').map(({ ms }) => ms)).toEqual([70, 60, 50, 40, 30]);
  expect(store.warmth.starts('other')).toEqual([]);
  expect(store.warmth.uses('/w').map(({ server, at }) => [server, at])).toEqual([
    ['s', 100_000],
    ['t', 5],
  ]);
  expect(store.warmth.resolution('a')).toEqual(resolution('a', 1));
  expect(store.warmth.resolution('c')).toBeUndefined();
  expect(store.warmth.resolutionOf('s')?.key).toBe('b');
});

test('openStore() bounds the rows of starts, uses and resolutions', () => {
  using place = scratch();
  {
    using store = openStore({ path: place.path, log: () => {} });
    for (let at = 0; at < 2100; at += 1) {
      store.warmth.recordStart({ server: `s${at % 300}`, at, ms: at, how: '' });
      store.warmth.recordUse({ workspace: `/w${at}`, server: 's', at });
      store.warmth.saveResolution(resolution(`k${at}`, at));
    }
  }
  using db = loadDriver().open(place.path, 1000);
  const count = (table: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']);
  expect(count('starts')).toBeLessThanOrEqual(1000);
  expect(count('uses')).toBe(2000);
  expect(count('resolutions')).toBe(500);
});

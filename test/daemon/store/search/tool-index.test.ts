import { afterEach, describe, expect, test } from 'vitest';
import { type Driver, LOADERS, loadDriver } from '../../../../daemon/sqlite.ts';
import { openStore } from '../../../../daemon/store/open.ts';
import { openPlainIndex } from '../../../../daemon/store/search/plain-index.ts';
import { openToolIndex } from '../../../../daemon/store/search/tool-index.ts';
import type { ToolDocument, ToolIndex } from '../../../../daemon/store/store.ts';
import { testFolder } from '../../../helpers/folder.ts';

const drivers = LOADERS.flatMap((loader): Driver[] => {
  try {
    return [loadDriver([loader])];
  } catch {
    return [];
  }
});

const document = (name: string, body = ''): ToolDocument => ({ name, title: '', lead: '', body, parameters: '' });
const idsOf = (index: ToolIndex, term: string, isPrefix?: boolean) => [...index.postings(term, isPrefix).ids];

const kinds: readonly (readonly [string, () => ToolIndex])[] = [
  ['plain text', openPlainIndex],
  ...drivers.map((driver) => [driver.name, () => openToolIndex(driver)] as const),
];

// One contract for whatever this Node can load.
describe.each(kinds)('an index by %s', (_, open) => {
  let index = open();
  afterEach(() => {
    index[Symbol.dispose]();
    index = open();
  });

  test('postings() gives who has a word, a name before a text', () => {
    expect(index.add([document('other', 'send mail'), document('send mail'), document('list')])).toEqual([1, 2, 3]);
    expect(idsOf(index, 'mail')).toEqual([1, 2]);
    const [text = 0, name = 0] = index.postings('mail').scores;
    expect(name).toBeGreaterThan(text);
    expect(text).toBeGreaterThan(0);
    expect(idsOf(index, 'send mail')).toEqual([1, 2]);
    expect(idsOf(index, 'lis', true)).toEqual([3]);
    expect(idsOf(index, 'zebra')).toEqual([]);
    expect([index.size, index.last]).toEqual([3, 3]);
  });

  test('postings() sees what is added after it was asked, and ids are never used again', () => {
    index.add(Array.from({ length: 50 }, (_, at) => document(`tool ${at}`)));
    expect(idsOf(index, 'zebra')).toEqual([]);
    index.add([document('zebra')]);
    expect(idsOf(index, 'zebra')).toEqual([51]);
    index.remove([51]);
    expect(index.add([document('zebra')])).toEqual([52]);
    expect(idsOf(index, 'zebra')).toContain(52);
    expect(index.size).toBe(51);
  });

  test('postings() takes any text', () => {
    index.add([document('a "b" c')]);
    for (const term of ['', '"', '" OR *', '\0', 'name:x', '^a', '-', '\ud800'])
      expect(() => index.postings(term)).not.toThrow();
  });
});

describe.each(drivers)('the index of $name', (driver) => {
  test('common() names the words that many have, until they were asked for', () => {
    using index = openToolIndex(driver);
    index.add(Array.from({ length: 800 }, (_, at) => document('list', at % 200 === 0 ? 'rare' : 'x')));
    expect(index.common()).toContain('list');
    expect(index.common()).not.toContain('rare');
    for (const word of index.common()) index.postings(word);
    expect(index.common()).toEqual([]);
  });
});

test('openStore() searches plain text, and says so, where SQLite has no FTS5', () => {
  using folder = testFolder();
  const [real] = drivers;
  if (real === undefined) throw new Error('no driver');
  const without: Driver = {
    name: 'old',
    open(path, busyMs) {
      const db = real.open(path, busyMs);
      return {
        ...db,
        exec(sql) {
          if (sql.includes('fts5')) throw new Error('no such module: fts5');
          db.exec(sql);
        },
      };
    },
  };
  const events: string[] = [];
  using store = openStore({ path: `${folder.path}/metad.db`, log: (event) => events.push(event), driver: without });
  const index = store.toolIndex();
  index.add([document('send mail')]);
  expect(idsOf(index, 'mail')).toEqual([1]);
  expect(store.toolIndex()).toBe(index);
  expect(events.filter((event) => event === 'search-plain')).toHaveLength(1);
});

import { describe, expect, test } from 'vitest';
import { namespaceNames, scriptNames } from '../../schema/identifier.ts';
import { nearNames } from '../../schema/near.ts';
import { compile } from '../helpers/typescript.ts';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

describe('scriptNames()', () => {
  test('R026: get-row, get_row and get.row each have their own name, in any order of arrival', () => {
    const raws = ['get-row', 'get_row', 'get.row'];
    const names = scriptNames(raws);
    expect(names.get('get_row')).toBe('get_row');
    expect(names.get('get-row')).toMatch(/^get_row_[a-z0-9]{4}$/);
    expect(new Set(names.values()).size).toBe(3);
    for (const order of [[...raws].reverse(), ['get.row', 'get_row', 'get-row']]) {
      for (const [raw, script] of scriptNames(order)) expect(script).toBe(names.get(raw));
    }
  });

  test('spells a name that stands alone without a hash', () => {
    const names = scriptNames(['delete-all', 'devserver.start', 'a/b c', 'plain', '_private', '$x']);
    expect(Object.fromEntries(names)).toEqual({
      'delete-all': 'delete_all',
      'devserver.start': 'devserver_start',
      'a/b c': 'a_b_c',
      plain: 'plain',
      _private: '_private',
      $x: '$x',
    });
  });

  test('R028: reserved words, digits, accents and pictures become names that are stable and parse', () => {
    const raws = ['delete', 'await', '404', 'constructor', '__proto__', 'then', 'résumé', '🚀', '', '检索', 'toJSON'];
    const names = scriptNames(raws);
    expect(raws.map((raw) => names.get(raw))).toEqual([
      'delete_',
      'await_',
      '_404',
      'constructor_',
      'proto_',
      'then_',
      'résumé',
      'u1f680',
      names.get(''),
      '检索',
      'toJSON_',
    ]);
    expect(new Set(names.values()).size).toBe(raws.length);
    for (const script of names.values()) expect(script).toMatch(IDENTIFIER);
  });

  test('gives an accented name in decomposed form the form that people type', () => {
    expect(scriptNames(['re\u0301sume\u0301']).get('re\u0301sume\u0301')).toBe('résumé');
    const both = scriptNames(['résumé', 're\u0301sume\u0301']);
    expect(both.get('résumé')).toBe('résumé');
    expect(both.get('re\u0301sume\u0301')).toMatch(/^résumé_[a-z0-9]{4}$/);
  });

  test('never lets a made name meet a raw one', () => {
    const suffixed = scriptNames(['a-b', 'a.b']).get('a-b') ?? '';
    const names = scriptNames(['a-b', 'a.b', suffixed, 'delete', 'delete_', 'delete-']);
    expect(names.get(suffixed)).toBe(suffixed);
    expect(names.get('delete_')).toBe('delete_');
    expect(new Set(names.values()).size).toBe(6);
  });

  test('is one-to-one over thousands of random names', () => {
    let seed = 1;
    const next = (bound: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % bound;
    };
    const letters = ['a', 'b', '-', '_', '.', '🚀', 'é', '1', ' ', '\u200b', '/'];
    const raws = new Set<string>();
    while (raws.size < 4000)
      raws.add(Array.from({ length: 1 + next(6) }, () => letters[next(letters.length)]).join(''));
    const names = scriptNames([...raws]);
    expect(new Set(names.values()).size).toBe(raws.size);
    for (const script of names.values()) expect(script).toMatch(IDENTIFIER);
  });

  test('makes names that TypeScript takes for functions', () => {
    const words =
      'any as async await boolean break class declare enum eval from get global if implements import infer interface is keyof let module namespace never null number object of package private readonly require return set static string symbol type undefined unique unknown using var void yield NaN Infinity globalThis Promise Record Object';
    const names = [...scriptNames(words.split(' ')).values()];
    const text = `declare namespace words {\n${names.map((name) => `function ${name}(): Promise<any>;`).join('\n')}\n}\nexport {};\n`;
    expect(compile(new Map([['words.d.ts', text]]))).toEqual([]);
  });
});

describe('namespaceNames()', () => {
  test('R026: db-main and db_main are two namespaces', () => {
    const names = namespaceNames(['db-main', 'db_main']);
    expect(names.get('db_main')).toBe('db_main');
    expect(names.get('db-main')).toMatch(/^db_main_[a-z0-9]{4}$/);
  });

  test('never takes a name of the language, the sandbox or metad', () => {
    for (const name of ['store', 'fetch', 'Math', 'console', 'process', 'metad', 'Promise', 'undefined', 'string']) {
      expect(namespaceNames([name]).get(name)).toBe(`${name}_`);
    }
    expect(namespaceNames(['github', 'memory']).get('memory')).toBe('memory');
  });
});

describe('nearNames()', () => {
  const known = ['create_issue', 'list_issues', 'get_pull_request', 'search_code'];
  test('finds slips, other separators and parts', () => {
    expect(nearNames('create_isue', known)[0]).toBe('create_issue');
    expect(nearNames('createIssue', known)[0]).toBe('create_issue');
    expect(nearNames('pull-request', known)).toEqual(['get_pull_request']);
    expect(nearNames('xyzzy', known)).toEqual([]);
  });
});

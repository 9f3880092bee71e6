import { expect, test } from 'vitest';
import { catalogOf } from '../../../daemon/catalog/catalog.ts';
import { createViews, findServer, findTool } from '../../../daemon/catalog/view.ts';
import { matchesGlob } from '../../../schema/glob.ts';
import { definition, listingOf, viewOf } from '../../helpers/view.ts';

test('matchesGlob() takes `*` for any text and everything else literally', () => {
  const yes = [
    ['*', ''],
    ['a*', 'a\nb'],
    ['*b', 'ab'],
    ['a*c*e', 'abcde'],
    ['a.b', 'a.b'],
    ['**', 'x'],
    ['a**b', 'ab'],
    ['🚀*', '🚀x'],
    ['', ''],
    ['ab*ab', 'abab'],
  ];
  const no = [
    ['a.b', 'axb'],
    ['a', 'ab'],
    ['b', 'ab'],
    ['a*', 'ba'],
    ['*a', 'ab'],
    ['[ab]', 'a'],
    ['', 'a'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
  ];
  for (const [pattern = '', text = ''] of yes) expect(matchesGlob(pattern, text), `${pattern} on ${text}`).toBe(true);
  for (const [pattern = '', text = ''] of no) expect(matchesGlob(pattern, text), `${pattern} on ${text}`).toBe(false);
});

test('matchesGlob() takes no long time over any pattern: it comes from an agent', () => {
  const before = performance.now();
  expect(matchesGlob(`${'*a'.repeat(40)}*b`, 'a'.repeat(200))).toBe(false);
  expect(matchesGlob(`${'*'.repeat(60)}x`, 'a'.repeat(200))).toBe(false);
  expect(performance.now() - before).toBeLessThan(500);
});

test('a view leaves disabled servers out and offers what includeTools and excludeTools let through, under stable names', () => {
  const tools = ['get-row', 'get_row', 'drop'];
  const definitions = [
    definition('a', { includeTools: ['get*'], excludeTools: ['get_row'] }),
    definition('b', { disabled: true }),
    definition('c'),
  ];
  const catalog = catalogOf(['a', 'b', 'c'].map((key) => listingOf(key, tools)));
  const { servers, namespaces } = createViews(({ name }) => name)(() => catalog, definitions, null);
  expect(servers.map((server) => server.definition.name)).toEqual(['a', 'c']);
  const [a, c] = servers;
  expect(a?.tools.map(({ raw }) => raw)).toEqual(['get-row']);
  // A filter renames nothing.
  expect(a?.tools[0]?.script).toBe(c?.tools.find(({ raw }) => raw === 'get-row')?.script);
  expect(namespaces.map(({ server, open }) => [server, open])).toEqual([
    ['a', false],
    ['c', false],
  ]);
});

test('a view opens the namespace of a server whose tools are unknown, and gives no server a built-in name', () => {
  const { namespaces } = viewOf({ store: undefined, Promise: ['x'], 'my-db': [] });
  expect(namespaces.map(({ global, open }) => [global, open])).toEqual([
    ['store_', true],
    ['Promise_', false],
    ['my_db', false],
  ]);
});

test('createViews() makes the named tools of one listing and definition once', () => {
  const make = createViews(({ name }) => name);
  const made = catalogOf([listingOf('a', ['x'])]);
  const catalog = () => made;
  const one = definition('a');
  expect(make(catalog, [one], null).servers[0]?.tools).toBe(make(catalog, [one], '/w').servers[0]?.tools);
});

test('findServer() and findTool() take raw and script names; raw ones win', () => {
  const view = viewOf({ 'db-main': ['get-row', 'get_row'], db_main: ['x'] });
  expect(findServer(view, 'db_main')?.definition.name).toBe('db_main');
  expect(findServer(view, 'db-main')?.definition.name).toBe('db-main');
  const [first] = view.servers;
  if (first === undefined) throw new Error('no server');
  expect(findServer(view, first.namespace)).toBe(first);
  expect(findTool(first, 'get_row')?.raw).toBe('get_row');
  const hyphen = findTool(first, 'get-row');
  expect(findTool(first, hyphen?.script ?? '')).toBe(hyphen);
  expect(findTool(first, 'nothing')).toBeUndefined();
});

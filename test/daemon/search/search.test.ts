import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createSearch } from '../../../daemon/catalog/search.ts';
import { loadDriver } from '../../../daemon/sqlite.ts';
import { openToolIndex } from '../../../daemon/store/search/tool-index.ts';
import type { Tool } from '../../../schema/tool.ts';
import { type QuerySet, readQueries } from '../../helpers/queries.ts';
import { corpusView, placeOf, qualityOf, viewServer } from '../../helpers/ranking.ts';

const index = openToolIndex(loadDriver());
const search = createSearch({ index: () => index, pause: () => setImmediate() });
afterAll(() => index[Symbol.dispose]());

const named = (tools: readonly Tool[]) => tools.map((tool) => ({ raw: tool.name, script: tool.name, tool }));
const server = (name: string, tools: readonly Tool[]) => viewServer(name, named(tools), tools);
const found = async (servers: Parameters<typeof search>[0], query: string, count = 20) =>
  (await search(servers, query, count)).map((match) => `${match.server.definition.name}.${match.tool.raw}`);

const corpus = corpusView();

/** Recall when each set was last measured, less 0.03; what the sets are stands in test/golden/search/README.md. */
const LEAST: readonly (readonly [QuerySet, number])[] = [
  ['tuned', 0.82],
  ['fresh', 0.85],
  ['held-out', 0.65],
];

describe('over the corpus', () => {
  test.each(LEAST)('search() finds a labelled tool among the first five, set %s, at least %d', async (set, least) => {
    const places: (number | undefined)[] = [];
    for (const labelled of readQueries(set)) {
      const matches = await search(corpus, labelled.query, 50);
      const ranked = matches.map(({ server, tool }) => ({ server: server.definition.name, raw: tool.raw }));
      places.push(placeOf(labelled, ranked));
    }
    // No list of what was missed: whoever reads the misses of the held-out set has tuned on it.
    expect(qualityOf(places).recallAt5).toBeGreaterThanOrEqual(least);
  });

  test('search() gives the same tools in the same order each time', async () => {
    const once = await found(corpus, 'list the open issues of a project', 50);
    expect(once).toHaveLength(50);
    expect(await found(corpus, 'list the open issues of a project', 50)).toEqual(once);
  });

  test('search() takes any text', async () => {
    const texts = ['', ' ', '"', '" OR *', 'a AND NOT (b', 'name:x', 'NEAR(a b)', '\0', 'x\0y', '-', '*', '^a', '🙂'];
    const more = [
      '\ud800',
      'it’s',
      "'; DROP TABLE tools; --",
      '天气',
      'ไทย',
      'x'.repeat(10_000),
      'list '.repeat(2_000),
    ];
    for (const text of [...texts, ...more]) await expect(search(corpus, text, 5), text).resolves.toBeInstanceOf(Array);
  });
});

describe('over a few tools', () => {
  const mail = server('mail', [
    { name: 'sendMessage', description: 'Sends an e-mail. Needs an address.' },
    { name: 'list_folders', description: 'Lists folders.' },
  ]);
  const notes = server('notes', [{ name: 'list', description: 'Lists notes; can send a message about them.' }]);

  test('search() puts a tool first whose name was asked for', async () => {
    expect((await found([mail, notes], 'LIST'))[0]).toBe('notes.list');
    expect((await found([mail, notes], 'sendmessage'))[0]).toBe('mail.sendMessage');
  });

  test('search() finds words of camel-cased names, in other forms, and other words for the same', async () => {
    expect((await found([mail, notes], 'sending messages'))[0]).toBe('mail.sendMessage');
    expect((await found([mail, notes], 'show directories'))[0]).toBe('mail.list_folders');
  });

  test('search() finds the tools of a server that is named, those that have a word of the task first', async () => {
    expect((await found([mail, notes], 'mail for folders')).slice(0, 2)).toEqual([
      'mail.list_folders',
      'mail.sendMessage',
    ]);
  });

  test('search() finds what a doer does', async () => {
    const one = server('one', [{ name: 'lint_files', description: 'Checks style.' }]);
    expect(await found([one], 'the linter')).toEqual(['one.lint_files']);
  });

  test('search() finds the beginning of a word that nobody has', async () => {
    const one = server('one', [{ name: 'a', description: 'Quarterly figures.' }]);
    expect(await found([one], 'quarte')).toEqual(['one.a']);
  });

  test('search() never gives what is not among the servers, nor what a filter of theirs leaves out', async () => {
    expect(await found([notes], 'send message')).toEqual(['notes.list']);
    const filtered = { ...mail, tools: mail.tools.filter(({ raw }) => raw !== 'sendMessage') };
    expect(await found([filtered], 'send message')).toEqual([]);
    expect(await found([mail], 'send message')).toEqual(['mail.sendMessage']);
  });

  test('search() follows a listing that changed', async () => {
    const before = server('change', [{ name: 'old_thing', description: 'zebra' }]);
    const after = server('change', [{ name: 'new_thing', description: 'giraffe' }]);
    expect(await found([before], 'zebra')).toEqual(['change.old_thing']);
    const { size } = index;
    await search.renew('change', after.listing?.tools ?? []);
    expect(index.size).toBe(size);
    expect(await found([after], 'zebra')).toEqual([]);
    expect(await found([after], 'giraffe')).toEqual(['change.new_thing']);
  });

  test('search() gives a tool of two definitions that reach the same under both', async () => {
    const twin = { ...notes, definition: { ...notes.definition, name: 'twin' } };
    expect(await found([notes, twin], 'notes')).toEqual(['notes.list', 'twin.list']);
  });
});

import { expect, test } from 'vitest';
import { search, wordsOf } from '../../../daemon/catalog/search.ts';
import { tool, viewOf } from '../../helpers/view.ts';

const { servers } = viewOf({
  files: [tool('read_file', { description: 'Reads one file.' }), tool('move', { description: 'Moves a file.' })],
  mail: [tool('sendMessage', { title: 'Send a letter', description: 'To anybody.' }), tool('listing')],
});

const found = (query: string) => search(servers, query).map((match) => match.tool.raw);

test('wordsOf() splits at case, underscores and signs, in any script', () => {
  expect(wordsOf('readTextFile_v2 für-Ämter 漢字!')).toEqual(['read', 'text', 'file', 'v2', 'für', 'ämter', '漢字']);
});

test('search() puts names before descriptions and finds other forms of a word', () => {
  expect(found('read files')).toEqual(['read_file', 'move']);
  expect(found('letters')).toEqual(['sendMessage']);
  expect(found('list')).toContain('listing');
});

test('search() puts a tool that is named exactly first, and finds nothing where nothing fits', () => {
  expect(found('move')[0]).toBe('move');
  expect(found('MOVE ')[0]).toBe('move');
  expect(found('quantum')).toEqual([]);
  expect(found('')).toEqual([]);
});

test('search() takes tools with fields of any kind', () => {
  const { servers: odd } = viewOf({ odd: [{ name: 'x', description: 7, title: null } as never] });
  expect(search(odd, 'x')).toHaveLength(1);
});

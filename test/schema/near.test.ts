import { expect, test } from 'vitest';
import { nearName, nearNames } from '../../schema/near.ts';

test('nearName() finds what was meant, and nothing where nothing is near', () => {
  expect(nearName('servesr', ['servers', 'surface'])).toBe('servers');
  expect(nearName('get-row', ['set_row', 'get_row'])).toBe('get_row');
  expect(nearName('zzz', ['servers'])).toBeUndefined();
  expect(nearName('', ['servers'])).toBeUndefined();
});

test('nearNames() gives the nearest first, and few', () => {
  expect(nearNames('files', ['fails', 'files2', 'file', 'flies', 'mail'], 3)).toEqual(['file', 'files2', 'flies']);
});

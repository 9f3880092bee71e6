import { expect, test } from 'vitest';
import { near } from '../../../daemon/sandbox/near.ts';

test('near() finds what a slip of the pen meant, the nearest first', () => {
  const names = ['delete', 'delete_all', 'read', 'write', 'list_files'];
  expect(near('delet', names)).toEqual(['delete', 'delete_all']);
  expect(near('listFiles', names)).toEqual(['list_files']);
  expect(near('raed', names)).toEqual(['read']);
  expect(near('something_else', names)).toEqual([]);
});

import { expect, test } from 'vitest';
import { createDeclarations } from '../../../daemon/catalog/declarations.ts';
import { createTypeNotes } from '../../../daemon/desk/type-notes.ts';
import type { Declaration, Types } from '../../../daemon/types/types.ts';
import { scope, viewOf } from '../../helpers/view.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at}`);

const asked = async (servers: Readonly<Record<string, readonly string[] | undefined>>) => {
  const given: (readonly Declaration[])[] = [];
  const notes: Types['notes'] = async (_, declarations) => {
    given.push(declarations);
    return ['a note'];
  };
  const typeNotes = createTypeNotes(createDeclarations().declare, async () => ({ notes }) as Types);
  const told = await typeNotes('script', viewOf(servers).servers, scope().signal);
  return { told, namespaces: given[0]?.map(({ namespace }) => namespace), text: given[0]?.[0]?.text };
};

test('createTypeNotes() declares the servers whose tools are known', async () => {
  const { told, namespaces, text } = await asked({ files: ['read'], none: [], unknown: undefined, web: ['get'] });
  expect(told).toEqual(['a note']);
  expect(namespaces).toEqual(['files', 'web']);
  expect(text).toContain('function read(');
});

test('createTypeNotes() asks nothing where nothing is known, and leaves out what would take too long', async () => {
  expect(await asked({ unknown: undefined })).toEqual({ told: [], namespaces: undefined, text: undefined });
  const { namespaces } = await asked({
    huge: names(1001),
    a: names(1000),
    b: names(1000),
    c: names(600),
    d: names(500),
  });
  expect(namespaces).toEqual(['a', 'b', 'd']);
});

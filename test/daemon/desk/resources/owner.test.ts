import { expect, test } from 'vitest';
import { type Offer, ownerOfUri } from '../../../../daemon/desk/resources/owner.ts';

const offer = (server: string, uris: string[], templates: string[] = []): Offer => ({
  server,
  uris: new Set(uris),
  templates,
});

test('ownerOfUri() takes the first that lists it, else the longest fixed start of a template', () => {
  const offers = [
    offer('any', [], ['{+anything}']),
    offer('files', ['file:///a'], ['file:///{path}']),
    offer('notes', ['file:///a', 'note:1'], ['file:///notes/{name}', 'note:{id}']),
  ];
  expect(ownerOfUri('file:///a', offers)).toBe('files');
  expect(ownerOfUri('note:1', offers)).toBe('notes');
  expect(ownerOfUri('file:///b', offers)).toBe('files');
  expect(ownerOfUri('file:///notes/x', offers)).toBe('notes');
  expect(ownerOfUri('http://x', offers)).toBeUndefined();
});

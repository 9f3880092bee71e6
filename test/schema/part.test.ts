import { expect, test } from 'vitest';
import { partLabel } from '../../schema/part.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

test('partLabel() names kind, number, place, type and decoded size', () => {
  for (const [part, number, label] of [
    [{ type: 'image', mimeType: 'image/png', data: base64(420 * 1024) }, 1, '[image 1: image/png, 420 KB]'],
    [{ type: 'image', mimeType: 'image/png', data: base64(1) }, undefined, '[image: image/png, 1 B]'],
    [{ type: 'audio', mimeType: 'audio/wav', data: base64(1500) }, 2, '[audio 2: audio/wav, 1.5 KB]'],
    [{ type: 'audio', mimeType: 'audio/wav', data: base64(3_500_000) }, 2, '[audio 2: audio/wav, 3.3 MB]'],
    [{ type: 'resource', resource: { uri: 'file:///a', text: 'abc' } }, 1, '[resource 1: file:///a, 3 B]'],
    [
      { type: 'resource', resource: { uri: 'a:b', mimeType: 'x/y', blob: base64(2) } },
      1,
      '[resource 1: a:b, x/y, 2 B]',
    ],
    [{ type: 'resource_link', uri: 'a:b', name: 'n' }, 1, '[resource link 1: a:b, n]'],
    [{ type: 'odd', mimeType: 7, resource: null }, undefined, '[odd]'],
    [{}, undefined, '[part]'],
    [
      { type: 'resource_link', uri: `a:${'b'.repeat(500)}`, name: 'n' },
      1,
      `[resource link 1: a:${'b'.repeat(197)}…, n]`,
    ],
  ] as const)
    expect(partLabel(part, number)).toBe(label);
});

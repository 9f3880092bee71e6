import { expect, test } from 'vitest';
import { costOf, warmthOf } from '../../../daemon/desk/warmth.ts';
import { server, stdio } from '../../helpers/upstream.ts';

test('costOf() gives the last one and the median', () => {
  expect(costOf([])).toBeNull();
  expect(costOf([120.4])).toEqual({ lastMs: 120, medianMs: 120, count: 1 });
  expect(costOf([900, 100, 120])).toEqual({ lastMs: 900, medianMs: 120, count: 3 });
});

test('warmthOf() knows of a cold server what its package runner ran, as long as that is what it still asks for', () => {
  const npx = (spec: string) =>
    stdio('x', [], { reach: { kind: 'stdio', command: 'npx', args: ['-y', spec], env: {} } });
  const known = {
    key: 'k',
    server: 'x',
    program: '/p',
    package: 'some-mcp',
    version: '1.2.3',
    newest: '',
    learnedAt: 1,
    checkedAt: 1,
  };
  const kept = { starts: () => [], resolutionOf: () => known };
  expect(warmthOf(npx('some-mcp'), undefined, kept)).toEqual({ start: null, how: null, resolved: 'some-mcp@1.2.3' });
  expect(warmthOf(npx('other-mcp'), undefined, kept).resolved).toBeNull();
  expect(warmthOf(server('x'), undefined, kept).resolved).toBeNull();
});

import { expect, test } from 'vitest';
import { createKeeping } from '../../../daemon/desk/keeping.ts';

const signal = new AbortController().signal;

const parts = () => {
  const seen: unknown[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      seen.push([name, ...args]);
      return undefined;
    };
  const keeping = createKeeping({
    store: {
      keepResult: (run, workspace, body) => Boolean(seen.push(['keep', run, workspace, body])),
      result: (run, workspace) => (run === 'r12' && workspace === '/w' ? '[1]' : undefined),
    },
    choices: {
      get: note('get'),
      set: note('set'),
      delete: (...args) => Boolean(seen.push(['delete', ...args])),
      keys: (workspace, prefix) => [`${workspace} ${prefix}`],
    },
  });
  return { seen, keeping };
};

test('createKeeping() keeps all by the workspace that the caller has at that moment', async () => {
  const { seen, keeping } = parts();
  let root: string | null = null;
  const { keepResult, service } = keeping({ root: () => root });
  await service('store.get', ['a'], signal);
  root = '/w';
  expect(keepResult('r12', '{}')).toBe(true);
  await service('store.set', ['a', '1'], signal);
  expect(await service('store.delete', ['a'], signal)).toBe('true');
  expect(await service('store.keys', ['p'], signal)).toBe('["/w p"]');
  expect(await service('result', ['r12'], signal)).toBe('[1]');
  expect(seen).toEqual([
    ['get', '', 'a'],
    ['keep', 'r12', '/w', '{}'],
    ['set', '/w', 'a', '1'],
    ['delete', '/w', 'a'],
  ]);
});

test('createKeeping() says whose result is not there, and takes no odd values or services', async () => {
  const { seen, keeping } = parts();
  const at = (root: string | null) => keeping({ root: () => root }).service;
  await expect(at('/v')('result', ['r12'], signal)).rejects.toThrow('No result "r12" is kept for the workspace /v.');
  await expect(at(null)('result', ['r12'], signal)).rejects.toThrow('kept for sessions without a workspace.');
  for (const name of ['12', '', 'x'.repeat(500)])
    await expect(at('/w')('result', [name], signal)).rejects.toMatchObject({ code: 'not-found' });
  await expect(at('/w')('store.set', ['a', '{no json'], signal)).rejects.toMatchObject({ code: 'bad-request' });
  await expect(at('/w')('store.drop', ['a'], signal)).rejects.toMatchObject({ code: 'unsupported' });
  expect(seen).toEqual([]);
});

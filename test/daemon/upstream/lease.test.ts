import { expect, test } from 'vitest';
import { createLeases, leaseOf } from '../../../daemon/upstream/lease.ts';
import { stdio } from '../../helpers/upstream.ts';

const A = { session: 'a', root: '/p' };
const B = { session: 'b', root: '/p' };
const Q = { session: 'c', root: '/q' };
const NOWHERE = { session: 'd', root: null };
const define = (more: object = {}, reach: object = {}) => ({
  ...stdio('x', ['run']),
  ...more,
  reach: { kind: 'stdio' as const, command: 'node', args: ['run'], env: { A: '1', B: '2' }, ...reach },
});
const key = (definition = define(), owner: typeof A | typeof NOWHERE = A, credentials = '') =>
  leaseOf(definition, owner, '/home/me', credentials).key;

test('leaseOf() shares by workspace, by session, or with everybody', () => {
  expect(key(define(), A)).toBe(key(define(), B));
  expect(key(define(), A)).not.toBe(key(define(), Q));
  expect(key(define({ sharing: 'session' }), A)).not.toBe(key(define({ sharing: 'session' }), B));
  expect(key(define({ sharing: 'user' }), A)).toBe(key(define({ sharing: 'user' }), Q));
  expect(key(define(), NOWHERE)).toBe(key(define(), { session: 'e', root: null }));
});

test('leaseOf() changes with what a running instance would miss, and with nothing else', () => {
  expect(key(define({}, { env: { B: '2', A: '1' } }))).toBe(key());
  expect(key(define({ callTimeoutMs: 1, idleMs: 1, includeTools: ['a'], origin: '/other' }))).toBe(key());
  for (const reach of [{ command: 'deno' }, { args: ['go'] }, { env: { A: '1' } }, { cwd: '/c' }]) {
    expect(key(define({}, reach))).not.toBe(key());
  }
  expect(key(define(), A, 'someone else')).not.toBe(key());
});

test('leaseOf() holds no secret', () => {
  const lease = leaseOf(define({}, { env: { TOKEN: 'hunter2' } }), A, '/home/me');
  expect(lease.key + lease.identity).not.toContain('hunter2');
});

test.each([
  [{ sharing: 'workspace' }, {}, A, '/p'],
  [{ sharing: 'session' }, {}, A, '/p'],
  [{ sharing: 'user' }, {}, A, '/home/me'],
  [{ sharing: 'workspace' }, {}, NOWHERE, '/home/me'],
  [{ sharing: 'user' }, { cwd: '/c' }, A, '/c'],
  [{ sharing: 'workspace' }, { cwd: 'notes' }, A, '/home/me/notes'],
  [{ sharing: 'workspace' }, { cwd: '~/notes' }, A, '/home/me/notes'],
])('leaseOf() runs %j %j for %j in %s', (more, reach, owner, cwd) => {
  expect(leaseOf(define(more, reach), owner, '/home/me').cwd).toBe(cwd);
});

test.each(['user', 'workspace', 'session'] as const)(
  'createLeases() remembers what leaseOf() gives, sharing %s',
  (sharing) => {
    const leases = createLeases('/home/me');
    const definition = define({ sharing });
    const owners = [A, { ...A, session: 'other' }, { ...A, root: '/other' }];
    for (const owner of [...owners, ...owners])
      expect(leases(definition, owner).key).toBe(leaseOf(definition, owner, '/home/me').key);
    expect(leases(definition, A)).toBe(leases(definition, A));
    expect(leases(define({ sharing, name: 'renamed' }), A).key).not.toBe(leases(definition, A).key);
  },
);

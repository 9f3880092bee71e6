import { expect, test } from 'vitest';
import { checkParams, isMethod } from '../../schema/check.ts';

test('checkParams() gives what was sent when it is right', () => {
  const params = { cwd: '/w', server: 's', tool: 't', arguments: { a: [1, { b: null }] } };
  expect(checkParams('call', params)).toEqual(params);
  expect(checkParams('status', {})).toEqual({});
  expect(checkParams('reload', {})).toEqual({});
});

test('checkParams() names method, field and what was expected', () => {
  expect(() => checkParams('exec', { cwd: '', script: 1, timeoutSeconds: 0 })).toThrow(
    /`exec`.*cwd: .*script: .*string.*timeoutSeconds: /s,
  );
  expect(() => checkParams('tools', { cwd: '/', servers: [], detail: 'ful' })).toThrow(/detail: .*"full"/);
  expect(() => checkParams('status', null)).toThrow(/the parameters: /);
  expect(() => checkParams('stop', { now: true })).toThrow(/"now"/);
});

test('isMethod() knows only the methods', () => {
  expect(['status', 'server.restart', 'toString', '__proto__', ''].map(isMethod)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

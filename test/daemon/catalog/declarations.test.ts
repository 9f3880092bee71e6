import { expect, test } from 'vitest';
import { createDeclarations } from '../../../daemon/catalog/declarations.ts';
import { tool, viewOf } from '../../helpers/view.ts';

test('declare() makes the text of one listing and detail once', () => {
  const { declare } = createDeclarations();
  const [server] = viewOf({ a: ['x'] }).servers;
  if (server === undefined) throw new Error('no server');
  expect(declare(server, 'full')).toBe(declare(server, 'full'));
  expect(declare(server, 'names')).not.toBe(declare(server, 'full'));
  expect(declare({ ...server, tools: [...server.tools] }, 'full')).not.toBe(declare(server, 'full'));
});

test('warningsOf() says each oddity once, and nothing before anything was declared', () => {
  const { declare, warningsOf } = createDeclarations();
  const schema = { type: 'object', properties: { a: { $ref: '#/nowhere' } } };
  const [server] = viewOf({ a: [tool('x', { inputSchema: schema })] }).servers;
  if (server === undefined) throw new Error('no server');
  expect(warningsOf(server)).toEqual([]);
  declare(server, 'full');
  declare(server, 'signatures');
  const warnings = warningsOf(server);
  expect(warnings.length).toBeGreaterThan(0);
  expect(new Set(warnings).size).toBe(warnings.length);
});

import { expect, test } from 'vitest';
import { instructions, menu } from '../../../daemon/surface/menu.ts';
import { viewOf } from '../../helpers/view.ts';

const named = (names: readonly string[]) => viewOf(Object.fromEntries(names.map((name) => [name, undefined])));
const many = Array.from({ length: 400 }, (_, at) => `server-number-${at}`);

test('menu() names every server while they fit, in their order', () => {
  expect(menu(named(['b', 'a']))).toBe('Available servers: b, a');
  expect(menu(named([]))).toMatch(/^Available servers: none/);
  expect(menu(named(['a']), 1)).toBe(
    'Available servers: a\nA server that this workspace declares waits until the user runs `metad trust` in it.',
  );
  expect(menu(named(['a']), 3)).toContain('\n3 servers that this workspace declares wait until');
});

test('menu() is cut near 2,000 characters and says how many are left out', () => {
  const text = menu(named(many));
  expect(text.length).toBeLessThan(2_100);
  expect(text.length).toBeGreaterThan(1_900);
  const [, left = ''] = /, … and (\d+) more \(list_tools/.exec(text) ?? [];
  expect(text.match(/server-number-\d+/g)).toHaveLength(400 - Number(left));
});

test('instructions() name the two steps and the servers within 250 characters, whatever the names', () => {
  for (const names of [['a', 'b'], many, ['x'.repeat(500), 'short'], []]) {
    const text = instructions(named(names));
    expect(text.length).toBeLessThanOrEqual(250);
    for (const step of ['list_tools', 'execute']) expect(text).toContain(step);
  }
  expect(instructions(named(['a', 'b']))).toMatch(/a, b\.$/);
  expect(instructions(named(many))).toMatch(/… \d+ more\.$/);
  expect(instructions(named(['x'.repeat(500), 'short']))).toContain('short');
});

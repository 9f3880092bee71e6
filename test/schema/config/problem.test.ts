import { expect, test } from 'vitest';
import { isWithin, pathText } from '../../../schema/config/problem.ts';

test('isWithin() takes no key for another that begins alike', () => {
  const outer = pathText(['mcpServers', 'db']);
  for (const path of [
    ['mcpServers', 'db'],
    ['mcpServers', 'db', 'args', 2],
    ['mcpServers', 'db', 'my key'],
  ])
    expect(isWithin(pathText(path), outer)).toBe(true);
  for (const path of [['mcpServers', 'db2', 'args'], ['mcpServers', 'db-main'], ['mcpServers']])
    expect(isWithin(pathText(path), outer)).toBe(false);
});

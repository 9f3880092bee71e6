import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { remote, server, testPool } from '../../../helpers/upstream.ts';

test('R013: an answer that the SDK throws at costs nothing but itself', async () => {
  await using up = await testPool();
  const odd = server('answering');
  expect(await up.say(odd, 'deep')).toBe('sent');
  expect(await up.say(odd, 'say', { text: 'still here' })).toBe('still here');
  await eventually(async () =>
    expect(await readFile(join(up.folder, 'logs', 'answering.log'), 'utf8')).toContain('could not be handled'),
  );
});

test('a server at an address is announced as no process', async () => {
  const baseEnvironment = vi.fn(() => ({}));
  await using up = await testPool({ baseEnvironment });
  await expect(up.say(remote('away', 'http://127.0.0.1:9/mcp'), 'x')).rejects.toThrow('away');
  expect(baseEnvironment).not.toHaveBeenCalled();
});

import fs from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, test, vi } from 'vitest';
import { openConfig } from '../../../daemon/config/source.ts';
import { testFolder } from '../../helpers/folder.ts';

// The limit is the whole system's, so the fault is played.
const watch = vi.spyOn(fs, 'watch').mockImplementation(() => {
  throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' });
});
syncBuiltinESMExports();
afterAll(() => {
  watch.mockRestore();
  syncBuiltinESMExports();
});

test('R092: watch() polls, with one line in the log, where the system has no more watches to give', async () => {
  await using folder = await testFolder();
  const file = folder.at('config.json');
  await writeFile(file, '{"surface": "flat"}');
  const events: string[] = [];
  await using source = await openConfig({
    file,
    log: (event) => events.push(event),
    onChange: () => {},
    watching: { settleMs: 50, pollMs: 100 },
  });
  await source.watch();
  await vi.waitFor(() => expect(events).toEqual(['watch.polls']), 10_000);
  await writeFile(file, '{"surface": "domains"}');
  await vi.waitFor(() => expect(source.config().surface).toBe('domains'), { timeout: 15_000, interval: 50 });
  expect(events).toEqual(['watch.polls', 'config.changed']);
});

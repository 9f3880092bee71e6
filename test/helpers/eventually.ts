// Waits for a condition, long enough for a machine that is busy with other things.
import { vi } from 'vitest';

export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });

import { defineConfig } from 'vitest/config';

// Two workers: the suite starts real daemons and servers, and the machine it must pass on has two cores.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Real processes on a shared machine: where nobody can run it again by hand, a failed test gets one more try.
    retry: process.env['CI'] ? 1 : 0,
    pool: 'forks',
  },
});

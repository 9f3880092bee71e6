import { defineConfig } from 'vitest/config';

// Two workers: the suite starts real daemons and servers, and the machine it must pass on has two cores.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
  // Real processes on a shared machine: where nobody can run it again by hand, a failed test gets one more try.
  retry: process.env['CI'] ? 1 : 0,
  pool: 'forks',
} as const;

/** Parts that leave nothing behind in their process: one process runs many such files, and loads what they share once. */
const PLAIN = [
  'test/{cases,e2e,schema}/**',
  'test/daemon/{api,arguments,catalog,config,desk,life,run,store,surface,workspace}/**',
];
const TESTS = '*.test.{ts,tsx}';

export default defineConfig({
  test: {
    ...shared,
    projects: [
      { test: { ...shared, name: 'plain', include: PLAIN.map((folder) => `${folder}/${TESTS}`), isolate: false } },
      {
        test: {
          ...shared,
          name: 'whole',
          include: [`test/**/${TESTS}`],
          exclude: PLAIN.map((folder) => `${folder}/${TESTS}`),
        },
      },
    ],
  },
});

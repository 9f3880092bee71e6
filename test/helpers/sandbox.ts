// A sandbox as the tests start it: real workers from a fresh bundle of the worker's source.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../daemon/sandbox/pool.ts';
import type {
  GuestNamespace,
  RunError,
  RunLimits,
  RunOutcome,
  RunRequest,
  Sandbox,
} from '../../daemon/sandbox/sandbox.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface WorkerBundle extends AsyncDisposable {
  readonly url: string;
}

/** As scripts/build.ts bundles it: minified, since the guest's code is the text of functions. */
export const bundleWorker = async (): Promise<WorkerBundle> => {
  const folder = await mkdtemp(join(tmpdir(), 'metad-worker-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await build({
    absWorkingDir: root,
    entryPoints: { worker: 'daemon/sandbox/worker/worker.ts' },
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minify: true,
    external: ['@jitl/quickjs-wasmfile-release-sync'],
    outExtension: { '.js': '.mjs' },
    outdir: folder,
    logLevel: 'warning',
  });
  return {
    url: join(folder, 'worker.mjs'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};

export const LIMITS: RunLimits = {
  timeoutMs: 5_000,
  totalMs: 30_000,
  memoryBytes: 48 * 1024 * 1024,
  maxCalls: 1_000,
  maxLogCharacters: 20_000,
};

export const NAMESPACES: readonly GuestNamespace[] = [
  {
    server: 'file-server',
    global: 'files',
    tools: [
      { script: 'read', raw: 'read' },
      { script: 'delete_all', raw: 'delete-all' },
      { script: 'then_', raw: 'then' },
    ],
  },
];

export type Run = (
  script: string,
  options?: Partial<Omit<RunRequest, 'limits'>> & { limits?: Partial<RunLimits> },
) => Promise<RunOutcome>;

/** Runs scripts whose tools answer with what they were called with, unless told otherwise. */
export const runner = (sandbox: Sandbox): Run => {
  return (script, { limits, ...rest } = {}) =>
    sandbox.run({
      script,
      namespaces: NAMESPACES,
      signal: new AbortController().signal,
      call: async (server, tool, args) => ({ server, tool, args }),
      ...rest,
      limits: { ...LIMITS, ...limits },
    });
};

export const testSandbox = (workerUrl: string, options: Partial<SandboxOptions> = {}): Sandbox =>
  createSandbox({ log: () => {}, maxWorkers: 4, warmWorkers: 1, workerUrl, ...options });

/** One sandbox for the tests of a file. */
export const suite = (
  options: Partial<SandboxOptions> = {},
): { run: Run; sandbox: () => Sandbox; workerUrl: () => string } => {
  let bundle: WorkerBundle | undefined;
  let sandbox: Sandbox | undefined;
  const opened = (): Sandbox => {
    if (sandbox === undefined) throw new Error('only inside a test');
    return sandbox;
  };
  beforeAll(async () => {
    bundle = await bundleWorker();
    sandbox = testSandbox(bundle.url, options);
  });
  afterAll(async () => {
    await sandbox?.[Symbol.asyncDispose]();
    await bundle?.[Symbol.asyncDispose]();
  });
  return { run: (...args) => runner(opened())(...args), sandbox: opened, workerUrl: () => bundle?.url ?? '' };
};

/** The value of a run that must succeed. */
export const resultOf = (outcome: RunOutcome): unknown => {
  if (!outcome.ok) throw new Error(`the script failed: ${JSON.stringify(outcome.error)}`);
  return outcome.value;
};

/** The error of a run that must fail. */
export const errorOf = (outcome: RunOutcome): RunError => {
  if (outcome.ok) throw new Error(`the script succeeded: ${JSON.stringify(outcome.value)}`);
  return outcome.error;
};

// A pool on a throw-away folder, with definitions of the fixture servers and a look at what is left of them.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CallOptions, Listed, Owner, Pool, PoolOptions } from '../../daemon/upstream/contract.ts';
import { createPool } from '../../daemon/upstream/pool.ts';
import type { Definition } from '../../schema/config.ts';
import type { ToolResult } from '../../schema/tool.ts';

export const fixture = (name: string): string => fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url));

/** A program of a published server in node_modules/.bin. */
export const published = (name: string): string =>
  fileURLToPath(new URL(`../../node_modules/.bin/mcp-server-${name}`, import.meta.url));

/** A stdio definition that runs `args` with this node; limits are short. */
export const stdio = (name: string, args: readonly string[], more: Partial<Definition> = {}): Definition => ({
  name,
  reach: { kind: 'stdio', command: process.execPath, args, env: {} },
  sharing: 'workspace',
  sharedBy: 'default',
  sharingReason: 'As it is.',
  disabled: false,
  callTimeoutMs: 20_000,
  startTimeoutMs: 20_000,
  idleMs: 600_000,
  origin: '/home/me/config.json',
  ...more,
});

/** The definition of a fixture server, named like it. */
export const server = (name: string, args: readonly string[] = [], more: Partial<Definition> = {}): Definition =>
  stdio(name, [fixture(name), ...args], more);

export const remote = (name: string, url: string, more: Partial<Definition> = {}): Definition => ({
  ...stdio(name, [], more),
  reach: { kind: 'http', url, headers: {} },
  sharing: 'user',
  ...more,
});

export const ALICE: Owner = { session: 'alice', root: tmpdir() };

/** Text of the first part of a result. */
export const textOf = (result: ToolResult): string => result.content[0]?.text ?? '';

export interface TestPool extends AsyncDisposable {
  readonly pool: Pool;
  readonly folder: string;
  readonly listed: { definition: Definition; owner: Owner; listed: Listed }[];
  readonly changes: () => number;
  /** Calls a tool and gives the text of its result. */
  say(
    definition: Definition,
    tool: string,
    args?: Record<string, never> | object,
    owner?: Owner,
    options?: Partial<CallOptions>,
  ): Promise<string>;
}

/** Processes alive whose environment carries this mark: every generation of what a pool with it started. */
export const alive = async (mark: string): Promise<number[]> => {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
    if (environment.includes(mark) && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))) found.push(Number(name));
  }
  return found;
};

export const testPool = async (more: Partial<PoolOptions> = {}): Promise<TestPool & { mark: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'metad-upstream-'));
  const listed: { definition: Definition; owner: Owner; listed: Listed }[] = [];
  let changes = 0;
  const mark = `METAD_TEST=${folder}`;
  const pool = createPool({
    log: () => {},
    expand: (definition) => definition,
    baseEnvironment: () => ({ PATH: process.env['PATH'] ?? '', METAD_TEST: folder }),
    home: folder,
    logs: join(folder, 'logs'),
    onListed: (definition, owner, one) => listed.push({ definition, owner, listed: one }),
    onChange: () => {
      changes += 1;
    },
    ...more,
  });
  return {
    pool,
    folder,
    mark,
    listed,
    changes: () => changes,
    say: async (definition, tool, args = {}, owner = ALICE, options = {}) =>
      textOf(
        await pool.call(definition, owner, tool, args as Record<string, never>, {
          signal: new AbortController().signal,
          ...options,
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      await pool[Symbol.asyncDispose]();
      const left = await alive(mark);
      await rm(folder, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`processes left behind: ${left.join(', ')}`);
    },
  };
};

// Under what a program that was learned is found again.
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Program } from './contract.ts';
import { foundIn, upFrom } from './runners/node.ts';
import type { Runner } from './runners/runner.ts';

/** Variables that decide what a runner finds, and where it keeps things. */
const DECIDING = /^(npm_config_.*|home|node_.*|bun_.*|uv_.*|xdg_cache_home|xdg_data_home)$/i;

const realOf = async (tool: string, env: Program['env']): Promise<string> => {
  const folder = await foundIn(tool, env['PATH'] ?? '');
  return folder === undefined ? '' : realpath(join(folder, basename(tool))).catch(() => '');
};

/** Files of settings that decide where caches and packages are: their identity, not their content. */
const settingsOf = (names: readonly string[], cwd: string, env: Program['env']): Promise<readonly string[]> =>
  Promise.all(
    [...upFrom(cwd), env['HOME'] ?? '/']
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .map((path) =>
        stat(path).then(
          ({ mtimeMs, size }) => `${path} ${mtimeMs} ${size}`,
          () => '',
        ),
      ),
  );

/** Equal as long as the same command would find the same program; holds no secret. */
export const keyOf = async (
  { tools: more, settings }: Pick<Runner, 'tools' | 'settings'>,
  command: string,
  args: readonly string[],
  cwd: string,
  env: Program['env'],
): Promise<string> => {
  const own = Object.entries(env).filter(([name]) => DECIDING.test(name));
  // Not PATH itself: version managers put another folder into it for each shell.
  const tools = await Promise.all([command, ...more].map((tool) => realOf(tool, env)));
  const parts = [
    command,
    tools,
    args,
    cwd,
    own.sort(([one], [other]) => (one < other ? -1 : 1)),
    await settingsOf(settings, cwd, env),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
};

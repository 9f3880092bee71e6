// `bunx` and `bun x`: what they keep, and when they take it.
//
// Facts of Bun 1.4: a package that is not in the project is installed into INSTALL_CACHE/.bunx-UID/SPEC (before 1.4
// TMPDIR/bunx-UID-SPEC), a package without a version as `@latest`, which is looked up again after a day. Its program runs
// as a child, and bunx stays. `--bun` runs it with another interpreter than its own.

import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { isOnPath, mayBeInProject, nodeEnvironment, nodeVersion } from './node.ts';
import { type Asked, DAY_MS, isRightIn, pathsBefore, type Runner } from './runner.ts';
import { specOf } from './spec.ts';

const wordsOf = (command: string, args: readonly string[]): readonly string[] | undefined => {
  const name = basename(command);
  if (name === 'bunx') return args;
  return name === 'bun' && args[0] === 'x' ? args.slice(1) : undefined;
};

/** `@scope/name-mcp` is first looked for as `name-mcp`. */
const plainName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

export const bunx: Runner = {
  asked: (command, args) => {
    const words = wordsOf(command, args);
    // No flags at all: each one says something that is known to bunx alone.
    const [spec, ...rest] = words ?? [];
    if (spec === undefined || spec.startsWith('-')) return undefined;
    const found = specOf(spec);
    return found === undefined ? undefined : { spec, ...found, program: plainName(found.name), rest };
  },
  programsIn: (commandLine, { spec, wanted, rest }) => {
    const kept = `${userInfo().uid}/${wanted === '' ? `${spec}@latest` : spec}/node_modules/.bin/`;
    const folders = [`/.bunx-${kept}`, `/bunx-${kept.replace('/', '-')}`];
    return pathsBefore(commandLine, rest, (path) => folders.some((folder) => isRightIn(path, folder)));
  },
  versionOf: nodeVersion,
  mayBeElsewhere: async (asked, _, cwd, env) =>
    (await mayBeInProject(asked, cwd)) || isOnPath(asked.program, env['PATH'] ?? ''),
  environmentOf: (program, cwd, env) => nodeEnvironment(program, cwd, env, 'bunx'),
  knownMs: ({ isExact }: Asked) => (isExact ? 30 * DAY_MS : DAY_MS),
  isRenewed: false,
  tools: ['node'],
  settings: ['.npmrc', 'bunfig.toml', '.bunfig.toml'],
};

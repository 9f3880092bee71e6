// `uvx` and `uv tool run`: what they keep, and when they take it.
//
// From uv's documentation on tools and caching: the environment of a tool is kept in the cache (`archive-v0/ID`, to which
// `environments-v2/NAME` leads) and taken again as it is, unless another version is asked for, `@latest` is, or the cache
// is refreshed or pruned; what `uv tool install` installed goes first. The program runs as a child, with the
// environment's `bin` first in PATH.
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Program } from '../contract.ts';
import { isThere } from './node.ts';
import { type Asked, DAY_MS, pathsBefore, type Runner } from './runner.ts';

const SPEC = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?:\[[a-z0-9._, -]+\])?(?:(==|@)([a-z0-9.+!-]+))?$/i;
const VERSION = /^\d[a-z0-9.+!]*$/i;
const KEPT = /\/uv\/(?:archive-v\d+|environments-v\d+)\/[\w.-]+\/bin\/[^/ ]+$/;

const wordsOf = (command: string, args: readonly string[]): readonly string[] | undefined => {
  const name = basename(command);
  if (name === 'uvx') return args;
  return name === 'uv' && args[0] === 'tool' && args[1] === 'run' ? args.slice(2) : undefined;
};

/** As PEP 503 compares names. */
const comparable = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

const askedOf = (command: string, args: readonly string[]): Asked | undefined => {
  const words = [...(wordsOf(command, args) ?? [])];
  let from: string | undefined;
  while (words[0]?.startsWith('-') === true) {
    const flag = words.shift();
    // Which Python it is decides what is found, and is part of the arguments; all else is left to uv.
    if (flag === '--python' || flag === '-p') words.shift();
    else if (flag === '--from' && from === undefined) from = words.shift();
    else if (flag !== '--quiet' && flag !== '-q') return undefined;
  }
  const [first, ...rest] = words;
  if (first === undefined) return undefined;
  const spec = from ?? first;
  const [, name, , wanted = ''] = SPEC.exec(spec) ?? [];
  // With --from, `name@latest` of the program would say another version.
  if (name === undefined || (from !== undefined && first.includes('@'))) return undefined;
  const isExact = VERSION.test(wanted);
  return wanted === '' || isExact
    ? { spec, name, wanted, isExact, program: from === undefined ? name : first, rest }
    : undefined;
};

/** From the folder of the environment's own records: `NAME-VERSION.dist-info`. */
const versionIn = async (environment: string, name: string): Promise<string | undefined> => {
  const pythons = (await readdir(join(environment, 'lib'))).filter((one) => one.startsWith('python'));
  for (const python of pythons)
    for (const entry of await readdir(join(environment, 'lib', python, 'site-packages'))) {
      const [, found = '', version] = /^(.+?)-([^-]+)\.dist-info$/.exec(entry) ?? [];
      if (comparable(found) === comparable(name)) return version;
    }
  return undefined;
};

/** Where `uv tool install` puts tools. */
const toolsOf = (env: Program['env']): string =>
  env['UV_TOOL_DIR'] ?? join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local', 'share'), 'uv', 'tools');

export const uvx: Runner = {
  asked: askedOf,
  programsIn: (commandLine, { rest }) => pathsBefore(commandLine, rest, (path) => KEPT.test(path)),
  versionOf: async (program, name) => {
    try {
      await access(program, constants.X_OK);
      if (!(await stat(program)).isFile()) return undefined;
      const environment = dirname(dirname(program));
      // Its first line names the environment's own Python, which may have gone.
      const [, python] = /^#!(\/\S+\/python[\d.]*)/.exec((await readFile(program, 'utf8')).slice(0, 1000)) ?? [];
      if (python !== undefined) await access(python, constants.X_OK);
      return await versionIn(environment, name);
    } catch {
      return undefined;
    }
  },
  mayBeElsewhere: ({ name }, _, __, env) => isThere(join(toolsOf(env), comparable(name))),
  environmentOf: (program, _, env) => ({
    ...env,
    PATH: [dirname(program), ...(env['PATH'] === undefined ? [] : [env['PATH']])].join(delimiter),
  }),
  knownMs: () => 30 * DAY_MS,
  isRenewed: false,
  tools: [],
  settings: ['uv.toml', 'pyproject.toml', '.python-version'],
};

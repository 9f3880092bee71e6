// A cache of npx with one package in it, and stand-ins for `npx` and `npm` that do what the real ones do to a program
// that is in the cache already, without any registry.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixture } from './upstream.ts';

/** Runs the program of a spec by a shell, as libnpmexec does; `npm_execpath` tells the program that npx is there. */
const NPX = `#!/usr/bin/env node
const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const { appendFileSync } = require('node:fs');
const args = process.argv.slice(2).filter((arg) => arg !== '-y');
const cache = process.env.npm_config_cache;
appendFileSync(cache + '/runs', args[0] + '\\n');
const hash = createHash('sha512').update(args[0]).digest('hex').slice(0, 16);
const PATH = cache + '/_npx/' + hash + '/node_modules/.bin:' + process.env.PATH;
const quoted = args.slice(1).map((arg) => ' "' + arg + '"').join('');
const env = { ...process.env, PATH, npm_execpath: __filename, INIT_CWD: process.cwd() };
const child = spawn('sh', ['-c', "'fake-server'" + quoted + '; exit $?'], { stdio: 'inherit', env });
child.on('exit', (code) => process.exit(code ?? 1));
`;

const NPM = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require('node:fs');
const cache = process.env.npm_config_cache;
appendFileSync(cache + '/questions', process.argv.slice(2).join(' ') + '\\n');
process.stdout.write(readFileSync(cache + '/registry', 'utf8'));
`;

export interface NpxCache extends Disposable {
  /** PATH and npm's settings for servers. */
  readonly env: Readonly<Record<string, string>>;
  /** A project's folder without anything in it. */
  readonly project: string;
  readonly npx: string;
  /** Puts a version of the package there. @param head first lines of its program */
  install(spec: string, version: string, head?: string): void;
  /** What the registry's newest is from now on. */
  publish(version: string): void;
  /** How often npx was run, and what npm was asked. */
  runs(): number;
  questions(): readonly string[];
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];

export const npxCache = (): NpxCache => {
  const folder = mkdtempSync(join(tmpdir(), 'metad-npx-'));
  const [bin, cache, project] = [join(folder, 'tools', 'bin'), join(folder, 'cache'), join(folder, 'project')];
  for (const one of [bin, cache, project]) mkdirSync(one, { recursive: true });
  const program = (path: string, text: string): void => {
    writeFileSync(path, text);
    chmodSync(path, 0o755);
  };
  program(join(bin, 'npx'), NPX);
  program(join(bin, 'npm'), NPM);
  const publish = (version: string): void =>
    writeFileSync(join(cache, 'registry'), JSON.stringify({ version, 'dist-tags.latest': version }));
  publish('1.0.0');
  return {
    env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, npm_config_cache: cache, HOME: folder },
    project,
    npx: join(bin, 'npx'),
    install(spec, version, head = '') {
      const hash = createHash('sha512').update(spec).digest('hex').slice(0, 16);
      const modules = join(cache, '_npx', hash, 'node_modules');
      mkdirSync(join(modules, 'fake-server'), { recursive: true });
      mkdirSync(join(modules, '.bin'), { recursive: true });
      writeFileSync(join(modules, 'fake-server', 'package.json'), JSON.stringify({ name: 'fake-server', version }));
      const main = join(modules, 'fake-server', 'main.mjs');
      program(main, `#!/usr/bin/env node\n${head}\nawait import(${JSON.stringify(fixture('echo'))});\n`);
      const link = join(modules, '.bin', 'fake-server');
      if (!existsSync(link)) symlinkSync('../fake-server/main.mjs', link);
    },
    publish,
    runs: () => linesOf(join(cache, 'runs')).length,
    questions: () => linesOf(join(cache, 'questions')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

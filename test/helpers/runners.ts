// Stand-ins for `bunx` and `uvx` that do what the real ones do to a program that they keep already: it runs as a child.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fixture } from './upstream.ts';

export interface RunnerCache extends Disposable {
  readonly env: Readonly<Record<string, string>>;
  readonly project: string;
  /** The folder of `HOME`. */
  readonly home: string;
  /** Puts a version of the package there. */
  install(version: string): void;
  /** How often the runner was run. */
  runs(): number;
}

const runner = (kept: string): string => `#!/usr/bin/env node
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(join(dirname(kept), 'runs'))}, 'run\\n');
const args = process.argv.slice(3);
const child = spawn(${JSON.stringify(kept)}, args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
`;

const program = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
};

/** @param keeps where the runner keeps the program, below HOME */
const cacheOf = (name: string, keeps: string, install: (kept: string, version: string) => void): RunnerCache => {
  const home = mkdtempSync(join(tmpdir(), `metad-${name}-`));
  const [bin, project, kept] = [join(home, 'tools'), join(home, 'project'), join(home, keeps)];
  mkdirSync(project);
  program(join(bin, name), runner(kept));
  const runs = join(dirname(kept), 'runs');
  return {
    env: { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home },
    project,
    home,
    install: (version) => install(kept, version),
    runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').trimEnd().split('\n').length : 0),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
};

/** @param spec as bunx keeps it, with a version or a tag */
export const bunxCache = (spec: string): RunnerCache =>
  cacheOf(
    'bunx',
    `.bun/install/cache/.bunx-${userInfo().uid}/${spec}/node_modules/.bin/fake-server`,
    (kept, version) => {
      const own = join(kept, '../../fake-server');
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, 'package.json'), JSON.stringify({ name: 'fake-server', version }));
      program(join(own, 'main.mjs'), `#!/usr/bin/env node\nawait import(${JSON.stringify(fixture('echo'))});\n`);
      mkdirSync(dirname(kept), { recursive: true });
      if (!existsSync(kept)) symlinkSync('../fake-server/main.mjs', kept);
    },
  );

export const uvxCache = (): RunnerCache =>
  cacheOf('uvx', '.cache/uv/archive-v0/Ab-3_x/bin/fake-server', (kept, version) => {
    const packages = join(kept, '../../lib/python3.12/site-packages');
    rmSync(packages, { recursive: true, force: true });
    mkdirSync(join(packages, `fake_server-${version}.dist-info`), { recursive: true });
    mkdirSync(join(packages, 'other-9.9.dist-info'));
    program(kept, `#!/usr/bin/env node\nimport(${JSON.stringify(fixture('echo'))});\n`);
    appendFileSync(kept, '');
  });

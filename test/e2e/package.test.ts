// The package as people get it: packed, installed into an empty prefix, run from there.
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer, plainEnvironment, ROOT } from '../helpers/program.ts';

const run = promisify(execFile);

/**
 * What the install script of better-sqlite3 would fetch or compile, for a minute or more: this checkout has it already. For
 * another version than its own npm does it.
 */
const takeNativeModule = async (installed: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const module = join('node_modules', 'better-sqlite3');
  const versionIn = (folder: string) => JSON.parse(readFileSync(join(folder, module, 'package.json'), 'utf8')).version;
  if (versionIn(installed) !== versionIn(ROOT)) await run('npm', ['rebuild'], { cwd: installed, env });
  else cpSync(join(ROOT, module, 'build'), join(installed, module, 'build'), { recursive: true });
};

test('npm pack gives a package that installs and runs from an empty prefix', { timeout: 300_000 }, async () => {
  await using home = temporaryHome({
    mcpServers: { lab: fixtureServer('e2e-lab.mjs') },
    execute: { typeNotes: true },
  });
  const env = plainEnvironment({ METAD_HOME: home.home });
  // Without scripts: `prepack` would build again under the feet of the other tests.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', home.folder], {
    cwd: ROOT,
    env,
  });
  const [{ filename, files }] = JSON.parse(packed.stdout);
  const paths: string[] = files.map(({ path }: { path: string }) => path);
  expect(paths).toContain('dist/metad.cjs');
  expect(paths.filter((path) => /^(test|scripts|node_modules|daemon|shim|tui)\//.test(path))).toEqual([]);

  const prefix = join(home.folder, 'prefix');
  const install = ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--ignore-scripts'];
  // npm needs what its user's environment says of proxies and certificates.
  const whole = { ...process.env, ...env };
  await run('npm', [...install, join(home.folder, filename)], { env: whole });
  await takeNativeModule(join(prefix, 'lib', 'node_modules', 'metad'), whole);
  const metad = join(prefix, 'bin', 'metad');
  const called = await run(metad, ['call', 'lab.echo', '{"text":"installed"}'], { env });
  expect(called.stdout).toContain('installed');
  const program = join(home.folder, 'program.js');
  writeFileSync(program, 'const half = Number(await lab.echo({ text: "21" }));\nreturn half * 2;\n');
  const script = await run(metad, ['exec', program], { env });
  expect(script.stdout).toContain('42');
  // TypeScript does not come with it; a run fails as ever.
  const status = JSON.parse((await run(metad, ['status', '--json'], { env })).stdout);
  expect(status.daemon.warnings).toEqual([expect.stringContaining('TypeScript is not installed beside metad')]);
  writeFileSync(program, 'throw new Error(lab.nothing)\n');
  const failed = await run(metad, ['exec', program], { env }).catch((error: { stderr: string }) => error);
  expect(failed.stderr).toContain('nothing');
  await run(metad, ['daemon', 'stop'], { env });
});

// Where servers run: those of a project in the folder of the file that names them, each project its own.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAgent } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

test('R070: servers of a project run in its folder, per project; where the daemon was started does not matter', async () => {
  await using home = temporaryHome({ mcpServers: { wide: fixtureServer('environment.mjs') } });
  const [server = ''] = fixtureServer('environment.mjs').args;
  const project = (name: string): string => {
    const root = join(home.folder, name);
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'tools'));
    mkdirSync(join(root, 'deep/er'), { recursive: true });
    // The file of the project itself, which finds what it needs beside the original.
    writeFileSync(join(root, 'tools/srv.mjs'), `await import(${JSON.stringify(server)});\n`);
    writeFileSync(
      join(root, '.mcp.json'),
      JSON.stringify({ mcpServers: { own: { command: process.execPath, args: ['./tools/srv.mjs'] } } }),
    );
    return root;
  };
  const [p, q] = [project('p'), project('q')];
  const third = join(home.folder, 'third');
  mkdirSync(third);
  expect((await home.metad(['daemon', 'start'], { cwd: third })).code).toBe(0);
  rmSync(third, { recursive: true });
  for (const root of [p, q]) expect((await home.metad(['trust', '--yes'], { cwd: root })).code).toBe(0);

  await using inP = await connectAgent({ home: home.home, cwd: join(p, 'deep/er') });
  await using inQ = await connectAgent({ home: home.home, cwd: q });
  const folders = 'return [await own.cwd({}), await wide.cwd({})]';
  expect(await inP.run(folders)).toEqual([p, p]);
  expect(await inQ.run(folders)).toEqual([q, q]);
  const rows = (await home.status()).servers.filter(({ pid }) => pid !== null);
  expect(rows.map(({ name, owner }) => `${name} ${owner}`).sort()).toEqual(
    [`own ${p}`, `own ${q}`, `wide ${p}`, `wide ${q}`].sort(),
  );
});

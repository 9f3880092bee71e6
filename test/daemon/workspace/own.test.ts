// What a root declares by itself, as sessions there have it.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createOwn, pluginsWithin } from '../../../daemon/workspace/own.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { TrustedServer } from '../../../schema/trust.ts';
import { testFolder } from '../../helpers/folder.ts';

const server = (name: string) => `[[mcp_servers]]\nname = "${name}"\ncommand = "${name}-mcp"\n`;

test('createOwn() says how many wait, keeps the same arrays while nothing has changed, and forgets what is revoked', async () => {
  await using folder = testFolder();
  const root = await realpath(folder.path);
  await writeFile(
    folder.at('.mcp.json'),
    '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y", "disabled": true } } }',
  );
  await writeFile(folder.at('SYMPOSIUM.toml'), server('c'));
  let trusted: readonly TrustedServer[] = [];
  let isBroken = false;
  const own = createOwn({
    root,
    trusted: () => {
      if (isBroken) throw new MetadError('unavailable', 'choices.db is locked');
      return trusted;
    },
  });
  expect([own.waiting(), own.isAwaited()]).toEqual([0, false]);
  await own.read();
  expect([own.definitions(), own.offers(), own.waiting()]).toEqual([[], [], 2]);
  expect(own.problems()).toEqual([
    expect.stringContaining('.mcp.json declares a server that waits until you trust it'),
    expect.stringContaining('SYMPOSIUM.toml declares a server that waits until you trust it'),
  ]);
  expect(own.watched().files).toEqual(expect.arrayContaining([`${root}/.mcp.json`, `${root}/Cargo.toml`]));

  const { hash } = await trustable(root);
  trusted = [{ file: '.mcp.json', server: 'a', hash, at: 1 }];
  await own.read();
  const first = own.definitions();
  expect(first.map(({ name }) => name)).toEqual(['a']);
  await writeFile(folder.at('.mcp.json'), '{ "mcpServers": {\n "a": { "command": "x" } } }');
  await own.read();
  expect(own.definitions()).toBe(first);
  // Where nobody can say what is trusted, what ran runs on, and it is told.
  isBroken = true;
  await own.read();
  expect([own.definitions(), own.problems()[0]]).toEqual([first, expect.stringContaining('choices.db is locked')]);
  isBroken = false;
  trusted = [];
  await own.read();
  expect(own.definitions()).toEqual([]);
});

/** The hash of the first server of `.mcp.json`, as a person would be shown it. */
const trustable = async (root: string) => {
  const { createTrust } = await import('../../../daemon/workspace/trust/trust.ts');
  const kept = { of: () => [], add: () => {}, revoke: () => 0 };
  const trust = createTrust({ kept, variablesOf: () => [], onChange: async () => {}, now: () => 0 });
  const [file] = (await trust.report(root)).files;
  return { hash: file?.servers[0]?.hash ?? '' };
};

test('pluginsWithin() reads no more servers than a person could look at', async () => {
  await using folder = testFolder();
  await mkdir(folder.at('.metad/plugins'), { recursive: true });
  const many = (prefix: string) => Array.from({ length: 150 }, (_, at) => server(`${prefix}${at}`)).join('');
  await writeFile(folder.at('.metad/plugins/a.toml'), many('a'));
  const load = pluginsWithin(await realpath(folder.path));
  expect((await load()).offers).toHaveLength(150);
  await writeFile(folder.at('.metad/plugins/b.toml'), many('b'));
  const { offers, problems } = await load();
  expect([offers, problems]).toEqual([[], [expect.stringContaining('have 300 servers, and at most 200 are read')]]);
});

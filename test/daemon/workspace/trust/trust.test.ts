// What a person is shown, and that exactly this is what they say yes to.
import { expect, test } from 'vitest';
import { FILE_KINDS } from '../../../../daemon/workspace/files/kinds.ts';
import { planOf, shownOf } from '../../../../daemon/workspace/trust/plan.ts';
import { createTrust } from '../../../../daemon/workspace/trust/trust.ts';
import { readConfig } from '../../../../schema/config/read.ts';
import type { TrustedServer, TrustReport } from '../../../../schema/trust.ts';
import { trustText } from '../../../../tui/trust-text.ts';

const [, KIND] = FILE_KINDS;
if (KIND === undefined) throw new Error('no kinds');

const setUp = (servers: object) => {
  let text = JSON.stringify({ mcpServers: servers });
  const kept: TrustedServer[] = [];
  const changes: string[] = [];
  const trust = createTrust({
    kept: {
      of: () => kept,
      add: (_, more) => void kept.push(...more),
      revoke: () => kept.splice(0).length,
    },
    variablesOf: () => ['TOKEN'],
    onChange: async (root) => void changes.push(root),
    now: () => 7,
    read: async () => [{ kind: KIND, file: `/w/${KIND.path}`, found: new TextEncoder().encode(text) }],
    plugins: async () => ({ offers: [], problems: [] }),
  });
  return {
    trust,
    kept,
    changes,
    write: (next: object) => {
      text = JSON.stringify({ mcpServers: next });
    },
    asked: ({ files }: TrustReport) =>
      files.flatMap(({ file, servers: all }) => all.map(({ name, hash }) => ({ file, server: name, hash }))),
  };
};

test('accept() trusts what was shown, all or none; what has changed since is refused', async () => {
  const at = setUp({ a: { command: 'x' }, b: { command: 'y' } });
  const shown = await at.trust.report('/w');
  at.write({ a: { command: 'x' }, b: { command: 'evil' } });
  await expect(at.trust.accept('/w', at.asked(shown))).rejects.toThrow(
    '"b" in /w/.mcp.json is no longer what was shown',
  );
  expect([at.kept, at.changes]).toEqual([[], []]);
  at.write({ b: { command: 'y' }, a: { command: 'x' } });
  const now = await at.trust.accept('/w', at.asked(shown));
  expect(now.files[0]?.servers.map(({ state }) => state)).toEqual(['trusted', 'trusted']);
  expect([at.kept.length, at.kept[0]?.at, at.changes]).toEqual([2, 7, ['/w']]);
  expect(await at.trust.revoke('/w')).toBe(2);
  expect((await at.trust.report('/w')).files[0]?.servers[0]?.state).toBe('new');
});

test('without a workspace there is nothing to trust', async () => {
  const at = setUp({});
  expect(await at.trust.report(null)).toMatchObject({ workspace: null, files: [] });
  expect(await at.trust.revoke(null)).toBe(0);
  await expect(at.trust.accept(null, [])).rejects.toThrow('--workspace DIR');
});

const definition = (entry: object) => {
  const found = readConfig(JSON.stringify({ mcpServers: { a: entry } }), '/w/.mcp.json').config?.servers.get('a');
  if (found === undefined) throw new Error('not read');
  return found;
};

test('planOf() names what would run and where, and what of its variables decides which code that is', () => {
  expect(
    planOf(
      definition({ command: 'node', args: ['x y'], env: { NODE_OPTIONS: '--require /evil', KEY: 'secret' } }),
      '/w',
    ),
  ).toEqual({
    ...{ kind: 'stdio', command: 'node', args: ['x y'], cwd: '/w', env: ['NODE_OPTIONS', 'KEY'] },
    deciding: { NODE_OPTIONS: '--require /evil' },
  });
  expect(planOf(definition({ command: 'x', sharing: 'user' }), '/w')).toMatchObject({ cwd: '~' });
});

test.each([
  ['https://me:secret@x.example/mcp?key=secret&v=${V}#secret', 'https://…@x.example/mcp?key=…&v=${V}'],
  ['https://good.example\\@evil.example/mcp', 'https://good.example/@evil.example/mcp'],
])('planOf() shows %s as the host that is asked, without secrets', (url, shown) => {
  const plan = planOf(definition({ url }), '/w');
  expect(plan.kind === 'stdio' ? '' : plan.url).toContain(shown.split('?')[0]);
  expect(JSON.stringify(plan)).not.toContain('secret');
});

test('trustText() hides nothing: what cannot be seen, or runs from right to left, is spelled out', () => {
  const entry = { command: 'sh', args: ['-c', 'echo \u202etxt.exe\u200b \u001b[2Kx\r\n# fine', 'plain'] };
  const text = trustText({
    workspace: '/w',
    looked: ['.mcp.json'],
    problems: [],
    files: [
      {
        file: '.mcp.json',
        problems: ['.mcp.json: \u202eodd'],
        servers: [{ ...shownOf(definition(entry), '/w', () => ['HOME']), state: 'changed', hash: 'h' }],
      },
    ],
  });
  expect(text).toContain('CHANGED since you trusted it');
  expect(text).toContain('is told    your HOME');
  expect(text).toContain('plain');
  for (const hidden of ['\u202e', '\u200b', '\u001b', '\r']) expect(text).not.toContain(hidden);
  expect(text).toContain('\\u{202e}');
  expect(text.split('\n').filter((line) => line.includes('# fine'))).toHaveLength(1);
});

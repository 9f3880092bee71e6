import { describe, expect, test } from 'vitest';
import { KNOWN_SERVERS } from '../../../schema/config/known-servers.ts';
import { chooseSharing } from '../../../schema/config/sharing.ts';
import type { Reach } from '../../../schema/config.ts';

const stdio = (line: string, more: object = {}): Reach => {
  const [command = '', ...args] = line.split(' ');
  return { kind: 'stdio', command, args, env: {}, ...more };
};
const choice = (reach: Reach) => chooseSharing(undefined, reach, '/c.json');

describe('chooseSharing()', () => {
  test('takes what the config says, whatever is known', () => {
    expect(chooseSharing('workspace', stdio('npx -y @playwright/mcp@latest'), '/c.json')).toEqual({
      sharing: 'workspace',
      sharedBy: 'config',
      sharingReason: '`sharing` is set in /c.json.',
    });
  });

  test.each([
    'npx -y @playwright/mcp@latest',
    'npx @playwright/mcp',
    'bunx @playwright/mcp@0.0.41 --headless',
    'pnpm dlx @playwright/mcp',
    'npm exec --yes -- @playwright/mcp',
    '/usr/local/bin/npx -y chrome-devtools-mcp@latest',
    'node /home/me/node_modules/@playwright/mcp/cli.js',
    'docker run -i --rm mcp/playwright:latest',
    'npx -y @modelcontextprotocol/server-sequential-thinking --data /tmp',
  ])('knows that %s keeps state', (line) => {
    const { sharing, sharedBy, sharingReason } = choice(stdio(line));
    expect({ sharing, sharedBy }).toEqual({ sharing: 'session', sharedBy: 'known' });
    expect(sharingReason).toMatch(/^Known as `session`, since it .*\.$/);
  });

  test.each([
    'npx -y @upstash/context7-mcp@latest --api-key KEY',
    'uvx mcp-server-time --local-timezone=Europe',
    'uvx mcp-server-fetch==2025.4.7',
    'docker run -i --rm mcp/time',
  ])('lets all sessions share %s', (line) => {
    expect(choice(stdio(line))).toMatchObject({ sharing: 'user', sharedBy: 'known' });
  });

  test.each([
    ['an argument that is a path', stdio('npx -y @upstash/context7-mcp ./cache')],
    ['a variable that is a path', stdio('npx -y @upstash/context7-mcp', { env: { CACHE: '~/cache' } })],
    ['the workspace', stdio('npx -y @upstash/context7-mcp ${workspaceFolder}')],
    ['a folder of its own', stdio('npx -y @upstash/context7-mcp', { cwd: '/srv' })],
    ['another package of a like name', stdio('npx -y context7-mcp-fork')],
    ['a package that only another argument names', stdio('npx -y some-proxy @upstash/context7-mcp')],
    ['an unknown program', stdio('serve-files')],
  ])('keeps workspaces apart for %s', (_, reach) => {
    expect(choice(reach)).toMatchObject({ sharing: 'workspace', sharedBy: 'default' });
  });

  test('lets an address of a variable be what it is', () => {
    expect(choice(stdio('npx -y mcp-searxng', { env: { SEARXNG_URL: 'https://s.example/' } })).sharing).toBe('user');
    expect(choice({ kind: 'http', url: 'https://x.example/mcp', headers: {} })).toMatchObject({
      sharing: 'user',
      sharedBy: 'default',
    });
  });
});

test('every known server has names of its own and a reason that fits a sentence', () => {
  const names = KNOWN_SERVERS.flatMap((known) => known.names);
  expect(new Set(names).size).toBe(names.length);
  for (const { reason } of KNOWN_SERVERS) expect(reason).toMatch(/^(it|each call) .*[^.]$/);
});

import { expect, test } from 'vitest';
import { whyOf } from '../../../daemon/desk/why.ts';
import type { InstanceStatus } from '../../../daemon/upstream/contract.ts';
import type { SessionStatus } from '../../../schema/wire.ts';
import { definition } from '../../helpers/view.ts';

const instance = (pid: number, owner: string | null, sessions: readonly string[], identity = 'i'): InstanceStatus => ({
  ...{
    server: 'a',
    origin: '/c.json',
    state: 'ready',
    sharing: 'workspace',
    owner,
    identity,
    sessions,
    pid,
    readyAt: 0,
    calls: 0,
  },
  ...{ callsInFlight: 0, lastError: null, noiseLines: 0 },
});
const session = (id: string, workspace: string | null): SessionStatus => ({
  ...{ id, agent: `agent ${id}`, pid: 1, version: '1.0.0', workspace, surface: 'code', protocol: null },
  ...{ sinceSeconds: 0, calls: 0 },
});
const trees = new Map([
  [10, { processes: 3, bytes: 300 }],
  [11, { processes: 1, bytes: 100 }],
]);

test('whyOf() names the workspaces that have one each, what would change it, and what sharing spares', () => {
  const found = whyOf({
    definition: definition('a', { origin: '/c.json' }),
    instances: [instance(10, '/w', ['1', '2', '3']), instance(11, '/v', ['4', 'command-1'])],
    sessions: [session('1', '/w'), session('2', '/w'), session('3', '/w'), session('4', '/v')],
    trees,
  });
  expect(found.apart).toEqual(['These workspaces have one each, since its sharing is `workspace`: /w, /v.']);
  expect(found.advice).toEqual([
    'If it depends on no folder and keeps nothing, `"sharing": "user"` in `mcpServers.a` of /c.json lets all sessions share one.',
  ]);
  expect(found.saved).toEqual({ processes: 7, memoryBytes: 700 });
  expect(found.instances[1]?.sessions).toEqual([
    { id: '4', agent: 'agent 4', workspace: '/v' },
    { id: 'command-1', agent: 'a command', workspace: null },
  ]);
});

test('whyOf() tells a server that keeps state, a definition that differs, and one that waits for a person', () => {
  const why = (change: Parameters<typeof definition>[1], instances: InstanceStatus[]) =>
    whyOf({
      definition: definition('a', change),
      instances,
      sessions: [session('1', '/w'), session('2', '/v')],
      trees,
    });
  const own = why({ sharing: 'session' }, [instance(10, '1', ['1']), instance(11, '2', ['2'])]);
  expect(own.apart.join()).toContain('Each session has its own');
  expect(own.advice.join()).toContain('"sharing": "workspace"');
  const differing = why({ sharing: 'user' }, [instance(10, null, ['1']), instance(11, null, ['2'], 'other')]);
  expect(differing.apart.join()).toContain('${workspaceFolder}');
  const parked = why({}, [{ ...instance(10, '/w', ['1']), state: 'parked', lastError: 'No such command.' }]);
  expect(parked.advice).toEqual(['It waits for you: No such command.']);
  expect(why({ disabled: true }, []).advice.join()).toContain('"disabled": true');
  expect(why({}, [instance(10, '/w', ['1'])]).saved).toEqual({ processes: 0, memoryBytes: 0 });
});

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import type { Reader } from '../../../daemon/workspace/lockfiles/reader.ts';
import type { Offer } from '../../../daemon/workspace/offer.ts';
import { createOwn } from '../../../daemon/workspace/own.ts';
import { parseGate } from '../../../daemon/workspace/predicate/parse.ts';
import { filesOf } from '../../../daemon/workspace/survey/disk.ts';
import { type Finding, survey } from '../../../daemon/workspace/survey/survey.ts';
import { createWorkspaces } from '../../../daemon/workspace/workspaces.ts';
import type { Definition } from '../../../schema/config.ts';
import { testFolder } from '../../helpers/folder.ts';
import { definition } from '../../helpers/view.ts';

/** Names in `deps`, one a line; the line `!` is a mistake. */
const reader: Reader = {
  id: 'deps',
  title: 'deps',
  ecosystems: ['npm'],
  files: [],
  read: (files) =>
    files
      .text('deps')
      ?.split('\n')
      .filter(Boolean)
      .map((name) => {
        if (name === '!') throw new Error('deps is broken.');
        return { ecosystem: 'npm', name, version: '1.0.0', direct: true, member: '' };
      }),
};

const offer = (name: string, dependsOn: readonly string[], predicates: readonly string[] = []): Offer => ({
  definition: definition(name, { origin: `/plugins/${name}.toml` }),
  plugin: name,
  gate: parseGate(dependsOn, predicates),
  customs: new Map([['fits', { command: '/bin/sh', args: ['-c', 'test -e "$0"'] }]]),
});

const setUp = (offers: readonly Offer[], environment: Record<string, string> = {}) => {
  const folder = testFolder();
  const changes: string[] = [];
  const files: string[] = [];
  const lines: string[] = [];
  let readings = 0;
  let kept: readonly Finding[] = [];
  let config: ReadonlyMap<string, Definition> = new Map([['files', definition('files')]]);
  let live = offers;
  const places = createWorkspaces({
    surveyor: {
      survey: async (root, before) => {
        readings += 1;
        return survey([reader], filesOf(root), before);
      },
      [Symbol.asyncDispose]: async () => {},
    },
    kept: () => kept,
    save: (_, findings) => {
      kept = findings;
    },
    sources: () => ({ config, offers: live }),
    ownOf: (root) => createOwn({ root, trusted: () => [] }),
    isSame: () => () => false,
    config: () => config,
    environment: () => environment,
    onFiles: (root) => files.push(root),
    onChange: (root) => changes.push(root),
    onPolling: () => {},
    log: (event) => lines.push(event),
  });
  return {
    folder,
    places,
    changes,
    files,
    lines,
    readings: () => readings,
    kept: () => kept,
    names: () => [...places.definitions(folder.path).keys()],
    setConfig: (next: readonly Definition[]) => {
      config = new Map(next.map((one) => [one.name, one]));
    },
    setOffers: (next: readonly Offer[]) => {
      live = next;
    },
    [Symbol.asyncDispose]: async () => {
      await places[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
};

const soon = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

test('what applies follows the files of a held root, and the same object stays while nothing changed', async () => {
  await using at = setUp([offer('sqlx', ['sqlx']), offer('next', ['npm:next>=1'], ['path_exists(app)'])]);
  const file = at.folder.at('deps');
  expect(at.names()).toEqual(['files']);
  at.places.hold('one', at.folder.path);
  await soon(() => expect(at.readings()).toBeGreaterThan(0));
  await soon(() => expect(at.places.held()).toEqual([at.folder.path]));
  await writeFile(file, 'sqlx\n');
  await soon(() => expect(at.names()).toEqual(['files', 'sqlx']));
  const before = at.places.definitions(at.folder.path);
  await writeFile(file, 'sqlx\nother\n');
  await soon(() => expect(at.places.dependencies(at.folder.path)).toHaveLength(2));
  expect(at.files.length).toBeGreaterThan(0);
  expect(at.places.definitions(at.folder.path)).toBe(before);
  await writeFile(at.folder.at('new'), 'sqlx\nnext\n');
  await rename(at.folder.at('new'), file);
  await soon(() => expect(at.places.dependencies(at.folder.path).map(({ name }) => name)).toContain('next'));
  expect(at.names()).toEqual(['files', 'sqlx']);
  await mkdir(at.folder.at('app'));
  await soon(() => expect(at.names()).toEqual(['files', 'sqlx', 'next']));
  await rm(file);
  await soon(() => expect(at.names()).toEqual(['files']));
});

test('a broken file keeps what applied, and says so while the root is held', async () => {
  await using at = setUp([offer('sqlx', ['sqlx'])]);
  await writeFile(at.folder.at('deps'), 'sqlx\n');
  await at.places.refresh(at.folder.path);
  at.places.hold('one', at.folder.path);
  await writeFile(at.folder.at('deps'), '!\n');
  await at.places.refresh(at.folder.path);
  expect(at.names()).toEqual(['files', 'sqlx']);
  expect(at.places.problems()).toEqual([`${at.folder.path}: deps is broken.`]);
  at.places.release('one');
  expect(at.places.problems()).toEqual([]);
});

test('known() waits for the first reading alone; what an earlier life found needs none', async () => {
  await using at = setUp([offer('sqlx', ['sqlx'])]);
  await writeFile(at.folder.at('deps'), 'sqlx\n');
  await at.places.known(at.folder.path, 10_000);
  expect([at.names(), at.readings()]).toEqual([['files', 'sqlx'], 1]);
  await at.places.known(at.folder.path, 10_000);
  await at.places.known(null, 10_000);
  expect(at.readings()).toBe(1);
});

test('two holders share one watch, which ends with the last', async () => {
  await using at = setUp([offer('sqlx', ['sqlx'])]);
  at.places.hold('one', at.folder.path);
  at.places.hold('two', at.folder.path);
  await soon(() => expect(at.readings()).toBeGreaterThan(0));
  at.places.release('one');
  await writeFile(at.folder.at('deps'), 'sqlx\n');
  await soon(() => expect(at.names()).toEqual(['files', 'sqlx']));
  at.places.hold('two', null);
  expect(at.places.held()).toEqual([]);
});

test('the config comes first: its name is kept, and a clash is told', async () => {
  await using at = setUp([offer('files', ['*'], []), offer('other', ['*'])]);
  at.places.hold('one', at.folder.path);
  at.setConfig([definition('files', { origin: '/config.json', sharing: 'session' })]);
  expect(at.places.definitions(at.folder.path).get('files')?.origin).toBe('/config.json');
  expect(at.names()).toEqual(['files', 'other']);
  expect(at.places.problems()).toEqual([
    'Two servers are named files: the one of /config.json is used, that of /plugins/files.toml is not.',
  ]);
});

test('commands of predicates run beside, are kept, and are run again when the workspace has changed', async () => {
  await using at = setUp(
    [
      offer('one', ['*'], ['shell(test -e there)']),
      offer('two', ['*'], ['fits(there)']),
      offer('three', ['*'], ['shell(sleep 60)']),
    ],
    { PATH: process.env['PATH'] ?? '' },
  );
  const decisionOf = (server: string) =>
    at.places.applied(at.folder.path).decisions.find(({ definition: { name } }) => name === server);
  expect(decisionOf('one')?.atoms[0]?.because).toBe('its command has not ended yet');
  await soon(() => expect(decisionOf('one')?.atoms[0]?.because).toBe('the command failed'));
  await writeFile(at.folder.at('there'), '');
  expect(at.names()).toEqual(['files']);
  await writeFile(at.folder.at('deps'), 'x\n');
  await at.places.refresh(at.folder.path);
  await soon(() => expect(at.names()).toEqual(['files', 'one', 'two']));
});

test('settled() waits for predicates that are programs', async () => {
  await using at = setUp([offer('one', ['*'], ['shell(sleep 0.2)', 'shell(test -e there)'])], {
    PATH: process.env['PATH'] ?? '',
  });
  await writeFile(at.folder.at('there'), '');
  expect(at.names()).toEqual(['files']);
  await at.places.settled(at.folder.path);
  expect(at.names()).toEqual(['files', 'one']);
});

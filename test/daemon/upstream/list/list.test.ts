import { expect, test } from 'vitest';
import { eventually } from '../../../helpers/eventually.ts';
import { ALICE, server, testPool } from '../../../helpers/upstream.ts';

const signal = () => new AbortController().signal;
const names = Array.from({ length: 130 }, (_, at) => `tool-${String(at + 1).padStart(3, '0')}`);

test('list() keeps odd schemas and unknown fields of tools', async () => {
  await using up = await testPool();
  const { tools, instructions, serverInfo, protocolVersion, freshness } = await up.pool.list(
    server('echo'),
    ALICE,
    signal(),
  );
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'odd', 'error', 'shapeless', 'pid']);
  expect(tools[0]).toMatchObject({ 'x-unknown': { kept: true }, annotations: { readOnlyHint: true } });
  expect(tools[2]).toMatchObject({ inputSchema: true, outputSchema: false });
  expect(tools[3]).toMatchObject({ inputSchema: null });
  expect({ instructions, serverInfo, protocolVersion, freshness }).toEqual({
    instructions: 'Say something.',
    serverInfo: { name: 'echo', version: '1.0.0' },
    protocolVersion: '2025-11-25',
    freshness: 'confirmed',
  });
});

test('list() asks once for all that wait, and a call lists too', async () => {
  await using up = await testPool();
  const changing = server('changing');
  await Promise.all([
    up.pool.list(changing, ALICE, signal()),
    up.pool.list(changing, ALICE, signal()),
    up.say(changing, 'lists'),
  ]);
  expect(await up.say(changing, 'lists')).toBe('1');
  expect(up.listed).toHaveLength(1);
});

test.each([
  ['good', 0],
  ['empty', 0],
  ['repeat', 1],
  ['circle', 2],
  ['forever', 1],
])('R064: %s pages give each tool once', async (how, warnings) => {
  await using up = await testPool();
  const listed = await up.pool.list(server('paged', [how]), ALICE, signal());
  expect(listed.tools.map(({ name }) => name)).toEqual(how === 'repeat' ? names.slice(0, 100) : names);
  expect(listed.warnings).toHaveLength(warnings);
  expect(listed.freshness).toBe('confirmed');
});

test('R064: a first list that fails on page two is given as far as it came, and said to be partial', async () => {
  await using up = await testPool();
  const listed = await up.pool.list(server('paged', ['fail']), ALICE, signal());
  expect(listed.tools).toHaveLength(50);
  expect(listed.freshness).toBe('stale');
  expect(listed.warnings.join(' ')).toContain('page two is torn');
  expect(listed.warnings.join(' ')).toContain('partly listed');
});

test('R064: a refresh that fails on page two keeps the last complete list', async () => {
  await using up = await testPool();
  const paged = server('paged', ['later']);
  await up.pool.list(paged, ALICE, signal());
  await up.say(paged, 'change');
  await eventually(() => expect(up.listed).toHaveLength(2));
  const { listed } = up.listed[1] ?? expect.fail('no second list');
  expect(listed.tools).toHaveLength(130);
  expect(listed.freshness).toBe('stale');
  expect(listed.warnings.join(' ')).toContain('partly listed');
});

test('R064: nameless and doubled tools are reported, the others stay', async () => {
  await using up = await testPool();
  const listed = await up.pool.list(server('paged', ['odd']), ALICE, signal());
  expect(listed.tools.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(listed.warnings).toEqual([
    '4 tools without a name were left out.',
    'Tools listed twice, the first one counts: one.',
  ]);
});

test('list_changed in a burst is listed once, and empty or failed refreshes keep the last good list', async () => {
  await using up = await testPool();
  const changing = server('changing');
  await up.pool.list(changing, ALICE, signal());
  await up.say(changing, 'grow', { times: 20 });
  await eventually(() => expect(up.listed.at(-1)?.listed.tools).toHaveLength(2));
  expect(await up.say(changing, 'lists')).toBe('2');

  await up.say(changing, 'empty');
  await eventually(() => expect(up.listed).toHaveLength(3));
  expect(up.listed[2]?.listed).toMatchObject({ freshness: 'stale' });
  expect(up.listed[2]?.listed.tools).toHaveLength(2);

  await up.say(changing, 'tear');
  await eventually(() => expect(up.listed).toHaveLength(4));
  expect(up.listed[3]?.listed.tools).toHaveLength(2);
  expect(up.listed[3]?.listed.warnings.join(' ')).toContain('the list is torn');

  await up.say(changing, 'mend');
  await eventually(() => expect(up.listed.at(-1)?.listed.freshness).toBe('confirmed'));
});

test('a server that cannot list at all can still be called, and says so', async () => {
  await using up = await testPool();
  const torn = server('changing', ['torn']);
  await expect(up.pool.list(torn, ALICE, signal())).rejects.toMatchObject({
    code: 'upstream',
    message: 'Server `changing` could not list its tools: page 1 failed: the list is torn.',
  });
  expect(up.pool.status()[0]).toMatchObject({
    state: 'ready',
    lastError: expect.stringContaining('the list is torn'),
  });
  await up.say(torn, 'mend');
  await eventually(() => expect(up.pool.status()[0]?.lastError).toBeNull());
  expect((await up.pool.list(torn, ALICE, signal())).tools).toHaveLength(1);
});

test('list() right after a change asks anew at once, and once for all that wait', async () => {
  await using up = await testPool();
  const changing = server('changing');
  await up.pool.list(changing, ALICE, signal());
  await up.say(changing, 'grow', { times: 20 });
  expect(up.pool.status()[0]?.relisting).toBe(true);
  const lists = await Promise.all([1, 2, 3].map(() => up.pool.list(changing, ALICE, signal())));
  for (const listed of lists) expect(listed.tools).toHaveLength(2);
  expect(up.pool.status()[0]?.relisting).toBe(false);
  expect(await up.say(changing, 'lists')).toBe('2');
});

test('R064: a tool that nests deeper than any stack is left out and named, the others stay', async () => {
  await using up = await testPool();
  const listed = await up.pool.list(server('paged', ['deep']), ALICE, signal());
  expect(listed.tools.map(({ name }) => name)).toEqual(['flat']);
  expect(listed.warnings).toEqual(['Tools that nest deeper than 200 levels were left out: deep.']);
});

test('changes that are told while a long listing runs make one listing after it', async () => {
  await using up = await testPool();
  const restless = server('changing', ['restless']);
  await up.pool.list(restless, ALICE, signal());
  // It tells a change every 20 ms until the second listing, which takes 1 s, is over.
  await eventually(() => expect(up.listed).toHaveLength(3));
  expect(await up.say(restless, 'lists')).toBe('3');
});

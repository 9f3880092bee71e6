import { expect, test } from 'vitest';
import { declarations, listTools } from '../../../daemon/surface/list.ts';
import { namespacesIn } from '../../helpers/typescript.ts';
import { said, scope, testPorts, tool, viewOf } from '../../helpers/view.ts';

const view = viewOf({
  files: [tool('read-file', { description: 'Reads one file.' }), 'move'],
  mail: ['send'],
  'db-main': ['query'],
});
const list = async (args: object, ports = testPorts(view)) => said(await listTools(ports, args as never, scope()));

test('listTools() gives everything where nothing is asked for, and starts nobody that is known', async () => {
  const ports = testPorts(view);
  expect(namespacesIn(await list({}, ports))).toEqual(['files', 'mail', 'db_main']);
  expect(ports.met).toEqual([]);
});

test('listTools() narrows by servers under either name, by tools under any name, and by query', async () => {
  for (const name of ['db-main', 'db_main']) expect(namespacesIn(await list({ servers: [name] }))).toEqual(['db_main']);
  expect(namespacesIn(await list({ servers: ['mail', 'mail'] }))).toEqual(['mail']);
  for (const pattern of ['read-file', 'read_file', 'files.read*', 'files.read-file']) {
    const text = await list({ tools: [pattern] });
    expect(text).toContain('function read_file(');
    expect(text).not.toContain('function move(');
  }
  expect(await list({ query: 'read file' })).toContain('read_file');
  expect(await list({ query: 'quantum' })).toContain('// Nothing here matches: quantum');
  expect(namespacesIn(await list({ servers: [], tools: [] }))).toHaveLength(3);
});

test('listTools() says what is wrong with a name, and what is near', async () => {
  await expect(list({ servers: ['fils'] })).rejects.toThrow('No server is named fils here. Near: files.');
  await expect(list({ tools: ['snd'] })).rejects.toThrow('No tool here matches snd. Near: send.');
  await expect(list({ detail: 'most' })).rejects.toThrow('`detail` must be one of');
  await expect(list({ server: 'files' })).rejects.toThrow('list_tools has no parameter `server`');
});

test('listTools() meets unknown servers, and names each that stays unknown with its reason', async () => {
  const unknown = viewOf({ well: ['a'], slow: undefined, gone: undefined, ill: undefined });
  const states = {
    slow: { state: 'starting', reason: null },
    gone: { state: 'parked', reason: 'its command `x` was not found.' },
    ill: { state: 'dead', reason: 'it exited with 3.' },
  } as const;
  const ports = testPorts(unknown, {
    stateOf: ({ definition }) => states[definition.name as keyof typeof states],
  });
  const text = await list({}, ports);
  expect(ports.met).toEqual(['slow', 'gone', 'ill']);
  expect(text.split('\n').slice(-3)).toEqual([
    '// slow is still starting; ask again in a few seconds.',
    '// gone is parked and is not tried again by itself: its command `x` was not found.',
    '// ill failed: it exited with 3. It is tried again on the next call.',
  ]);
  // A tool that nobody has may belong to one of them.
  await expect(list({ tools: ['slow.b'] }, ports)).rejects.toThrow(
    /No tool here matches slow\.b\..*slow is still starting/,
  );
  const one = testPorts(unknown);
  await list({ servers: ['slow'] }, one);
  expect(one.met).toEqual(['slow']);
});

test('listTools() says of a stale list that it is one', async () => {
  const [server] = view.servers;
  if (server?.listing === undefined) throw new Error('no listing');
  const stale = {
    ...server,
    listing: { ...server.listing, freshness: 'stale' as const, warnings: ['page 2 is torn'] },
  };
  const text = await list({}, testPorts({ ...view, servers: [stale] }));
  expect(text).toContain('// files: page 2 is torn');
  expect(text).toContain('// files: this is its last good list; it could not be renewed.');
});

test('listTools() keeps to its budget, and takes more where detail and servers are stated', async () => {
  const wide = viewOf({
    big: Array.from({ length: 200 }, (_, at) => tool(`tool_${at}`, { description: 'Does a thing. '.repeat(5) })),
  });
  const short = await list({}, testPorts(wide, { budgetTokens: 500 }));
  expect(short).toContain('// Left out');
  expect(short.length).toBeLessThan(500 * 6);
  const stated = await list({ servers: ['big'], detail: 'signatures' }, testPorts(wide, { budgetTokens: 2000 }));
  expect(stated).toContain('function tool_199(');
});

test('listTools() says how servers are added where there is none', async () => {
  expect(await list({}, testPorts(viewOf({})))).toMatch(/No server is configured/);
});

test('declarations() gives all of the asked servers at one detail, with no budget', async () => {
  const ports = testPorts(view, { budgetTokens: 1 });
  expect(namespacesIn(await declarations(ports, [], 'full', scope().signal))).toHaveLength(3);
  await expect(declarations(ports, [], 'most', scope().signal)).rejects.toThrow('`detail` must be one of');
});

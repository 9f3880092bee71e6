import { expect, test } from 'vitest';
import { callTool } from '../../../daemon/surface/call.ts';
import { execute } from '../../../daemon/surface/execute.ts';
import type { ScriptOutcome } from '../../../daemon/surface/ports.ts';
import { said, scope, testPorts, viewOf } from '../../helpers/view.ts';

const view = viewOf({ files: ['read-file'], late: undefined, 'db-main': undefined });
const gives = (outcome: ScriptOutcome) => testPorts(view, { run: async () => outcome });

test('execute() refuses what does not exist yet by name, and what is no script', async () => {
  for (const [args, message] of [
    [{ script: '1', resume: 'x' }, /`resume` does not exist/],
    [{ script: '1', background: true }, /`background` does not exist/],
    [{}, /execute needs `script`/],
    [{ script: 7 }, /`script` must be a string/],
    [{ code: '1' }, /no parameter `code`/],
  ] as const)
    await expect(execute(testPorts(view), args, scope())).rejects.toThrow(message);
});

test('execute() bounds timeout_seconds', async () => {
  const ports = testPorts(view);
  for (const [asked, used] of [
    [undefined, 30_000],
    [600, 600_000],
    [0.5, 500],
  ] as const) {
    await execute(ports, { script: '1', ...(asked !== undefined && { timeout_seconds: asked }) }, scope());
    expect(ports.runs.at(-1)?.timeoutMs).toBe(used);
  }
  for (const asked of [0, -1, 601]) {
    const refused = execute(ports, { script: '1', timeout_seconds: asked }, scope());
    await expect(refused).rejects.toThrow('more than 0 and at most 600');
  }
});

test('execute() meets the unknown servers that a script names, and no others', async () => {
  for (const [script, met] of [
    ['files.read_file({})', []],
    ['await late.x({})', ['late']],
    ['tools["db-main"].x({})', ['db-main']],
    ['db_main.x({})', ['db-main']],
    ['const later = 1; relate', []],
  ] as const) {
    const ports = testPorts(view);
    await execute(ports, { script }, scope());
    expect(ports.met).toEqual(met);
  }
});

test('execute() finds a tool anew for each call, meets its server if need be, and unwraps what it gives', async () => {
  let now = view;
  const ports = testPorts(() => now, {
    discover: async () => {
      now = viewOf({ files: ['read-file'], late: ['x'], 'db-main': undefined });
    },
    stateOf: () => ({ state: 'dead', reason: 'it broke.' }),
  });
  await execute(ports, { script: '1' }, scope());
  const [run] = ports.runs;
  const call = (server: string, name: string) => run?.call(server, name, {}, scope().signal);
  expect(await call('files', 'read_file')).toBe('read-file');
  expect(await call('late', 'x')).toBe('x');
  await expect(call('late', 'y')).rejects.toThrow('late has no tool y.');
  await expect(call('db-main', 'q')).rejects.toThrow('db-main failed: it broke.');
  await expect(call('nobody', 'q')).rejects.toThrow('No server is named nobody here.');
  expect(ports.called).toEqual(['files.read-file', 'late.x']);
});

test('execute() reports each call as a step', async () => {
  const steps: [number, string][] = [];
  const ports = testPorts(view);
  await execute(ports, { script: '1' }, { ...scope(), progress: (done, message) => steps.push([done, message]) });
  for (const _ of [1, 2]) await ports.runs[0]?.call('files', 'read-file', {}, scope().signal);
  expect(steps).toEqual([
    [1, 'files.read_file'],
    [2, 'files.read_file'],
  ]);
});

test('execute() shows value and console, caps the value, and tells errors with name and place', async () => {
  const long = gives({ ok: true, value: 'x'.repeat(30_000), logs: ['one', 'two'] });
  const result = await execute(long, { script: '1' }, scope());
  expect(result.content[0]?.text).toMatch(/^x{19000,20000}\n… cut: 19,\d+ of 30,000/);
  expect(said(result).length).toBeLessThanOrEqual(20_000);
  expect(JSON.parse(long.kept.get('r1') ?? '')).toBe('x'.repeat(30_000));
  expect(result.content[1]?.text).toBe('console:\none\ntwo');
  expect(result.isError).toBeUndefined();
  for (const [error, text] of [
    [{ name: 'TypeError', message: 'no', line: 2, column: 5 }, 'TypeError: no (line 2, column 5)'],
    [{ name: 'TypeError', message: 'no', line: 2 }, 'TypeError: no (line 2)'],
    [{ name: 'TimeoutError', message: 'over' }, 'TimeoutError: over'],
  ] as const) {
    const failed = await execute(gives({ ok: false, error, logs: ['seen'] }), { script: '1' }, scope());
    expect(failed.isError).toBe(true);
    expect(said(failed)).toBe(`${text}\nconsole:\nseen`);
  }
});

test('callTool() takes raw and script names and says what it lacks', async () => {
  const ports = testPorts(view);
  for (const name of ['read-file', 'read_file']) {
    await callTool(ports, { server: 'files', tool: name, arguments: { a: 1 } }, scope());
  }
  expect(ports.called).toEqual(['files.read-file', 'files.read-file']);
  await expect(callTool(ports, { server: 'files' }, scope())).rejects.toThrow('call_tool needs `server` and `tool`.');
  await expect(callTool(ports, { server: 'files', tool: 'red_file' }, scope())).rejects.toThrow('Near: read_file.');
  await expect(callTool(ports, { server: 'files', tool: 'x', arguments: [] }, scope())).rejects.toThrow('`arguments`');
  await expect(callTool(ports, { server: 'late', tool: 'x' }, scope())).rejects.toThrow('late is still starting');
  expect(ports.met).toEqual(['late']);
});

test('execute() ends a failed run with type notes of the servers it mentions, where there is a checker', async () => {
  const asked: unknown[] = [];
  const failing = (name: string, notes: readonly string[]) =>
    testPorts(viewOf({ files: ['read'], web: ['get'] }), {
      run: async () => ({ ok: false, error: { name, message: 'no' }, logs: ['before'] }),
      typeNotes: async (script, servers) => {
        asked.push([script, servers.map(({ namespace }) => namespace)]);
        return notes;
      },
    });
  const run = (ports: ReturnType<typeof failing>) => execute(ports, { script: 'files.read()' }, scope());
  expect(said(await run(failing('TypeError', ['line 1', 'line 2'])))).toBe(
    'TypeError: no\nconsole:\nbefore\ntypes:\nline 1\nline 2',
  );
  expect(said(await run(failing('TypeError', [])))).toBe('TypeError: no\nconsole:\nbefore');
  expect(asked).toEqual(Array(2).fill(['files.read()', ['files']]));
  for (const name of ['CancelledError', 'TimeoutError', 'MemoryError', 'StackOverflowError', 'DeadlockError'])
    expect(said(await run(failing(name, ['line 1'])))).not.toContain('types:');
  const done = { ...failing('Error', ['line 1']), run: gives({ ok: true, value: 1, logs: [] }).run };
  expect(said(await run(done))).toBe('1');
  expect(asked).toHaveLength(2);
});

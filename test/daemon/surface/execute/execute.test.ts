import { expect, test } from 'vitest';
import { callTool } from '../../../../daemon/surface/call.ts';
import { execute } from '../../../../daemon/surface/execute/execute.ts';
import type { CallScope, ScriptOutcome } from '../../../../daemon/surface/ports.ts';
import { said, scope, testPorts, viewOf } from '../../../helpers/view.ts';

const view = viewOf({ files: ['read-file'], late: undefined, 'db-main': undefined });
const gives = (outcome: ScriptOutcome) => testPorts(view, { run: async () => outcome });

test('execute() takes a script or the id of a run, and says so', async () => {
  for (const [args, message] of [
    [{ script: '1', resume: 'r1' }, /`script` or `resume`, not both; nothing was done/],
    [{ script: '1', background: 'yes' }, /`background` must be true or false/],
    [{ resume: 'r9' }, /No run is named r9\. This workspace has none\./],
    [{}, /execute needs `script`.*or `resume`/],
    [{ resume: '' }, /execute needs `script`/],
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
  const ports = testPorts(view, {
    run: async ({ call }) => {
      for (const _ of [1, 2]) await call('files', 'read_file', {}, scope().signal);
      return { ok: true, value: 'done', logs: [] };
    },
  });
  const progress: CallScope['progress'] = (done, message) =>
    steps.push([done, typeof message === 'string' ? message : message()]);
  await execute(ports, { script: '1' }, { ...scope(), progress });
  expect(steps).toEqual([
    [1, 'files.read-file, 0 calls done'],
    [2, 'files.read-file, 1 call done'],
  ]);
});

test('execute() says what a failed script had called, and spares a good one that', async () => {
  const error = { name: 'TypeError', message: 'no' };
  const calling = (ok: boolean) =>
    testPorts(view, {
      run: async ({ call }) => {
        await call('files', 'read_file', {}, scope().signal);
        void call('files', 'read_file', {}, scope().signal).catch(() => {}); // not awaited
        return ok ? { ok, value: 1, logs: [] } : { ok, error, logs: [] };
      },
      call: async (_server, tool, _args, { signal }) => {
        if (open) await new Promise((_, reject) => signal.addEventListener('abort', reject));
        open = true;
        return { content: [{ type: 'text', text: tool.raw }] };
      },
    });
  let open = false;
  const failed = said(await execute(calling(false), { script: '1' }, scope()));
  expect(failed).toMatch(
    /^TypeError: no\ncalls made: 2, 1 not ok\nok files\.read-file \d+ ms 9 B\ncancelled files\.read-file \d+ ms$/,
  );
  open = false;
  expect(said(await execute(calling(true), { script: '1' }, scope()))).toBe('1');
});

test('execute() leaves a long script to itself, and gives its result to who asks again', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const signals: AbortSignal[] = [];
  const ports = testPorts(view, {
    detachSeconds: 0.02,
    run: async ({ signal }) => {
      signals.push(signal);
      await finished;
      return { ok: true, value: 'late', logs: [] };
    },
  });
  const caller = new AbortController();
  const first = await execute(ports, { script: '1' }, { signal: caller.signal });
  expect(first.content).toMatchObject([
    { text: '{"run":"r1","state":"running"}' },
    { text: expect.stringContaining('execute({"resume": "r1"})') },
  ]);
  caller.abort(); // too late: its request was answered
  expect(said(await execute(ports, { resume: 'r1' }, scope()))).toContain('"state":"running"');
  const background = await execute(ports, { script: '1', background: true }, scope());
  expect(background.content).toEqual([{ type: 'text', text: '{"run":"r2","state":"running"}' }]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  finish();
  for (const _ of [1, 2]) expect(said(await execute(ports, { resume: 'r1' }, scope()))).toBe('late');
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
  for (const name of [
    'CancelledError',
    'TimeoutError',
    'MemoryError',
    'StackOverflowError',
    'DeadlockError',
    'LimitError',
  ])
    expect(said(await run(failing(name, ['line 1'])))).not.toContain('types:');
  const done = { ...failing('Error', ['line 1']), run: gives({ ok: true, value: 1, logs: [] }).run };
  expect(said(await run(done))).toBe('1');
  expect(asked).toHaveLength(2);
});

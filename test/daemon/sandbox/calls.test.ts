import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { GuestNamespace } from '../../../daemon/sandbox/sandbox.ts';
import { MetadError } from '../../../schema/errors.ts';
import type { JsonObject } from '../../../schema/tool.ts';
import { errorOf, resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

test('a tool is called by its script name, its raw name and through tools', async () => {
  const script = `[
    await files.delete_all({ a: 1 }), await files['delete-all']({ a: 2 }), await tools['file-server'].delete_all(),
  ]`;
  const called = { server: 'file-server', tool: 'delete-all' };
  expect(await run(script)).toEqual({
    ok: true,
    value: [
      { ...called, args: { a: 1 } },
      { ...called, args: { a: 2 } },
      { ...called, args: {} },
    ],
    parts: [],
    emitted: [],
    logs: [],
    calls: 3,
  });
});

describe('R028: odd tools', () => {
  const raws = ['delete', 'await', '404', 'constructor', '__proto__', 'then', 'toJSON', 'résumé', '🚀'];
  const tools = raws.map((raw, at) => ({
    script: raw === '404' || raw === 'then' || raw === '🚀' ? `t${at}` : raw,
    raw,
  }));
  const namespaces: GuestNamespace[] = [{ server: 'odd', global: 'odd', tools }];
  test('are called by the name that was declared', async () => {
    const script = `const out = []; for (const name of Object.keys(odd)) out.push((await odd[name]()).tool); out`;
    expect(resultOf(await run(script, { namespaces }))).toEqual(raws);
  });
  test('break neither awaiting nor enumerating nor writing down their server', async () => {
    const call = vi.fn(async () => 1);
    const script =
      'const same = await odd; [same === odd, "delete" in odd, "nope" in odd, odd.then, String(Object.keys(odd).length)]';
    expect(resultOf(await run(script, { namespaces, call }))).toEqual([true, true, false, null, '9']);
    expect(call).not.toHaveBeenCalled();
  });
});

describe('a namespace', () => {
  test.each([
    ['files.raed({})', 'raed is not a tool of files; near: read'],
    ['tools.file_sever', 'file_sever is not a server of tools; near: file-server'],
    ['files.read = 1', 'files is read-only'],
    ['delete files.read', 'files is read-only'],
    ['files = 1', 'files holds tools and cannot be assigned; take another name'],
    ['await files.read("a")', 'files.read takes one object of named arguments; it was given a string'],
    ['await files.read([])', 'files.read takes one object of named arguments; it was given an array'],
    ['await files.read(null)', 'files.read takes one object of named arguments; it was given null'],
    [
      'const a = {}; a.a = a; await files.read(a)',
      'The arguments of files.read cannot be written as JSON: circular reference',
    ],
  ])('refuses %s', async (script, message) => {
    const outcome = await run(script);
    expect(errorOf(outcome)).toMatchObject({ name: 'TypeError', message, line: 1 });
    expect(outcome.calls).toBe(0);
  });
  test('may be shadowed by a name of the script', async () => {
    expect(resultOf(await run('const files = 5; files'))).toBe(5);
  });
  test('of another view replaces the ones before', async () => {
    const other: GuestNamespace[] = [{ server: 's', global: 'other', tools: [] }];
    expect(resultOf(await run('[typeof files, typeof other]'))).toEqual(['object', 'undefined']);
    expect(resultOf(await run('[typeof files, typeof other]', { namespaces: other }))).toEqual(['undefined', 'object']);
    expect(resultOf(await run('[typeof files, typeof other]'))).toEqual(['object', 'undefined']);
  });
  test('never takes the place of a built-in', async () => {
    const namespaces: GuestNamespace[] = [{ server: 's', global: 'JSON', tools: [{ script: 't', raw: 't' }] }];
    expect(resultOf(await run('[JSON.stringify(1), (await tools.s.t()).server]', { namespaces }))).toEqual(['1', 's']);
  });
});

test('texts cross the border whole', async () => {
  const text = 'é🚀 \u0000\u2028 "\\ \ud800 end';
  const call = async (_: string, __: string, args: JsonObject) => args;
  expect(
    resultOf(await run(`const a = ${JSON.stringify({ text })}; [(await files.read(a)).text === a.text, a]`, { call })),
  ).toEqual([true, { text }]);
});

test('R038: calls in sequence and twenty side by side give their own results', async () => {
  let open = 0;
  let most = 0;
  const call = async (_: string, __: string, args: JsonObject) => {
    open += 1;
    most = Math.max(most, open);
    const at = Number(args['at']);
    if (at >= 0) {
      // All twenty are open before the first is answered, and the last is answered first.
      await vi.waitFor(() => expect(most).toBe(20), { interval: 2, timeout: 10_000 });
      await vi.waitFor(() => expect(open).toBe(at + 1), { interval: 2, timeout: 10_000 });
    }
    open -= 1;
    return { at };
  };
  const script = `const out = [];
    for (let i = 1; i <= 3; i++) out.push((await files.read({ at: -i })).at);
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => files.read({ at })));
    [...out, ...all.map((one) => one.at)]`;
  const outcome = await run(script, { call });
  expect(resultOf(outcome)).toEqual([-1, -2, -3, ...Array.from({ length: 20 }, (_, at) => at)]);
  expect(outcome.calls).toBe(23);
});

describe('R040: a failing call', () => {
  const call = async (_: string, tool: string) => {
    if (tool === 'read') throw new MetadError('upstream', 'file-server went away during read: exit code 3');
    return 'fine';
  };
  test('is caught as an Error with its text, and the script goes on', async () => {
    const script = `let seen;
      try { await files.read({}) } catch (e) { seen = [e instanceof Error, e.name, e.message, e.server, e.tool, e.code] }
      [seen, await files.delete_all()]`;
    expect(resultOf(await run(script, { call }))).toEqual([
      [true, 'ToolError', 'file-server went away during read: exit code 3', 'file-server', 'read', 'upstream'],
      'fine',
    ]);
  });
  test('fails the script at the line that called when it is not caught', async () => {
    const error = errorOf(await run('const a = 1;\nconst b = await files.read({});', { call }));
    expect(error).toMatchObject({
      name: 'ToolError',
      message: 'file-server went away during read: exit code 3',
      line: 2,
    });
  });
  test('keeps the content that its server sent', async () => {
    const failing = async () => {
      throw Object.assign(new Error('no'), { content: [{ type: 'text', text: 'no' }] });
    };
    const script = 'try { await files.read() } catch (e) { e.content }';
    expect(resultOf(await run(script, { call: failing }))).toEqual([{ type: 'text', text: 'no' }]);
  });
});

test('calls beyond the limit are not made', async () => {
  const outcome = await run('let n = 0; try { for (;;) { await files.read(); n++ } } catch (e) { [n, e.name] }', {
    limits: { maxCalls: 7 },
  });
  expect(outcome).toMatchObject({ value: [7, 'LimitError'], calls: 7 });
});

test('calls that the script did not await are cancelled when it ends, and it says so', async () => {
  let reason: unknown;
  const call = (_: string, __: string, ___: JsonObject, signal: AbortSignal) =>
    new Promise<null>((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        reject(signal.reason);
      });
    });
  const outcome = await run('files.delete_all(); 5', { call });
  expect(outcome).toMatchObject({ ok: true, value: 5, calls: 1 });
  expect(outcome.logs).toEqual(['metad: cancelled, since the script ended without awaiting it: files.delete_all']);
  expect(reason).toMatchObject({ code: 'cancelled' });
});

test('a result too large for the script is an error of that call only', async () => {
  const script = 'try { await files.read() } catch (e) { [e.name, e.code] }';
  const call = async () => 'x'.repeat(20_000_000);
  expect(resultOf(await run(script, { call }))).toEqual(['ToolError', 'limit']);
});

test('a call that throws at once is as one that rejects', async () => {
  const call = (): Promise<never> => {
    throw new Error('at once');
  };
  expect(errorOf(await run('await files.read()', { call }))).toMatchObject({ name: 'ToolError', message: 'at once' });
});

test('R047: waiting for a tool is no script time', async () => {
  const call = async () => {
    await sleep(700);
    return 1;
  };
  const script = 'const a = await files.read(); const b = await files.read(); a + b';
  expect(resultOf(await run(script, { call, limits: { timeoutMs: 500 } }))).toBe(2);
});

describe('an open namespace', () => {
  const open: GuestNamespace[] = [{ server: 'later', global: 'later', tools: [], open: true }];
  test('takes any name for a tool, and the host answers for it', async () => {
    const call = vi.fn(async (server: string, tool: string, args: JsonObject) => ({ server, tool, args }));
    const script = '[await later.find_it({n: 1}), await later["any name"]()]';
    expect(resultOf(await run(script, { namespaces: open, call }))).toEqual([
      { server: 'later', tool: 'find_it', args: { n: 1 } },
      { server: 'later', tool: 'any name', args: {} },
    ]);
  });
  test('can be awaited and enumerated without a call', async () => {
    const call = vi.fn(async () => null);
    const script = '[typeof (await later), Object.keys(later).length, String(later.then)]';
    expect(resultOf(await run(script, { namespaces: open, call }))).toEqual(['object', 0, 'undefined']);
    expect(call).not.toHaveBeenCalled();
  });
});

test('a hundred calls side by side are each answered, and listening for their end is no leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const call = (_: string, __: string, args: JsonObject, signal: AbortSignal) =>
    new Promise<JsonObject>((resolve) => {
      signal.addEventListener('abort', () => {});
      setImmediate(resolve, args);
    });
  const script = '(await Promise.all(Array.from({ length: 100 }, (_, at) => files.read({ at })))).map(({ at }) => at)';
  expect(resultOf(await run(script, { call }))).toEqual(Array.from({ length: 100 }, (_, at) => at));
  await sleep(0);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

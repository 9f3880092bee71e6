// Values that are no JSON, all in one result: each has its form, and none costs another.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';

const PARTS: Readonly<Record<string, readonly [string, unknown]>> = {
  big: ['12n', '12n'],
  map: ['new Map([[1, { d: new Date(0) }]])', [[1, { d: '1970-01-01T00:00:00.000Z' }]]],
  set: ['new Set([1, 2])', [1, 2]],
  nan: ['NaN', 'NaN'],
  zero: ['-0', 0],
  hole: ['[1, undefined]', [1, null]],
  error: ['new RangeError("too far")', { name: 'RangeError', message: 'too far' }],
  run: ['function sail() {}', '[Function sail]'],
  bytes: ['new Uint8Array([1, 2])', [1, 2]],
  proxy: ['new Proxy({}, { ownKeys() { throw new Error("no") } })', '[Threw Error: no]'],
  self: ['(() => { const a = { n: 1 }; a.a = a; return a })()', { n: 1, a: '[Circular]' }],
};
const entries = Object.entries(PARTS);

test('R044: each value has its form, beside a text of 10 MB that is cut and kept', async () => {
  await using home = temporaryHome({});
  await using agent = await connectAgent({ home: home.home });
  const fields = entries.map(([name, [script]]) => `${name}: ${script}`).join(', ');
  const expected = Object.fromEntries(entries.map(([name, [, form]]) => [name, form]));

  expect(await agent.run(`return { ${fields} }`)).toEqual(expected);
  for (const [name, [script, form]] of entries) expect(await agent.run(`return [${script}]`), name).toEqual([form]);

  const result = await agent.call('execute', { script: `return { text: 'x'.repeat(10_000_000), ${fields} }` });
  expect(result.isError ?? false).toBe(false);
  const text = textOf(result);
  expect(text.length).toBeLessThanOrEqual(20_000);
  for (const [name, form] of Object.entries(expected)) expect(text).toContain(`"${name}":${JSON.stringify(form)}`);
  const handle = /metad\.result\("(r\d+)"\)/.exec(text)?.[1];
  expect(
    await agent.run(`const { text, ...rest } = await metad.result("${handle}"); return { length: text.length, rest }`),
  ).toEqual({ length: 10_000_000, rest: expected });
});

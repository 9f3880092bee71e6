// With the real checker: what it says, what ends it, and what nothing may come of.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChecker } from '../../../daemon/types/find.ts';
import { createTypes, type Declaration, type TypesOptions } from '../../../daemon/types/types.ts';
import { testFolder } from '../../helpers/folder.ts';
import { isAlive, until, untilGone } from '../../helpers/processes.ts';
import { ROOT } from '../../helpers/program.ts';

const FILES: Declaration = {
  namespace: 'files',
  text: `declare namespace files {
function read(params: { path: string; mode?: "text" | "bytes" }): Promise<{ text: string; size: number }>;
function list(params?: {}): Promise<{ name: string }[]>;
}
`,
};

const found = findChecker(ROOT);

/** A long wait by default: the machine may be busy. */
const open = (change: Partial<TypesOptions> = {}) => {
  const folder = testFolder();
  const events: string[] = [];
  const types = createTypes({
    log: (event) => events.push(event),
    program: () => ('program' in found ? found.program : undefined),
    folder: folder.at('types'),
    waitMs: 30_000,
    ...change,
  });
  return {
    folder,
    events,
    types,
    notes: (script: string, declarations = [FILES], signal = new AbortController().signal) =>
      types.notes(script, declarations, signal),
    running: () => until('the checker runs', 10_000, () => types.pid()),
    [Symbol.asyncDispose]: async () => {
      const pid = types.pid();
      await types[Symbol.asyncDispose]();
      if (pid !== undefined) await untilGone([pid]);
      folder[Symbol.dispose]();
    },
  };
};

test('notes() say what is wrong with the use of tools, at the agent’s own places', { timeout: 60_000 }, async () => {
  await using opened = open();
  const notes = async (script: string) => (await opened.notes(script)).join('\n');
  expect(await notes('const r = await files.read({ path: "a" });\nreturn r.txt.length')).toMatch(
    /^line 2, column 10: Property 'txt' does not exist .* Did you mean 'text'\?$/,
  );
  expect(await notes('files.red({ path: "a" })')).toMatch(/^line 1, column 7: .*'red'.* Did you mean 'read'\?$/);
  expect(await notes('files.read({ paht: "a" })')).toMatch(/^line 1, column 14: .*'paht'/);
  expect(await notes('files.read({ path: "a", mode: "txt" })')).toMatch(/'"txt"'/);
  expect(await notes('const r = files.read({ path: "a" }); r.text')).toMatch(/Did you forget to use 'await'\?$/);
  expect(await notes('```ts\nconst n: number = await files.list();\n```')).toMatch(/^line 2, column 7: .*'number'/);
  expect(await notes('{ a: (await files.list()).nam }')).toMatch(/^line 1, column 27: Property 'nam'/);
});

test('notes() say nothing of what is no matter of the tools’ types', { timeout: 60_000 }, async () => {
  await using opened = open();
  for (const script of [
    'const r = await files.read({ path: "a", mode: "bytes" }); return r.size',
    'const o = { a: 1 }; o.b = 2; return nothing.at.all',
    'let x; x = 5; fetch("http://x"); setTimeout(1); return files',
    'const r: any = await files.read({ path: "a" }); return r.anything as Missing',
    'return other.tool(1).x',
    'return (',
  ])
    expect(await opened.notes(script)).toEqual([]);
});

test('notes() come from one process, and another one where it was killed', { timeout: 60_000 }, async () => {
  await using opened = open();
  const wrong = 'return files.red()';
  const all = await Promise.all(Array.from({ length: 8 }, (_, at) => opened.notes(`${wrong} // ${at}`)));
  expect(all.map((notes) => notes.length)).toEqual(Array(8).fill(1));
  expect(opened.events).toEqual(['types.started']);
  const pid = await opened.running();
  process.kill(pid, 'SIGKILL');
  // None, where it dies with the question; then again.
  expect((await opened.notes(wrong)).length).toBeLessThanOrEqual(1);
  await untilGone([pid]);
  await until('notes again', 20_000, async () => (await opened.notes(`${wrong} // again`)).length === 1);
  expect(await opened.running()).not.toBe(pid);
});

test('the process ends after its rest, on kill(), and with whoever started it', { timeout: 60_000 }, async () => {
  await using resting = open({ restMs: 50 });
  expect(await resting.notes('files.red()')).toHaveLength(1);
  await until('it rests', 10_000, () => resting.types.pid() === undefined);
  expect(await resting.notes('files.red() ')).toHaveLength(1);

  await using killed = open();
  await killed.notes('files.red()');
  const pid = await killed.running();
  killed.types.kill();
  await untilGone([pid]);

  const closed = open();
  await closed.notes('files.red()');
  const last = await closed.running();
  await closed[Symbol.asyncDispose]();
  expect(isAlive(last)).toBe(false);
  expect(await closed.notes('files.red()')).toEqual([]);
});

test('a checker that is not there, is no checker, or does not answer gives no notes', { timeout: 60_000 }, async () => {
  for (const program of [undefined, '/nowhere/tsc', '/bin/false', '/bin/ls', '/bin/cat']) {
    await using opened = open({ program: () => program, waitMs: 1_000 });
    expect(await opened.notes('files.red()')).toEqual([]);
    expect(opened.events).toContain('types.none');
  }
  await using opened = open();
  expect(await opened.notes('files.red()', [FILES], AbortSignal.abort())).toEqual([]);
});

test('a checker that is not done in time is ended', { timeout: 60_000 }, async () => {
  await using opened = open({ program: () => silent, waitMs: 500 });
  const silent = opened.folder.at('silent');
  writeFileSync(silent, '#!/bin/sh\nexec sleep 600\n');
  chmodSync(silent, 0o755);
  const notes = opened.notes('files.red()');
  const pid = await opened.running();
  expect(await notes).toEqual([]);
  await untilGone([pid], 5_000);
});

test('notes() look at no script of more than 10,000 characters, and at nothing without declarations', async () => {
  await using opened = open();
  expect(await opened.notes(`files.red(); /*${'x'.repeat(10_000)}*/`)).toEqual([]);
  expect(await opened.notes('files.red()', [])).toEqual([]);
  expect(opened.events).toEqual([]);
});

test('notes() read no file that a script names', { timeout: 60_000 }, async () => {
  await using opened = open();
  const folder = opened.folder.at('types');
  mkdirSync(folder, { recursive: true });
  for (const name of ['secret.d.ts', 'secret.mts', 'secret.ts', 'secret.js'])
    writeFileSync(join(folder, name), 'export const key: "hunter2";');
  writeFileSync(join(folder, 'secret.json'), '{ "hunter2": 1 }');
  for (const file of [`${folder}/secret`, './secret', './secret.mjs', './secret.js', './secret.json']) {
    const texts = [
      `type S = typeof import(${JSON.stringify(file)});\nconst s: S = null;\nawait files.read(s.key);\nfiles.read(s)`,
      `/** @type {import(${JSON.stringify(file)})} */ let s;\nawait files.read(s.key); files.read(s); files.red()`,
    ];
    for (const text of texts) expect((await opened.notes(text)).join('\n')).not.toContain('hunter2');
  }
});

test('hostile scripts and declarations are bounded', { timeout: 120_000 }, async () => {
  await using opened = open({ waitMs: 3_000 });
  const huge: Declaration = {
    namespace: 'huge',
    text: `declare namespace huge {\n${'function a(): 1;\n'.repeat(90_000)}}`,
  };
  const digits = '"0"|"1"|"2"|"3"|"4"|"5"|"6"|"7"|"8"|"9"';
  const cases: [script: string, declarations: Declaration[]][] = [
    [`return files.red('${'x'.repeat(1_000_000)}')`, [FILES]],
    ['return huge.b()', [huge]],
    [
      `type D = ${digits}; type E = \`\${D}\${D}\${D}\${D}\`; type F = { [K in E]: { [L in E]: K extends L ? 1 : 0 }[E] };
      const q: F = await files.read({ path: 1 }); return q`,
      [FILES],
    ],
    [`return ${'['.repeat(3000)}files.red${']'.repeat(3000)}`, [FILES]],
    [`return ${Array.from({ length: 1_200 }, () => 'files.a').join('+')}`, [FILES]],
  ];
  for (const [script, declarations] of cases) {
    const before = performance.now();
    expect((await opened.notes(script, declarations)).length).toBeLessThanOrEqual(5);
    expect(performance.now() - before).toBeLessThan(10_000);
  }
  // Whatever became of it, the next one is answered.
  await until('notes again', 30_000, async () => (await opened.notes('files.red()')).length === 1);
});

// A script that looks for a way out, through the whole program.
import { expect, test } from 'vitest';
import { connectAgent, textOf } from '../helpers/agent.ts';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer } from '../helpers/program.ts';

const WALK = `
  const HOST = ['process', 'require', 'module', 'Buffer', 'fetch', 'WebAssembly', 'setImmediate', 'std', 'os', 'parentPort', 'workerData'];
  const found = [];
  let looked = 0;
  const seen = new Set();
  const look = (value, path) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value) || path.length > 10) return;
    seen.add(value);
    looked += 1;
    try {
      const make = value.constructor.constructor;
      if (make('return globalThis')() !== globalThis) found.push(path.join('.') + ' has another global');
      for (const name of HOST) if (make('return typeof ' + name)() !== 'undefined') found.push(path.join('.') + ' reaches ' + name);
    } catch {}
    for (const key of Reflect.ownKeys(value)) {
      const slot = Reflect.getOwnPropertyDescriptor(value, key);
      for (const one of [slot?.value, slot?.get, slot?.set]) look(one, [...path, String(key)]);
    }
    look(Object.getPrototypeOf(value), [...path, 'prototype of']);
  };
  look(globalThis, ['globalThis']);
  look(console, ['console']);
  for (const [name, tool] of Object.entries(echo)) look(tool, [name]);
  look(await echo.odd({}), ['result']);
  try { await echo.fail({ text: 'x' }) } catch (error) { look(error, ['tool error']) }
  try { null.x } catch (error) { look(error, ['error']) }
  return { found, enough: looked > 200 };
`;

const ATTEMPTS = [
  'await import("node:fs")',
  'try { await import("node:fs") } catch (error) { throw error }',
  'require("fs")',
  'process.exit(1)',
  'fetch("http://localhost")',
  'setTimeout("x", 1)',
  'Function("return process")()',
];

const EDITS = `
  Object.prototype.leak = 1; Array.prototype.map = () => 'leak'; Promise.prototype.then = undefined;
  JSON.stringify = () => '"leak"'; globalThis.leak = 1; globalThis.echo = 'leak'; console.log = undefined;
`;

test('R049: nothing of the host is reachable, each attempt is a plain error, and edits end with their script', async () => {
  await using home = temporaryHome({ mcpServers: { echo: fixtureServer('echo.mjs') } });
  await using agent = await connectAgent({ home: home.home });
  await using other = await connectAgent({ home: home.home });
  const daemon = await home.daemonPid();
  expect(await agent.run(WALK)).toEqual({ found: [], enough: true });
  for (const script of ATTEMPTS) {
    const result = await agent.call('execute', { script });
    expect(result.isError, script).toBe(true);
    expect(textOf(result), script).toMatch(/^\w*Error: .+/);
    expect(textOf(result)).not.toMatch(/\/dist\/|worker\.js/);
  }
  const check = `
    console.log('seen');
    return [({}).leak, typeof leak, [1].map((x) => x + 1), await Promise.resolve(2), typeof echo.echo].map(String)
  `;
  for (let time = 0; time < 3; time += 1) {
    await agent.call('execute', { script: EDITS });
    for (const one of [agent, other]) {
      const result = await one.call('execute', { script: check });
      expect(result.content[0]?.text).toBe('["undefined","undefined","2","2","function"]');
      expect(textOf(result)).toContain('seen');
    }
  }
  expect(await home.daemonPid()).toBe(daemon);
});

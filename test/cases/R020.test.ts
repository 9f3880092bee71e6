// A command whose reader is slow: every byte arrives, and only then does the process end.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { temporaryHome } from '../helpers/home.ts';
import { fixtureServer, spawnMetad } from '../helpers/program.ts';
import { parseTypeScript } from '../helpers/typescript.ts';

const COUNT = 16_000;

test('R020: 900 KB of `metad tools` reach a program that reads after 2 s', async () => {
  await using home = temporaryHome({ mcpServers: { huge: fixtureServer('huge.mjs', String(COUNT)) } });
  const child = spawnMetad(['tools', 'huge'], { env: { METAD_HOME: home.home } });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end();
  let hasExited = false;
  child.once('exit', () => {
    hasExited = true;
  });
  await sleep(2_000); // nobody reads until then
  expect(hasExited).toBe(false);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  expect(await ended).toBe(0);
  expect(text.length).toBeGreaterThan(900_000);
  expect(text.match(/function huge_\d+\(/g)).toHaveLength(COUNT);
  expect(text.trimEnd().endsWith('}')).toBe(true);
  await parseTypeScript(text);
});

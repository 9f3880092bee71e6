import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastLines, newLines } from '../../tui/tail.ts';
import { tempHome } from '../helpers/control-daemon.ts';
import { eventually } from '../helpers/eventually.ts';

test('lastLines() reads from the end, over blocks and characters of several bytes', async () => {
  await using home = await tempHome();
  const path = join(home.home, 'a.log');
  const all = Array.from({ length: 5000 }, (_, at) => `${at} ${'漢🧪'.repeat(at % 40)}`);
  await writeFile(path, `${all.join('\n')}\n`);
  for (const count of [0, 1, 7, 1500, 6000])
    expect((await lastLines(path, count)).lines).toEqual(count === 0 ? [] : all.slice(-count));
  await writeFile(path, '');
  expect((await lastLines(path, 5)).lines).toEqual([]);
});

test('newLines() follows a file through growth and rotation', async () => {
  await using home = await tempHome();
  const path = join(home.home, 'a.log');
  await writeFile(path, 'old\n');
  const scope = new AbortController();
  const heard: string[] = [];
  const following = (async () => {
    for await (const line of newLines(path, 4, scope.signal, 5)) heard.push(line);
  })();
  await appendFile(path, 'one\ntw');
  await eventually(() => expect(heard).toEqual(['one']));
  await appendFile(path, 'o\n');
  await eventually(() => expect(heard).toEqual(['one', 'two']));
  await rename(path, `${path}.1`);
  await writeFile(path, 'three\n');
  await eventually(() => expect(heard).toEqual(['one', 'two', 'three']));
  scope.abort();
  await following;
});

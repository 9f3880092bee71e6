// docs/execute.md says how values are shown; here its table is read and held to it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readable } from '../../../daemon/surface/answer.ts';
import type { Json } from '../../../schema/tool.ts';
import { ROOT } from '../../helpers/program.ts';
import { resultOf, suite } from '../../helpers/sandbox.ts';

const { run } = suite();

const page = readFileSync(join(ROOT, 'docs', 'execute.md'), 'utf8');
const section = /\n## Values\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
/** Script and form of each row. */
const rows = [...section.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)].map(
  ([, script = '', shown = '']) => [script, shown] as const,
);

describe('R044: docs/execute.md shows', () => {
  test('a table of values', () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(rows.length).toBe(section.split('\n').filter((line) => line.startsWith('| `')).length);
  });
  test.each(rows)('%s', async (script, shown) => {
    const outcome = await run(script);
    expect(readable(resultOf(outcome) as Json | undefined)).toBe(shown);
    expect(outcome.logs).toEqual([]);
  });
  test('200 levels', async () => {
    const nested = (levels: number) => `let o = 1n; for (let at = 0; at < ${levels}; at++) o = [o]; o`;
    expect(JSON.stringify(resultOf(await run(nested(200))))).toContain('[["1n"]]');
    expect(JSON.stringify(resultOf(await run(nested(201))))).toContain('["[Too deep]"]');
  });
  test('console.log with the same forms', async () => {
    const { logs } = await run('console.log("a", 12n, new Set([1]), new TypeError("no boat"), undefined, -0)');
    expect(logs).toEqual(['a 12n [1] TypeError: no boat undefined 0']);
  });
});

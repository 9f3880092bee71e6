// Runs every measurement, prints the tables, writes .bench/result.json. Usage: npm run bench [-- NAME…] [-- --write-docs]
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../schema/errors.ts';
import { ROOT } from '../../test/helpers/program.ts';
import { verdictOf } from './bounds.ts';
import type { Measure, Measured, Row, Table } from './harness.ts';
import { type Result, toMarkdown, toText } from './report.ts';

const MEASUREMENTS: Readonly<Record<string, () => Promise<{ measure: Measure }>>> = {
  'session-start': () => import('./session-start.ts'),
  calls: () => import('./calls.ts'),
  tokens: () => import('./tokens.ts'),
  declarations: () => import('./declarations.ts'),
  'list-tools': () => import('./list-tools.ts'),
  sandbox: () => import('./sandbox.ts'),
  runs: () => import('./runs.ts'),
  memory: () => import('./memory.ts'),
  search: () => import('./search.ts'),
  scale: () => import('./scale.ts'),
  types: () => import('./types.ts'),
  workspaces: () => import('./workspaces.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'write-docs': { type: 'boolean', default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(MEASUREMENTS);

const withTables = (given: readonly Row[] | Measured): Measured =>
  'rows' in given ? given : { rows: given, tables: [] };

const started = performance.now();
const load = loadavg()[0] ?? 0;
const rows: Row[] = [];
const tables: Table[] = [];
const failures: string[] = [];
for (const name of names) {
  const measurement = MEASUREMENTS[name];
  if (measurement === undefined) {
    console.error(`no measurement ${name}; there are ${Object.keys(MEASUREMENTS).join(', ')}`);
    process.exit(2);
  }
  const say = (text: string) =>
    console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${name}: ${text}`);
  try {
    const measured = withTables(await (await measurement()).measure(say));
    rows.push(...measured.rows);
    tables.push(...measured.tables);
  } catch (error) {
    say(`failed: ${messageOf(error)}`);
    failures.push(`${name}: ${messageOf(error)}`);
  }
}

const result: Result = {
  date: new Date().toISOString().slice(0, 10),
  seconds: Math.round((performance.now() - started) / 1000),
  machine: { cores: cpus().length, node: process.version, system: `${type()} ${release()}`, load },
  rows,
  tables,
  failures,
};
await mkdir(join(ROOT, '.bench'), { recursive: true });
await writeFile(join(ROOT, '.bench', 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
if (values['write-docs'] && existsSync(join(ROOT, 'docs')))
  await writeFile(join(ROOT, 'docs', 'benchmarks.md'), toMarkdown(result));
console.log(toText(result));
const missed = rows.filter((row) => verdictOf(row) === 'missed');
console.log(`\n${rows.filter((row) => verdictOf(row) === 'met').length} bounds met, ${missed.length} missed`);
process.exitCode = failures.length > 0 ? 1 : 0;

// What type notes cost: the checker's start, a check by the warm checker, and its memory, over 50 to 2,500 tools.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findChecker } from '../../daemon/types/find.ts';
import { createTypes, type Declaration } from '../../daemon/types/types.ts';
import { declareServer } from '../../schema/declare/declare.ts';
import { readCorpus } from '../../test/helpers/corpus.ts';
import { testFolder } from '../../test/helpers/folder.ts';
import { pssOf } from '../../test/helpers/processes.ts';
import { ROOT } from '../../test/helpers/program.ts';
import { type Measure, median, quantile, type Row, timed } from './harness.ts';

const SIZES = [50, 500, 2_500];
const TOOLS_PER_SERVER = 50;
const ROUNDS = 40;
const STARTS = 5;
const MEGABYTE = 2 ** 20;

/** Servers of fifty tools each, made of the published ones' tools; the first has one of our own, which is misused. */
const declarationsOf = (count: number): readonly Declaration[] => {
  const published = readCorpus().flatMap(({ tools }) => tools);
  const tools = Array.from({ length: count }, (_, at) => {
    const { tool } = published[at % published.length] ?? { tool: { name: 'none', inputSchema: { type: 'object' } } };
    return { raw: `tool_${at}`, script: `tool_${at}`, tool };
  });
  const own = {
    raw: 'read',
    script: 'read',
    tool: {
      name: 'read',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  } as const;
  return Array.from({ length: Math.ceil(count / TOOLS_PER_SERVER) }, (_, at) => {
    const namespace = `server${at}`;
    const some = tools.slice(at * TOOLS_PER_SERVER, (at + 1) * TOOLS_PER_SERVER);
    return { namespace, text: declareServer({ namespace, tools: [own, ...some.slice(1)], detail: 'signatures' }).text };
  });
};

/** Twenty lines that no other round has, with one mistake. */
const script = (round: number): string => `const paths = ['a', 'b', 'c', 'round ${round}'];
const found = [];
for (const path of paths) {
  const { text } = await server0.read({ path });
  if (text.length === 0) continue;
  const lines = text.split('\\n').filter((line) => line.trim() !== '');
  found.push({ path, lines: lines.length });
}
const [first, second] = await Promise.all([
  server0.read({ path: 'first' }),
  server0.read({ path: 'second' }),
]);
const longest = found.reduce((best, one) => (one.lines > best.lines ? one : best), { path: '', lines: 0 });
const words = new Map();
for (const word of first.text.split(/\\W+/)) {
  words.set(word, (words.get(word) ?? 0) + 1);
}
const top = [...words.entries()].sort((a, b) => b[1] - a[1]).slice(0, 10);
console.log(longest.path, top.length);
return { found, top, length: second.txt.length };
`;

const sizeOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
    : statSync(path).size;

export const measure: Measure = async (say) => {
  const found = findChecker(ROOT);
  if (!('program' in found)) throw new Error(found.missing);
  const rows: Row[] = [];
  for (const count of SIZES) {
    say(`${count} tools`);
    const declarations = declarationsOf(count);
    const characters = declarations.reduce((sum, { text }) => sum + text.length, 0);
    const firsts: number[] = [];
    let warm: number[] = [];
    let renewed: number[] = [];
    let bytes: number | undefined;
    for (let start = 0; start < STARTS; start += 1) {
      await using folder = testFolder();
      await using types = createTypes({
        log: () => {},
        program: () => found.program,
        folder: folder.path,
        waitMs: 30_000,
      });
      const check = async (round: number, given = declarations): Promise<void> => {
        const notes = await types.notes(script(round), given, new AbortController().signal);
        if (notes.length !== 1) throw new Error(`${notes.length} notes: ${notes.join('; ')}`);
      };
      firsts.push(await timed(() => check(0)));
      if (start > 0) continue;
      warm = [];
      for (let round = 1; round <= ROUNDS; round += 1) warm.push(await timed(() => check(round)));
      bytes = pssOf(types.pid() ?? 0);
      renewed = [];
      for (let round = 1; round <= STARTS; round += 1) {
        const other = [
          ...declarations.slice(0, -1),
          { namespace: 'last', text: `declare namespace last {/*${round}*/}\n` },
        ];
        renewed.push(
          await timed(() => check(round, round % 2 === 0 ? declarations : [...declarations, ...other.slice(-1)])),
        );
      }
    }
    const note = `${Math.round(characters / 1000)} thousand characters of declarations`;
    rows.push(
      {
        id: `types-first-${count}`,
        what: `type notes, ${count} tools: start and first check, p50`,
        unit: 'ms',
        value: median(firsts),
        note,
      },
      { id: `types-warm-${count}`, what: 'the same, warm, p50', unit: 'ms', value: median(warm) },
      { id: `types-warm-p95-${count}`, what: 'the same, warm, p95', unit: 'ms', value: quantile(warm, 0.95) },
      {
        id: `types-renewed-${count}`,
        what: 'the same, warm, other declarations than before, p50',
        unit: 'ms',
        value: median(renewed),
      },
      {
        id: `types-memory-${count}`,
        what: 'the same, memory of the checker, PSS',
        unit: 'MB',
        value: bytes === undefined ? null : bytes / MEGABYTE,
      },
    );
  }
  const native = dirname(dirname(found.program));
  rows.push({
    id: 'types-size',
    what: 'size of TypeScript as installed',
    unit: 'MB',
    value: (sizeOf(native) + sizeOf(join(ROOT, 'node_modules', 'typescript'))) / MEGABYTE,
    note: 'an optional peer: not part of the package',
  });
  return rows;
};

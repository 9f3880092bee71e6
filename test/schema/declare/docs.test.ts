// docs/declarations.md says what is so: every example in it, table row or pair of fences, is made again and compared.
// UPDATE=1 writes what comes out; the diff is then read.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeAll } from '../../../daemon/catalog/shapes/merge.ts';
import { printShape } from '../../../daemon/catalog/shapes/print.ts';
import { shapeOf } from '../../../daemon/catalog/shapes/sample.ts';
import { type Detail, declareServer } from '../../../schema/declare/declare.ts';
import { scriptNames } from '../../../schema/identifier.ts';
import type { Json, Tool } from '../../../schema/tool.ts';
import { named } from '../../helpers/corpus.ts';
import { ROOT } from '../../helpers/program.ts';

const file = join(ROOT, 'docs', 'declarations.md');
const page = readFileSync(file, 'utf8');

const declare = (tools: readonly Tool[], detail: Detail): string =>
  declareServer({ namespace: 'tracker', tools: named(tools), detail }).text;

/** The one tool of these arguments, as it is declared. */
const functionOf = (inputSchema: Json, detail: Detail): string =>
  declare([{ name: 'call', inputSchema }], detail)
    .split('\n')
    .slice(1, -2)
    .join('\n');

const propertyOf = (schema: Json, required: readonly string[], detail: Detail): string =>
  /params\??: \{\s*(.*?);?\s*\}\): /s.exec(
    functionOf({ type: 'object', properties: { x: schema }, required, $defs: DEFINITIONS }, detail),
  )?.[1] ?? '';

/** What the references of the examples lead to. */
const DEFINITIONS = { User: { type: 'object', properties: { login: { type: 'string' } }, required: ['login'] } };

/** Tables by their heads: what stands in a row's second cell, made from the code in its first. */
const TABLES: Readonly<Record<string, (codes: readonly string[]) => string>> = {
  'schema | type': ([code = '']) => propertyOf(JSON.parse(code), ['x'], 'signatures').replace(/^x: /, ''),
  'schema of `x` | in `full`': ([code = '']) => propertyOf(JSON.parse(code), [], 'full'),
  'inputSchema | declared': ([code = '']) => functionOf(JSON.parse(code), 'signatures'),
  'raw names | in scripts': (codes) => [...scriptNames(codes).values()].join(', '),
  'answers seen | shown': (codes) => printShape(mergeAll(codes.map((code) => shapeOf(answerOf(code))))),
};

/** As a script gets a text: parsed where it is an object or list. */
const answerOf = (code: string): Json => (/^[[{]/.test(code) ? JSON.parse(code) : code);

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const codesIn = (cell: string): string[] => [...cell.matchAll(/(`+) ?(.+?) ?\1(?!`)/g)].map(([, , code = '']) => code);

const cell = (code: string): string => {
  const fence = code.includes('`') ? '``' : '`';
  return `${fence}${code.replaceAll('|', '\\|')}${fence}`;
};

/** The page with the second cell of each row made from the first, and each `ts` fence from the `json` one before it. */
const remade = (page: string): { readonly text: string; readonly examples: Map<string, number> } => {
  const examples = new Map(['fences', ...Object.keys(TABLES)].map((head) => [head, 0]));
  let head = '';
  const lines = page.split('\n').map((line, at, all) => {
    if (!line.startsWith('| ')) return line;
    const [first = '', second = ''] = cellsOf(line);
    if (all[at + 1]?.startsWith('| -')) head = `${first} | ${second}`;
    const make = TABLES[head];
    if (make === undefined || head === `${first} | ${second}` || line.startsWith('| -')) return line;
    examples.set(head, (examples.get(head) ?? 0) + 1);
    return `| ${first.replaceAll('|', '\\|')} | ${cell(make(codesIn(first)))} |`;
  });
  const text = lines.join('\n').replace(FENCES, (_, json: string, between: string, detail: Detail) => {
    examples.set('fences', (examples.get('fences') ?? 0) + 1);
    return `\`\`\`json\n${json}\`\`\`${between}\`\`\`ts ${detail}\n${declare(JSON.parse(json), detail)}\`\`\``;
  });
  return { text, examples };
};
const FENCES = /```json\n([^`]*)```(\s+)```ts (\w+)\n[^`]*```/g;

/** Without what the formatter of this repository decides: spaces, the length of rules, the last semicolon of a type. */
const squeezed = (text: string): string[] =>
  text
    .replace(/-{3,}/g, '---')
    .replace(/\s*;?\s*\}/g, '}')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ''))
    .join('')
    .split(/(?=```|\|---)/);

test('every example in it is what comes out', () => {
  const { text, examples } = remade(page);
  if (process.env['UPDATE'] === '1') writeFileSync(file, text);
  expect(squeezed(readFileSync(file, 'utf8'))).toEqual(squeezed(text));
  for (const [head, count] of examples) expect(count, head).toBeGreaterThan(1);
});

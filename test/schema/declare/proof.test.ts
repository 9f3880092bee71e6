// What must hold of every tool there is: the corpus of published servers, and a seeded fuzzer.
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../schema/declare/budget.ts';
import { type Declared, type Detail, declareServer } from '../../../schema/declare/declare.ts';
import { isObject, type Json, type JsonObject, type Tool } from '../../../schema/tool.ts';
import { listedText, named, readCorpus } from '../../helpers/corpus.ts';
import { expectGolden } from '../../helpers/golden.ts';
import { randomOf } from '../../helpers/random.ts';
import { randomToolSchema } from '../../helpers/schemas.ts';
import { compile } from '../../helpers/typescript.ts';
import { type Typing, typingOf } from '../../helpers/typing.ts';
import { nearMisses, sampleOf } from '../../helpers/values.ts';

const corpus = readCorpus();
const DETAILS = ['signatures', 'full'] as const;

const declared = new Map<string, Declared>();
const declareOf = (at: number, detail: Detail): Declared => {
  const server = corpus[at];
  if (server === undefined) throw new Error(`no server ${at}`);
  const key = `${detail}_${at}`;
  const known = declared.get(key) ?? declareServer({ ...server, namespace: key, detail });
  declared.set(key, known);
  return known;
};

/** A server of random tools; the seed is its name, and a failure names it. */
const fuzzed = (seed: number): Tool[] => {
  const random = randomOf(seed);
  return Array.from({ length: 12 }, (_, at) => ({
    name: `t${at}`,
    description: random.pick(['*/ leak', 'x\u2028y', '']),
    inputSchema: randomToolSchema(random),
    ...(random.chance(0.5) ? { outputSchema: randomToolSchema(random) } : {}),
  }));
};
const SEEDS = Array.from({ length: 120 }, (_, at) => at + 1);

/** One server of the golden table: its counts, and below them each parameter without a type. */
const typingLines = ({ name, stated, lost, silent }: Typing & { readonly name: string }): string =>
  [
    `${name}: ${stated} parameters state a type, ${lost.length} of them lost`,
    ...[...lost, ...silent].map(({ tool, parameter, cause }) => `  ${tool} ${parameter}: ${cause}`),
  ].join('\n');

const validators = {
  old: new Ajv({ strict: false, validateFormats: false, logger: false }),
  new: new Ajv2020({ strict: false, validateFormats: false, logger: false }),
};
const validatorOf = (schema: JsonObject): ((value: unknown) => boolean) => {
  const ajv = String(schema['$schema']).includes('2020-12') ? validators.new : validators.old;
  const validate = ajv.compile(schema);
  return (value) => validate(value) === true;
};

const sampleValues = (): { files: Map<string, string>; values: number; misses: number; without: string[] } => {
  const files = new Map<string, string>();
  const without: string[] = [];
  let [values, misses] = [0, 0];
  corpus.forEach((server, at) => {
    const lines: string[] = [];
    const lineOf = new Map(declareOf(at, 'full').tools.map((tool) => [tool.raw, tool.line]));
    for (const { raw, script, tool } of server.tools) {
      const schema = tool.inputSchema;
      if (!isObject(schema) || lineOf.get(raw)?.includes('()') === true) continue;
      const random = randomOf(raw.length + at * 7919);
      const accepts = validatorOf(schema);
      const samples = Array.from({ length: 4 }, () => sampleOf(schema, schema, random)).filter(
        (value) => isObject(value) && accepts(value),
      );
      if (samples.length === 0) without.push(`${server.name}/${raw}`);
      const write = (detail: Detail, value: Json): string =>
        `export const v${lines.length}: Parameters<typeof ${detail}_${at}.${script}>[0] = ${JSON.stringify(value)};`;
      for (const value of samples.slice(0, 2)) {
        for (const detail of DETAILS) lines.push(write(detail, value));
        values += 1;
      }
      for (const miss of nearMisses(schema, (samples[0] ?? {}) as JsonObject).slice(0, 6)) {
        if (samples.length === 0 || accepts(miss.value)) continue;
        lines.push(`// @ts-expect-error ${miss.how.replace(/\s+/g, ' ').slice(0, 80)}\n${write('full', miss.value)}`);
        misses += 1;
      }
    }
    files.set(`values_${at}.ts`, `${lines.join('\n')}\nexport {};\n`);
  });
  return { files, values, misses, without };
};

describe('declareServer() on the corpus and on random schemas', () => {
  test('compiles under strict TypeScript, and its types take and refuse what ajv takes and refuses', () => {
    const { files, values, misses, without } = sampleValues();
    corpus.forEach((_, at) => {
      for (const detail of DETAILS) files.set(`${detail}_${at}.d.ts`, declareOf(at, detail).text);
    });
    for (const seed of SEEDS) {
      for (const detail of DETAILS) {
        const namespace = `fuzz_${seed}_${detail}`;
        files.set(`${namespace}.d.ts`, declareServer({ namespace, tools: named(fuzzed(seed)), detail }).text);
      }
    }
    const complaints = compile(files);
    expect(complaints.slice(0, 20)).toEqual([]);
    expect(values).toBeGreaterThan(7000);
    expect(misses).toBeGreaterThan(5000);
    // Tools for which no sample was valid (patterns that the generator does not know) prove nothing.
    expect(without.length, without.join(' ')).toBeLessThan(200);
  }, 900_000);

  test('loses no tool of the corpus', () => {
    corpus.forEach((server, at) => {
      expect(declareOf(at, 'full').unusable).toEqual([]);
      expect(declareOf(at, 'full').tools).toHaveLength(server.tools.length);
    });
  });

  test('leaves at most 1 % of the parameters that state a type as unknown, and none without its cause', () => {
    const typings = corpus.map((server) => ({ name: server.name, ...typingOf(server) }));
    const stated = typings.reduce((sum, typing) => sum + typing.stated, 0);
    const lost = typings.reduce((sum, typing) => sum + typing.lost.length, 0);
    expect(stated).toBeGreaterThan(30_000);
    expect(lost / stated).toBeLessThanOrEqual(0.01);
    expectGolden('declare/typing.txt', `${typings.map(typingLines).join('\n')}\n`);
  }, 60_000);

  test('is deterministic, idempotent and changes no input', () => {
    for (const seed of SEEDS.slice(0, 40)) {
      const tools = named(fuzzed(seed));
      const before = JSON.stringify(tools);
      const once = declareServer({ namespace: 'fx', tools, detail: 'full' });
      expect(declareServer({ namespace: 'fx', tools: [...tools].reverse(), detail: 'full' }).text, `seed ${seed}`).toBe(
        once.text,
      );
      expect(JSON.stringify(tools)).toBe(before);
    }
  });

  test('keeps within its sizes: signatures 20 % of tools/list (median server 30 %), full 75 %', () => {
    const rows = corpus.map((server, at) => {
      return {
        json: countTokens(listedText(server)),
        signatures: countTokens(declareOf(at, 'signatures').text),
        full: countTokens(declareOf(at, 'full').text),
        estimate: estimateTokens(declareOf(at, 'signatures').text),
      };
    });
    const sum = (key: keyof (typeof rows)[number]): number => rows.reduce((total, row) => total + row[key], 0);
    const median = rows.map((row) => row.signatures / row.json).sort((a, b) => a - b)[Math.floor(rows.length / 2)];
    expect(sum('signatures') / sum('json')).toBeLessThanOrEqual(0.2);
    expect(median).toBeLessThanOrEqual(0.3);
    expect(sum('full') / sum('json')).toBeLessThanOrEqual(0.75);
    const errors = rows.map((row) => Math.abs(row.estimate / row.signatures - 1)).sort((a, b) => a - b);
    expect(errors[Math.floor(rows.length * 0.95)]).toBeLessThanOrEqual(0.16);
    expect(Math.abs(sum('estimate') / sum('signatures') - 1)).toBeLessThanOrEqual(0.1);
  }, 300_000);
});

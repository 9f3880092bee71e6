// What must hold of every published tool: what its schema takes goes through unchanged, what it refuses is refused.
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createChecker } from '../../../daemon/arguments/check.ts';
import { MetadError } from '../../../schema/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../schema/tool.ts';
import { readCorpus } from '../../helpers/corpus.ts';
import { type Random, randomOf } from '../../helpers/random.ts';
import { randomToolSchema } from '../../helpers/schemas.ts';
import { nearMisses, sampleOf } from '../../helpers/values.ts';

const options = {
  strict: false,
  validateFormats: false,
  logger: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;
const ajvs = { old: new Ajv(options), new: new Ajv2020(options) };
const validatorOf = (schema: JsonObject): ((value: unknown) => boolean) => {
  const isNew = String(schema['$schema']).includes('2020-12') || 'dependentRequired' in schema;
  const ajv = isNew ? ajvs.new : ajvs.old;
  const validate = ajv.compile(schema);
  return (value) => validate(value) === true;
};

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof MetadError && error.code === 'bad-request') return error.message;
    throw error;
  }
};

/** Whether a miss is one that metad means to let through: a default stands in for what is missing. */
const isExcused = (schema: JsonObject, value: JsonObject): boolean => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return (Array.isArray(schema['required']) ? (schema['required'] as string[]) : []).some((name) => {
    const child = properties[name];
    return !(name in value) && isObject(child) && child['default'] !== undefined;
  });
};

test('the arguments that a schema takes go through unchanged, and its near-misses are refused', () => {
  const unchecked: string[] = [];
  const checker = createChecker({ unchecked: (tool, why) => unchecked.push(`${tool}: ${why}`) });
  const complaints: string[] = [];
  const passed: string[] = [];
  const seen = new Set<string>();
  let [taken, refused, tools] = [0, 0, 0];
  for (const [at, { name, namespace, tools: all }] of readCorpus().entries()) {
    for (const named of all) {
      const schema = named.tool.inputSchema;
      if (!isObject(schema)) continue;
      tools += 1;
      const text = JSON.stringify(schema);
      if (seen.has(text)) continue;
      seen.add(text);
      const accepts = validatorOf(schema);
      const random = randomOf(named.raw.length + at * 7919);
      const samples = Array.from({ length: 4 }, () => sampleOf(schema, schema, random)).filter(
        (value): value is JsonObject => isObject(value) && accepts(value),
      );
      for (const value of samples) {
        const text = JSON.stringify(value);
        let out: JsonObject = value;
        const complaint = refusal(() => {
          out = checker.args(namespace, named, value);
        });
        if (complaint !== undefined) complaints.push(`${name} ${text}: ${complaint}`);
        else if (out !== value || JSON.stringify(value) !== text)
          complaints.push(`${name}.${named.raw} changed ${text}`);
        taken += 1;
      }
      // A refusal costs ten times as much: it makes another check and the tool's declaration.
      if (seen.size % 3 !== 0) continue;
      for (const miss of nearMisses(schema, samples[0] ?? {}).slice(0, 6)) {
        if (samples.length === 0 || accepts(miss.value) || isExcused(schema, miss.value)) continue;
        // `"true"` where a boolean is wanted is no miss any more.
        const out = ((): Json => {
          try {
            return checker.args(namespace, named, miss.value);
          } catch {
            return null;
          }
        })();
        if (out !== null && !accepts(out)) passed.push(`${name}.${named.raw} ${miss.how}`);
        refused += 1;
      }
    }
  }
  expect(complaints.slice(0, 10)).toEqual([]);
  expect(unchecked).toEqual([]);
  expect(tools).toBeGreaterThan(4000);
  expect(taken).toBeGreaterThan(14_000);
  expect(refused).toBeGreaterThan(5_000);
  expect(passed).toEqual([]);
}, 300_000);

/** The generator follows references without a limit. */
const sampleIn = (schema: Json, random: Random): Json => {
  try {
    return sampleOf(schema, schema, random, 3);
  } catch {
    return {};
  }
};

test('random schemas are compiled or left alone, and never end in anything but a refusal', () => {
  const checker = createChecker({ unchecked: () => {} });
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = randomOf(seed);
    const inputSchema = randomToolSchema(random);
    const tool = { raw: 't', script: 't', tool: { name: 't', inputSchema } };
    const before = JSON.stringify(inputSchema);
    for (let turn = 0; turn < 3; turn += 1) {
      const value = sampleIn(inputSchema, random);
      if (!isObject(value)) continue;
      const text = JSON.stringify(value);
      refusal(() => checker.args('fx', tool, value));
      expect(JSON.stringify(value), `seed ${seed}`).toBe(text);
    }
    expect(JSON.stringify(inputSchema), `seed ${seed}`).toBe(before);
  }
}, 120_000);

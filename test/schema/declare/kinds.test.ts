// Kinds of schemas that servers publish, each with its type and with values: what ajv takes the type takes, and what is
// wrong in a way that a type can say, both refuse.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { type Detail, declareServer } from '../../../schema/declare/declare.ts';
import type { Json, JsonObject, Tool } from '../../../schema/tool.ts';
import { named } from '../../helpers/corpus.ts';
import { expectGolden, goldenFolder } from '../../helpers/golden.ts';
import { compile } from '../../helpers/typescript.ts';

interface Kind {
  readonly name: string;
  readonly schema: JsonObject;
  readonly accepts: readonly Json[];
  readonly refuses: readonly Json[];
  /** A validator refuses the schema itself, or takes more or less than was meant: only the type is asked. */
  readonly invalid?: true;
  /** Golden: the namespace in `signatures`, without its first and last line. */
  readonly declared?: string;
  readonly warnings?: readonly string[];
}

const file = 'kinds/schemas.json';
const kinds = JSON.parse(readFileSync(join(goldenFolder, file), 'utf8')) as Kind[];
const DETAILS = ['signatures', 'full'] as const;

const declare = ({ schema }: Kind, at: number, detail: Detail) =>
  declareServer({
    namespace: `${detail}_${at}`,
    tools: named([{ name: 'call', inputSchema: schema }] as Tool[]),
    detail,
  });

const options = { strict: false, validateFormats: false, logger: false } as const;
const validatorOf = (schema: JsonObject): ((value: Json) => boolean) => {
  const draft = String(schema['$schema']);
  const ajv = draft.includes('2020-12')
    ? new Ajv2020(options)
    : draft.includes('2019')
      ? new Ajv2019(options)
      : new Ajv(options);
  // Draft 04 says `id`, and its meta-schema is not among ajv's.
  const { $schema: _, id, ...rest } = schema;
  const validate = ajv.compile(draft.includes('draft-04') && id !== undefined ? { ...rest, $id: id } : rest);
  return (value) => validate(value) === true;
};

describe('declareServer() of every kind of schema', () => {
  test('gives the golden types', () => {
    const rows = kinds.map((kind, at) => {
      const { text, warnings } = declare(kind, at, 'signatures');
      const { declared: _, warnings: __, ...rest } = kind;
      const declared = text.split('\n').slice(1, -2).join('\n');
      return { ...rest, declared, ...(warnings.length > 0 && { warnings }) };
    });
    expectGolden(file, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
  });

  test('whose values say what a validator says of them', () => {
    for (const kind of kinds.filter(({ invalid }) => invalid !== true)) {
      const accepts = validatorOf(kind.schema);
      for (const value of kind.accepts) expect(accepts(value), `${kind.name}: ${JSON.stringify(value)}`).toBe(true);
      for (const value of kind.refuses) expect(accepts(value), `${kind.name}: ${JSON.stringify(value)}`).toBe(false);
    }
  });

  test('and the types take and refuse the same, under strict TypeScript', () => {
    const files = new Map<string, string>();
    kinds.forEach((kind, at) => {
      for (const detail of DETAILS) {
        files.set(`${detail}_${at}.d.ts`, declare(kind, at, detail).text);
        const call = (value: Json): string => `${detail}_${at}.call(${JSON.stringify(value)});`;
        const lines = [
          ...kind.accepts.map(call),
          ...kind.refuses.map((value) => `// @ts-expect-error ${kind.name}\n${call(value)}`),
        ];
        files.set(`${detail}_${at}_values.ts`, `${lines.join('\n')}\nexport {};\n`);
      }
    });
    const named = compile(files).map((line) =>
      line.replace(/_(\d+)/, (all, at) => `${all} (${kinds[Number(at)]?.name})`),
    );
    expect(named).toEqual([]);
  }, 60_000);
});

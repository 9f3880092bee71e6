// A schema made into a function by ajv.
import { Ajv, type ErrorObject, type Options } from 'ajv';
import type { Json, JsonObject } from '../../schema/tool.ts';
import { createMeter } from './meter.ts';
import { longestFor } from './pattern.ts';
import { WEIGHT } from './schema.ts';

export type Problem = ErrorObject;
/** What does not fit. @throws TooCostly where that would take too long to find out. */
export type Validate = (value: Json) => readonly Problem[];

/** Characters that a pattern's trial counts as one part of a schema. */
const PER_WEIGHT = 16;

/** Each schema is from `writeSchema`. Nothing is fetched and nothing is kept of it. */
export const createCompiler = (): ((schema: JsonObject) => Validate) => {
  const meter = createMeter();
  const engine = (pattern: string, flags: string) => {
    const regExp = new RegExp(pattern, flags);
    const longest = longestFor(pattern);
    return {
      test: (text: string) => {
        meter.add(1 + text.length / PER_WEIGHT);
        return text.length > longest || regExp.test(text);
      },
      toString: () => String(regExp),
    };
  };
  const ajv = new Ajv({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    inlineRefs: false,
    logger: false,
    allErrors: true,
    // The errors then carry what the schema says at their place.
    verbose: true,
    // A parameter may be called `constructor`.
    ownProperties: true,
    // Optimizing the code of a check takes as long as making it, and most are used a few times.
    code: {
      optimize: false,
      regExp: Object.assign(engine, { code: 'metadPattern' }) as unknown as NonNullable<
        NonNullable<Options['code']>['regExp']
      >,
    },
  });
  ajv.addKeyword({
    keyword: WEIGHT,
    schemaType: 'number',
    before: '$ref',
    errors: false,
    validate: (weight: number) => {
      meter.add(weight);
      return true;
    },
  });
  return (schema) => {
    const validate = ajv.compile(schema);
    ajv.removeSchema(schema);
    return (value) => {
      meter.begin();
      return validate(value) === true ? [] : (validate.errors ?? []);
    };
  };
};

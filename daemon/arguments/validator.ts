// A schema made into functions by ajv.
import { compileFunction } from 'node:vm';
import { _, Ajv, type ErrorObject, type KeywordCxt, Name, type Options } from 'ajv';
import type { Json, JsonObject } from '../../schema/tool.ts';
import type { Meter } from './meter.ts';
import { longestFor } from './pattern.ts';
import { WEIGHT } from './schema.ts';

export type Problem = ErrorObject;
/**
 * What does not fit; empty where all does.
 * @throws TooCostly where that would take too long to find out
 * @throws TooMany where there is so much of it that nothing is said
 */
export type Validate = (value: Json) => readonly Problem[];

/** Which problems are told: the first that decides, or all. Nearly every value fits, and then the first is quicker made. */
export type Extent = 'first' | 'all';

/** Characters that a pattern's trial counts as one part of a schema. */
const PER_WEIGHT = 16;
/** Counting the characters of a text is quicker. */
const COUNTED_PER_WEIGHT = 256;
/** Problems in one value. Each is an object with a path of its own, and a reference copies all those below it. */
const MOST = 1000;
/** More values or names than these are gone through by a loop, since ajv else writes code for each. */
const WRITTEN_OUT = 8;

/** What ajv runs instead of the code that it has written: V8 keeps all that `new Function` was ever given. */
const BUILD = 'return self.build(scope)';

export class TooMany extends Error {
  override readonly name = 'TooMany';
}

/**
 * Each schema is from `writeSchema`. Nothing is fetched, and nothing is kept of it: an `Ajv` holds what each of its
 * schemas needed for as long as one of its functions lives, so each schema has one of its own.
 */
export const compile = (schema: JsonObject, extent: Extent, meter: Meter): Validate => {
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
  let source = '';
  const ajv = new Ajv({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    addUsedSchema: false,
    inlineRefs: false,
    logger: false,
    allErrors: extent === 'all',
    messages: false,
    // The errors then carry what the schema says at their place.
    verbose: true,
    // A parameter may be called `constructor`.
    ownProperties: true,
    loopEnum: WRITTEN_OUT,
    loopRequired: WRITTEN_OUT,
    code: {
      // Optimizing the code of a check takes as long as making it, and most are used a few times.
      optimize: false,
      process: (written) => {
        source = written;
        return BUILD;
      },
      regExp: Object.assign(engine, { code: 'metadPattern' }) as unknown as NonNullable<
        NonNullable<Options['code']>['regExp']
      >,
    },
  });
  Object.assign(ajv, { build: (scope: unknown) => compileFunction(source, ['self', 'scope'])(ajv, scope) });
  const count = (weight: number, value: unknown, problems: number): void => {
    if (problems > MOST) throw new TooMany();
    meter.add(typeof value === 'string' ? weight + value.length / COUNTED_PER_WEIGHT : weight);
  };
  ajv.addKeyword({
    keyword: WEIGHT,
    schemaType: 'number',
    before: '$ref',
    // `errors` is ajv's own count in the function that it writes.
    code: ({ gen, data, schema: weight }: KeywordCxt) => {
      const counter = gen.scopeValue('keyword', { ref: count });
      gen.code(_`${counter}(${weight}, ${data}, ${new Name('errors')})`);
    },
  });
  const validate = ajv.compile(schema);
  return (value) => {
    const problems = validate(value) === true ? [] : (validate.errors ?? []);
    // They hold the value.
    validate.errors = null;
    return problems;
  };
};

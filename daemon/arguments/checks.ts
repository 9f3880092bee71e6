// The checks that were made of schemas, and which schemas are not worth one.
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';
import { type Convert, createConversion } from './convert.ts';
import { createKept } from './kept.ts';
import { type Meter, TooCostly } from './meter.ts';
import { explain } from './problems.ts';
import { writeSchema } from './schema.ts';
import { compile, TooMany, type Validate } from './validator.ts';

/** What is held against one schema, for one value. @throws TooCostly */
export interface Check {
  readonly convert: Convert;
  /** Lines of what does not fit; empty where all does. `first`: of one problem only. */
  readonly problems: (value: Json, extent: 'first' | 'all') => readonly string[];
}

export interface Checks {
  /** To be asked for each value, since costs count from here. Undefined where the schema says nothing or was given up. @throws Error where it cannot be checked */
  readonly of: (schema: Json | undefined) => Check | undefined;
  /** From now on nothing is held against this schema. */
  readonly giveUp: (schema: Json | undefined) => void;
  /** Characters of the schemas whose checks are kept. */
  readonly size: () => number;
}

/** Characters of schemas as ajv gets them. Each takes up to 70 bytes once it is a function: 30 MB in all. */
const BOUND = 400_000;
/** Times that one check is made anew after others took its place. Each takes up to some tens of ms. */
const MAKINGS = 8;

/** What is known of a schema for as long as it lives: little, and nothing that refers to it. */
interface Mark {
  makings: number;
  isGivenUp: boolean;
}

export const createChecks = (meter: Meter): Checks => {
  const marks = new WeakMap<object, Mark>();
  const kept = createKept<Mark, Check>(BOUND);

  const markOf = (schema: JsonObject): Mark => {
    const mark = marks.get(schema) ?? { makings: 0, isGivenUp: false };
    marks.set(schema, mark);
    return mark;
  };

  const make = (schema: JsonObject, mark: Mark): Check => {
    mark.makings += 1;
    if (mark.makings > MAKINGS) throw new Error('its check had to be made too often');
    const written = writeSchema(schema);
    if ('problem' in written) throw new Error(written.problem);
    const size = JSON.stringify(written.schema).length;
    if (2 * size > BOUND) throw new Error('its schema holds too many values');
    const first = compile(written.schema, 'first', meter);
    let every: Validate | 'none' | undefined;
    const told = (value: Json): readonly string[] | undefined => {
      if (every === 'none') return undefined;
      if (every === undefined) {
        every = compile(written.schema, 'all', meter);
        kept.put(mark, check, 2 * size);
      }
      try {
        return explain(every(value), meter);
      } catch (error) {
        // That the value does not fit is known by now.
        if (!(error instanceof TooMany || error instanceof TooCostly)) throw error;
        if (error instanceof TooCostly) every = 'none';
        meter.begin();
        return undefined;
      }
    };
    const check: Check = {
      convert: createConversion(written.schema, meter),
      problems: (value, extent) => {
        const found = first(value);
        if (found.length === 0) return [];
        return (extent === 'all' ? told(value) : undefined) ?? explain(found, meter);
      },
    };
    kept.put(mark, check, size);
    return check;
  };

  return {
    of: (schema) => {
      if (!isObject(schema)) return undefined;
      const mark = markOf(schema);
      meter.begin();
      return mark.isGivenUp ? undefined : (kept.get(mark) ?? make(schema, mark));
    },
    giveUp: (schema) => {
      if (!isObject(schema)) return;
      const mark = markOf(schema);
      mark.isGivenUp = true;
      kept.drop(mark);
    },
    size: kept.size,
  };
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { normalize, RULES } from '../../../../schema/declare/json/normalize.ts';
import type { JsonObject } from '../../../../schema/tool.ts';
import { expectGolden, goldenFolder } from '../../../helpers/golden.ts';

interface Case {
  readonly name: string;
  readonly in: JsonObject;
  readonly out?: JsonObject;
}

const file = 'normalize/rules.json';
const cases = JSON.parse(readFileSync(join(goldenFolder, file), 'utf8')) as Case[];
const ruleOf = new Map(RULES.map((rule) => [rule.name, rule.apply]));

describe('normalize()', () => {
  test('has a golden case for each rule, and no case without a rule', () => {
    expect(new Set(cases.map((each) => each.name))).toEqual(new Set(ruleOf.keys()));
  });

  test('does what each golden case says, and leaves its input alone', () => {
    const done = cases.map((each) => {
      const before = JSON.stringify(each.in);
      const out = ruleOf.get(each.name)?.(each.in);
      expect(JSON.stringify(each.in)).toBe(before);
      return { name: each.name, in: each.in, out };
    });
    expectGolden(file, `[\n${done.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`);
  });

  test('is idempotent', () => {
    for (const each of cases) {
      const once = normalize(each.in);
      expect(normalize(once)).toEqual(once);
    }
  });
});

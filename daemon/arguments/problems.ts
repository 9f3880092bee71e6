// What ajv found, as lines for whoever wrote the arguments: which field, what is wrong with it, what it was.
import { nearNames } from '../../schema/near.ts';
import { cleanText, oneLine } from '../../schema/text.ts';
import { isObject, type Json } from '../../schema/tool.ts';
import type { Meter } from './meter.ts';
import type { Problem } from './validator.ts';

/** Lines of one refusal. */
const MOST = 5;
const NAMES_SHOWN = 8;
/** Of more names the nearest is not looked for among the rest: that takes some µs for each. */
const NAMES_COMPARED = 300;
/** What a line and each name that is compared for it count: about as many µs, over the meter's. */
const LINE_WEIGHT = 40;
const NAME_WEIGHT = 10;
const CHARACTERS_PER_WEIGHT = 16;
const VALUE_LENGTH = 60;
const NAME_LENGTH = 100;

const shortened = (text: string, limit: number): string => {
  const clean = oneLine(cleanText(text).text);
  return clean.length <= limit ? clean : `${clean.slice(0, limit)}…`;
};
/** A value may be of any size, and one may be told of in many lines. */
const shown = (value: unknown): string => {
  let parts = 0;
  const few = (_: string, part: unknown): unknown => {
    parts += 1;
    if (parts > VALUE_LENGTH) throw new RangeError();
    return typeof part === 'string' ? part.slice(0, 4 * VALUE_LENGTH) : part;
  };
  try {
    return shortened(JSON.stringify(value, few) ?? 'undefined', VALUE_LENGTH);
  } catch {
    return Array.isArray(value) ? `[… ${value.length} items]` : '{…}';
  }
};
const named = (name: string): string => shortened(name, NAME_LENGTH);
const enumeration = (values: readonly unknown[], show: (value: unknown) => string): string =>
  values.length <= NAMES_SHOWN
    ? values.map(show).join(', ')
    : `${values.slice(0, NAMES_SHOWN).map(show).join(', ')}, … (${values.length})`;
const either = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words[words.length - 1]}`;
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** `/a/0/b~1c` → `a[0]["b/c"]` */
const pathOf = (pointer: string, ...more: readonly string[]): string => {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = [...steps, ...more].reduce((above, step) => {
    if (/^\d+$/.test(step) && above !== '') return `${above}[${step}]`;
    if (!/^[\p{ID_Continue}$-]+$/u.test(step)) return `${above}[${JSON.stringify(named(step))}]`;
    return above === '' ? named(step) : `${above}.${named(step)}`;
  }, '');
  return path === '' ? 'arguments' : path;
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value} ${shown(value)}`;
};

const SIGNS = new Map([
  ['<=', '≤'],
  ['>=', '≥'],
]);
const UNITS = { Length: 'characters', Items: 'items', Properties: 'properties' } as const;

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? [...value].length : Object.keys(value as object).length;

/** What is wrong, as it stands after the path. */
const reasonOf = ({ keyword, instancePath, params, data, parentSchema }: Problem): string => {
  const was = `(was ${shown(data)})`;
  switch (keyword) {
    case 'type':
      return `must be ${either(String(params['type']).split(','))} (was ${typeOf(data)})`;
    case 'enum': {
      const values = params['allowedValues'] as readonly Json[];
      const near =
        typeof data === 'string' ? nearNames(data, textsOf(values.slice(0, NAMES_COMPARED)), 1).map(shown) : [];
      const hint = near.length > 0 && values.length > NAMES_SHOWN ? `; near: ${near[0]}` : '';
      return values.length === 1
        ? `must be ${shown(values[0])} ${was}`
        : `must be one of ${enumeration(values, shown)} ${was}${hint}`;
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const sign = String(params['comparison']);
      return `must be ${SIGNS.get(sign) ?? sign} ${params['limit']} ${was}`;
    }
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']} ${was}`;
    case 'pattern':
      return `must match ${shortened(`/${params['pattern']}/`, 120)} ${was}`;
    case 'propertyNames':
      return `has the name ${shown(params['propertyName'])}, which its schema does not let through`;
    case 'additionalItems':
      return `must have at most ${params['limit']} items (has ${sizeOf(data)})`;
    case 'not':
    case 'false schema':
      return 'must not be given';
    case 'required':
      return 'is missing';
    case 'dependencies':
      return `is missing: it goes with \`${named(String(params['property']))}\``;
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const properties = isObject(parentSchema?.['properties']) ? Object.keys(parentSchema['properties']) : [];
      const near = nearNames(unknown, properties.slice(0, NAMES_COMPARED)).map(named);
      const hint =
        near.length > 0
          ? `; near: ${near.join(', ')}`
          : properties.length > 0
            ? `; there are: ${enumeration(properties, (name) => named(String(name)))}`
            : '; there are none';
      return `is not a ${instancePath === '' ? 'parameter' : 'field'}${hint}`;
    }
    default: {
      const counted = /^(min|max)(Length|Items|Properties)$/.exec(keyword);
      if (counted === null) return `does not fit its schema (${keyword})`;
      const [, which, unit] = counted as unknown as [string, string, keyof typeof UNITS];
      return `must have at ${which === 'min' ? 'least' : 'most'} ${params['limit']} ${UNITS[unit]} (has ${sizeOf(data)})`;
    }
  }
};

const weightOf = ({ keyword, data, params, parentSchema }: Problem): number => {
  const names =
    keyword === 'enum'
      ? (params['allowedValues'] as readonly Json[]).length
      : keyword === 'additionalProperties'
        ? Object.keys(parentSchema?.['properties'] ?? {}).length
        : 0;
  const characters = typeof data === 'string' ? data.length : 0;
  return LINE_WEIGHT + Math.min(names, NAMES_COMPARED) * NAME_WEIGHT + characters / CHARACTERS_PER_WEIGHT;
};

const lineOf = (problem: Problem, meter: Meter): string => {
  meter.add(weightOf(problem));
  const { instancePath, params } = problem;
  const below = params['missingProperty'] ?? params['additionalProperty'];
  return `${pathOf(instancePath, ...(typeof below === 'string' ? [below] : []))}: ${reasonOf(problem)}`;
};

/** The members of a choice and what is wrong with each, as far as it can be told apart. */
const branchesOf = (choice: Problem, inner: readonly Problem[], meter: Meter): Problem[][] => {
  const members = Array.isArray(choice.schema) ? (choice.schema as Json[]) : [];
  meter.add(members.length * inner.length);
  return members.map((member, at) => {
    const reference = isObject(member) ? member['$ref'] : undefined;
    const places = [`${choice.schemaPath}/${at}/`, ...(typeof reference === 'string' ? [`${reference}/`] : [])];
    return inner.filter(({ schemaPath }) => places.some((place) => schemaPath.startsWith(place)));
  });
};

/** What is wrong with the member that the value comes nearest to; where it is of no member's type, the types. */
const choiceLines = (choice: Problem, inner: readonly Problem[], meter: Meter): string[] => {
  const branches = branchesOf(choice, inner, meter);
  const here = (problem: Problem): boolean => problem.instancePath === choice.instancePath;
  const near = branches.filter(
    (problems) => problems.length > 0 && !problems.some((one) => here(one) && one.keyword === 'type'),
  );
  if (near.length === 0) {
    const types = branches.flatMap((problems) => problems.filter((one) => here(one) && one.keyword === 'type'));
    const [first] = types;
    if (first === undefined)
      return [`${pathOf(choice.instancePath)}: fits none of its forms (was ${shown(choice.data)})`];
    const names = [...new Set(types.flatMap(({ params }) => String(params['type']).split(',')))];
    return [lineOf({ ...first, params: { type: names.join(',') } }, meter)];
  }
  const values = near.map((problems) => problems.filter((one) => here(one) && one.keyword === 'enum'));
  const [first] = values.flat();
  // Every form is a value of its own: they are told as one list.
  if (first !== undefined && values.every(({ length }) => length > 0)) {
    const allowedValues = [...new Set(values.flat().flatMap(({ params }) => params['allowedValues'] as Json[]))];
    return [lineOf({ ...first, params: { allowedValues } }, meter)];
  }
  // A form whose own marks (such as `type: "card"`) do not fit was hardly meant.
  const marks = (problems: readonly Problem[]): number => problems.filter(({ keyword }) => keyword === 'enum').length;
  const best = near.reduce((one, other) =>
    marks(other) - marks(one) < 0 || (marks(other) === marks(one) && other.length < one.length) ? other : one,
  );
  return linesOf(best, meter);
};

/** ajv tells of what is inside a choice (and a property's name) right before the choice itself. */
const linesOf = (problems: readonly Problem[], meter: Meter): string[] => {
  const lines: string[] = [];
  for (let at = problems.length - 1; at >= 0; at -= 1) {
    const problem = problems[at] as Problem;
    meter.add(problems.length / CHARACTERS_PER_WEIGHT);
    const isInside = ({ instancePath, schemaPath, propertyName }: Problem): boolean =>
      problem.keyword === 'propertyNames'
        ? propertyName !== undefined
        : instancePath.startsWith(problem.instancePath) &&
          (schemaPath.startsWith(`${problem.schemaPath}/`) || schemaPath.startsWith('#/$defs/'));
    // The values say more than their type.
    const isSaid = ({ keyword, instancePath, parentSchema }: Problem): boolean =>
      keyword === 'enum' && instancePath === problem.instancePath && parentSchema === problem.parentSchema;
    if (problem.keyword === 'type' && problems.some(isSaid)) continue;
    if (problem.keyword !== 'anyOf' && problem.keyword !== 'propertyNames') {
      lines.unshift(lineOf(problem, meter));
      continue;
    }
    let first = at;
    while (first > 0 && isInside(problems[first - 1] as Problem)) first -= 1;
    const inner = problems.slice(first, at);
    lines.unshift(...(problem.keyword === 'anyOf' ? choiceLines(problem, inner, meter) : [lineOf(problem, meter)]));
    at = first;
  }
  return [...new Set(lines)];
};

/**
 * `limit: must be ≤ 100 (was 500)`; five at most.
 * @throws TooCostly
 */
export const explain = (problems: readonly Problem[], meter: Meter): readonly string[] => {
  const lines = linesOf(problems.slice(0, 1000), meter);
  return lines.length <= MOST ? lines : [...lines.slice(0, MOST), `and ${lines.length - MOST} more`];
};

// How many parameters of a server state a type in their schema, and which of them come out as any or unknown, and why.
import { get, type Resolve, resolverOf } from '../../schema/declare/json/deref.ts';
import { readTool } from '../../schema/declare/read.ts';
import { NEVER, type ObjectType, type Type } from '../../schema/declare/type/ast.ts';
import { createSimplifier } from '../../schema/declare/type/simplify.ts';
import { isObject, type Json, type JsonObject } from '../../schema/tool.ts';
import type { CorpusServer } from './corpus.ts';

/** Why a parameter's type says nothing. */
export type Cause =
  | 'its schema states no type'
  | 'a reference leads nowhere'
  | 'the type is none of JSON Schema'
  | 'the schema is too deep or too big'
  | 'the tool cannot be called'
  | 'left out'
  | 'not understood';

export interface Untyped {
  readonly tool: string;
  /** `filter.tags[]`: properties behind dots, items of a list as `[]`, values of a map as `{}`. */
  readonly parameter: string;
  readonly cause: Cause;
}

export interface Typing {
  /** Parameters, at any depth, whose schema states a type. */
  readonly stated: number;
  /** Those of them that are any or unknown, themselves or in their items or values. */
  readonly lost: readonly Untyped[];
  /** Parameters whose schema says nothing that a type could say. */
  readonly silent: readonly Untyped[];
}

const CHOICES = ['anyOf', 'oneOf'];
const STATING = ['type', 'enum', 'const', 'properties', 'items', 'prefixItems', 'additionalProperties'];
const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** A schema node with all that it takes in by reference, `allOf` or a choice, and no node inside these. */
const closure = (nodes: readonly Json[], resolve: Resolve): readonly JsonObject[] => {
  const found = new Set<JsonObject>();
  const todo = [...nodes];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (!isObject(node) || found.has(node)) continue;
    found.add(node);
    for (const word of ['allOf', ...CHOICES]) todo.push(...listOf(get(node, word)));
    const reference = get(node, '$ref');
    const target = typeof reference === 'string' ? resolve(reference, node) : undefined;
    if (target !== undefined && 'node' in target) todo.push(target.node);
  }
  return [...found];
};

/** Whether a schema states a type: a choice does where each of its members does. */
const states = (node: Json, resolve: Resolve, open: ReadonlySet<Json> = new Set()): boolean => {
  if (!isObject(node) || open.has(node)) return false;
  const within = new Set([...open, node]);
  const isStated = (inner: Json): boolean => states(inner, resolve, within);
  if (STATING.some((word) => Object.hasOwn(node, word)) && get(node, 'type') !== 'any') return true;
  const reference = get(node, '$ref');
  if (typeof reference === 'string') {
    const target = resolve(reference, node);
    if (!('node' in target) || within.has(target.node) || isStated(target.node)) return true;
  }
  return (
    listOf(get(node, 'allOf')).some(isStated) ||
    CHOICES.some((word) => listOf(get(node, word)).length > 0 && listOf(get(node, word)).every(isStated))
  );
};

/** The types that a value may have, without the text and the names around them. */
const membersOf = (type: Type, seen = new Set<Type>()): readonly Type[] => {
  if (seen.has(type)) return [];
  seen.add(type);
  if (type.kind === 'noted') return membersOf(type.type, seen);
  if (type.kind === 'named') return membersOf(type.definition.type, seen);
  if (type.kind === 'union' || type.kind === 'intersection')
    return type.members.flatMap((member) => membersOf(member, seen));
  return [type];
};

const isNothing = (type: Type): boolean => type.kind === 'unknown' || type.kind === 'any';

const causeOf = (nodes: readonly JsonObject[], resolve: Resolve, warnings: readonly string[]): Cause => {
  const references = nodes.map((node) => [get(node, '$ref'), node] as const);
  if (references.some(([to, node]) => typeof to === 'string' && 'problem' in resolve(to, node)))
    return 'a reference leads nowhere';
  const types = nodes.flatMap((node) => [get(node, 'type')].flat() as Json[]).filter((type) => type !== undefined);
  if (types.some((type) => !JSON_TYPES.has(String(type)))) return 'the type is none of JSON Schema';
  return warnings.some((text) => /too (?:deep|big)/.test(text))
    ? 'the schema is too deep or too big'
    : 'not understood';
};

/** Counts over all tools of a server, as they are declared in `full`. Each schema node counts once per tool. */
export const typingOf = ({ tools }: Pick<CorpusServer, 'tools'>): Typing => {
  const { simplify } = createSimplifier();
  const [lost, silent]: [Untyped[], Untyped[]] = [[], []];
  let stated = 0;
  for (const entry of tools) {
    const schema = entry.tool.inputSchema;
    if (!isObject(schema)) continue;
    const warnings: string[] = [];
    const resolve = resolverOf(schema);
    const read = readTool(entry, true, (text) => warnings.push(text));
    const seen = new Set<Json>();

    /** Items of lists and values of maps belong to the parameter: what is lost in them is lost of it. */
    const insides = (nodes: readonly JsonObject[], types: readonly Type[]) => [
      {
        suffix: '[]',
        nodes: nodes.flatMap((node) => [...listOf(get(node, 'prefixItems')), ...[get(node, 'items') ?? []].flat()]),
        types: types.flatMap((type) => {
          if (type.kind === 'array') return [type.items];
          return type.kind === 'tuple'
            ? [...type.items.map((item) => item.type), ...(type.rest ? [type.rest] : [])]
            : [];
        }),
      },
      {
        suffix: '{}',
        nodes: nodes.flatMap((node) => [get(node, 'additionalProperties') ?? []].flat()),
        types: types.flatMap((type) => (type.kind === 'object' && type.index !== undefined ? [type.index] : [])),
      },
    ];

    const visit = (from: readonly Json[], given: readonly Type[], path: string, isCounted: boolean): void => {
      const nodes = closure(from, resolve);
      const types = given.flatMap((type) => membersOf(type));
      const untyped = (cause: Cause): Untyped => ({ tool: entry.raw, parameter: path, cause });
      if (from.some((node) => !states(node, resolve))) {
        if (isCounted) silent.push(untyped('its schema states no type'));
      } else {
        if (isCounted) stated += 1;
        if (given.length === 0) lost.push(untyped('reason' in read ? 'the tool cannot be called' : 'left out'));
        else if (types.some(isNothing)) lost.push(untyped(causeOf(nodes, resolve, warnings)));
      }
      if (from.every((node) => seen.has(node))) return;
      for (const node of from) if (isObject(node)) seen.add(node);
      for (const inside of insides(nodes, types)) {
        const schemas = inside.nodes.filter(isObject);
        // A text with `items` is a text: what belongs to another type than the stated one is nobody's.
        if (schemas.length > 0 && inside.types.length > 0)
          visit(schemas, inside.types, `${path}${inside.suffix}`, false);
      }
      const objects = types.filter((type): type is ObjectType => type.kind === 'object');
      const maps = nodes
        .map((node) => get(node, 'properties'))
        .filter((map) => isObject(map))
        .filter((map) => !seen.has(map));
      for (const map of maps) seen.add(map);
      for (const name of new Set(maps.flatMap(Object.keys))) {
        const children = maps.map((map) => get(map, name)).filter((child) => child !== undefined);
        const found = objects.flatMap(({ properties }) => properties.filter((property) => property.name === name));
        const typed = found.map(({ type }) => type);
        visit(children, typed, path === '' ? name : `${path}.${name}`, true);
      }
    };
    visit([schema], ['reason' in read ? NEVER : simplify(read.params)], '', false);
  }
  return { stated, lost, silent };
};

const counted = (untyped: readonly Untyped[]): string => {
  const causes = new Map<Cause, number>();
  for (const { cause } of untyped) causes.set(cause, (causes.get(cause) ?? 0) + 1);
  return [...causes].map(([cause, count]) => `${cause}: ${count}`).join(', ');
};

/** What of a server's parameters has no type, by cause; empty where all have one. */
export const causesOf = ({ lost, silent }: Typing): string => counted([...lost, ...silent]);

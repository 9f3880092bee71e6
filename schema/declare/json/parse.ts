// From a JSON Schema to a type. What cannot be read becomes `unknown`, and is reported.
import { isObject, type Json, type JsonObject } from '../../tool.ts';
import {
  BOOLEAN,
  type Definition,
  intersection,
  NEVER,
  NULL,
  NUMBER,
  noted,
  type Property,
  STRING,
  type Type,
  UNKNOWN,
  union,
} from '../type/ast.ts';
import { branchesOf } from './branch.ts';
import { get, type Resolve } from './deref.ts';
import { keyOf } from './key.ts';
import { isTypeName, normalize } from './normalize.ts';
import { noteOf } from './note.ts';
import { enumType } from './value.ts';

export interface Reading {
  readonly resolve: Resolve;
  /** True for arguments, false for results. */
  readonly isInput: boolean;
  /** False: descriptions and constraints are left out. */
  readonly withNotes: boolean;
  readonly warn: (problem: string) => void;
  /** Told how many characters were removed from, and cut off, a text. */
  readonly cleaned: (removed: number, cut: number) => void;
}

/** Deeper schemas, and the rest of schemas with more nodes, become `unknown`. */
export const DEPTH_LIMIT = 200;
export const NODE_LIMIT = 20_000;
const NAME_LIMIT = 200;
const KEY_NAMES_LIMIT = 12;
// Names that generators count through; the property that refers to one says more.
const GENERIC = /^_*(?:def|definition|schema|type|root|ref|value)?_*\d*$/i;

/** `users` → `user`: what one item of a list is called. */
const singular = (name: string): string => name.replace(/ies$/i, 'y').replace(/([^s])s$/i, '$1');

/** What anything fits; `{ "not": {} }` is how generators write that there is no value. */
const isEverything = (schema: Json | undefined): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).length === 0);

/** Reads one schema (with all it refers to). Types that contain themselves come as `named`. */
export const parse = (root: Json | undefined, rootName: string, reading: Reading): Type => {
  const { resolve, isInput, withNotes, warn, cleaned } = reading;
  const open = new Set<object>();
  const named = new Map<object, Definition>();
  const done = new Map<object, Type>();
  let nodes = 0;

  const read = (schema: Json | undefined, name: string): Type => {
    if (schema === undefined || schema === true) return UNKNOWN;
    if (schema === false) return NEVER;
    if (!isObject(schema)) {
      warn(
        `${name}: ${schema === null ? 'null' : Array.isArray(schema) ? 'a list' : typeof schema} stands where a schema should`,
      );
      // `"a": "string"` can mean one thing only.
      return typeof schema === 'string' && isTypeName(schema) ? read({ type: schema }, name) : UNKNOWN;
    }
    const known = done.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) {
      const definition = named.get(schema) ?? {
        hint: name,
        key: keyOf(schema, resolve, withNotes) ?? `${rootName} ${named.size}`,
        type: UNKNOWN,
      };
      named.set(schema, definition);
      return { kind: 'named', definition };
    }
    nodes += 1;
    if (open.size >= DEPTH_LIMIT || nodes > NODE_LIMIT) {
      if (nodes <= NODE_LIMIT + 1)
        warn(`${name}: the schema is too ${open.size >= DEPTH_LIMIT ? 'deep' : 'big'} to declare whole`);
      nodes = Math.max(nodes, open.size >= DEPTH_LIMIT ? nodes : NODE_LIMIT + 1);
      return UNKNOWN;
    }
    open.add(schema);
    const node = normalize(schema);
    let type = readNode(node, schema, name);
    if (withNotes) {
      const note = noteOf(node, name, isInput);
      cleaned(note.removed, note.cut);
      type = noted(note.text, type);
    }
    open.delete(schema);
    const definition = named.get(schema);
    if (definition !== undefined) {
      definition.type = type;
      type = { kind: 'named', definition };
    }
    done.set(schema, type);
    return type;
  };

  const readNode = (node: JsonObject, from: object, name: string): Type => {
    if (isEverything(get(node, 'not'))) return NEVER;
    const parts: Type[] = [];
    const title = get(node, 'title');
    const hint = typeof title === 'string' && title !== '' ? title : name;
    const reference = get(node, '$ref');
    if (typeof reference === 'string') {
      const target = resolve(reference, from);
      if ('problem' in target) {
        warn(`${name}: ${target.problem}`);
        parts.push(withNotes ? noted(target.problem, UNKNOWN) : UNKNOWN);
      } else parts.push(read(target.node, GENERIC.test(target.name) ? name : target.name));
    }
    const values = get(node, 'enum');
    if (Array.isArray(values)) parts.push(enumType(values as Json[], get(node, 'type'), hint));
    else parts.push(readTypes(node, hint));
    const all = get(node, 'allOf');
    if (Array.isArray(all)) for (const member of all as Json[]) parts.push(read(member, name));
    for (const word of ['anyOf', 'oneOf']) {
      const choice = get(node, word);
      if (!Array.isArray(choice) || choice.length === 0) continue;
      parts.push(
        union(
          (choice as Json[]).map((member) => read(member, name)),
          hint,
        ),
      );
    }
    return intersection(parts, hint);
  };

  const readTypes = (node: JsonObject, hint: string): Type => {
    const type = get(node, 'type');
    const types = Array.isArray(type) ? (type as Json[]) : type === undefined ? [] : [type];
    if (types.length === 0) return UNKNOWN;
    return union(
      types.map((each) => {
        if (each === 'string') return STRING;
        if (each === 'number' || each === 'integer') return NUMBER;
        if (each === 'boolean') return BOOLEAN;
        if (each === 'null') return NULL;
        if (each === 'array') return readArray(node, hint);
        return each === 'object' ? readObject(node, hint) : UNKNOWN;
      }),
    );
  };

  const readArray = (node: JsonObject, hint: string): Type => {
    const [listed, items] = [get(node, 'prefixItems'), get(node, 'items')];
    const [least, most] = [get(node, 'minItems'), get(node, 'maxItems')];
    const needed = typeof least === 'number' ? least : 0;
    const room = typeof most === 'number' ? Math.max(0, most) : Number.POSITIVE_INFINITY;
    const prefix = (Array.isArray(listed) ? (listed as Json[]) : []).slice(0, room);
    const isFull = items === false || room <= prefix.length;
    if (prefix.length === 0 && !isFull) return { kind: 'array', items: read(items, singular(hint)) };
    return {
      kind: 'tuple',
      items: prefix.map((item, at) => ({ type: read(item, hint), optional: at >= needed })),
      rest: isFull ? undefined : read(items, hint),
    };
  };

  const readObject = (node: JsonObject, hint: string): Type => {
    const map = get(node, 'properties');
    const listed = get(node, 'required');
    const required = new Set((Array.isArray(listed) ? (listed as Json[]) : []) as string[]);
    const properties = new Map<string, Property>();
    for (const [name, child] of isObject(map) ? Object.entries(map) : []) {
      if (name.length > NAME_LIMIT) {
        warn(`${hint}: a property with a name of ${name.length} characters is left out`);
        continue;
      }
      if (typeof child === 'boolean') warn(`${name}: the schema of the property is ${child}`);
      properties.set(name, { name, type: read(child, name), optional: !required.has(name) });
    }
    const stated = get(node, 'additionalProperties') ?? get(node, 'unevaluatedProperties');
    const more = typeof stated === 'boolean' || isObject(stated) ? stated : undefined;
    const extra = isObject(more) ? read(more, hint) : UNKNOWN;
    const closed = more === false || extra.kind === 'never';
    if (get(node, 'additionalProperties') !== false)
      for (const [name, type] of branchProperties(node, hint))
        if (!properties.has(name)) properties.set(name, { name, type, optional: !required.has(name) });
    const patterns = get(node, 'patternProperties');
    const byPattern = isObject(patterns) ? Object.values(patterns).map((child) => read(child, hint)) : [];
    const names = get(node, 'propertyNames');
    const keys = isObject(names) ? get(normalize(names), 'enum') : undefined;
    if (Array.isArray(keys) && keys.length <= KEY_NAMES_LIMIT && more !== undefined && properties.size === 0) {
      for (const key of keys as Json[]) {
        if (typeof key === 'string') properties.set(key, { name: key, type: extra, optional: !required.has(key) });
      }
      return { kind: 'object', properties: [...properties.values()], index: undefined, closed: true, hint };
    }
    for (const name of required) {
      if (!properties.has(name))
        properties.set(name, { name, type: byPattern.length > 0 ? UNKNOWN : extra, optional: false });
    }
    const index = [...byPattern, ...(closed || more === undefined ? [] : [extra])];
    return {
      kind: 'object',
      properties: [...properties.values()],
      index: index.length === 0 ? undefined : union(index),
      closed,
      hint,
    };
  };

  /** Properties that only some condition brings in, with what the conditions say of them. */
  const branchProperties = (node: JsonObject, hint: string): Map<string, Type> => {
    const found = new Map<string, Type>();
    const collect = (type: Type): void => {
      if (type.kind === 'noted') collect(type.type);
      else if (type.kind === 'union' || type.kind === 'intersection') type.members.forEach(collect);
      else if (type.kind === 'object')
        for (const { name, type: own } of type.properties) {
          const known = found.get(name) ?? UNKNOWN;
          found.set(name, known === UNKNOWN ? own : own === UNKNOWN ? known : union([known, own]));
        }
    };
    for (const branch of branchesOf(node)) collect(read(branch, hint));
    return found;
  };

  return read(root, rootName);
};

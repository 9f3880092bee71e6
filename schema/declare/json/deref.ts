// Where a `$ref` leads: inside its own document or nowhere. Nothing is copied, so cycles stay cycles; nothing is fetched.
import { isObject, type Json, type JsonObject } from '../../tool.ts';

export type Target = { readonly node: Json; readonly name: string } | { readonly problem: string };
/** Finds what `reference` means where it stands in the schema object `from`. */
export type Resolve = (reference: string, from: object) => Target;

/** The own property of a JSON object; never one of Object.prototype. */
export const get = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

// Keywords whose value is a map from free names to schemas, and those whose value is data.
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const DATA = new Set(['enum', 'const', 'default', 'examples', 'example']);
const BASE = 'metad://schema/';

interface Index {
  /** Absolute URI of a resource (or of an anchor in it) → its schema. */
  readonly places: Map<string, Json>;
  /** Schema object → base URI that holds in it; only where it is not the document's own. */
  readonly bases: Map<object, string>;
}

const absolute = (reference: string, base: string): string | undefined => {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
};

const indexOf = (root: Json): Index => {
  const places = new Map<string, Json>([[BASE, root]]);
  const bases = new Map<object, string>();
  const todo: { node: Json; base: string; isMap: boolean }[] = [{ node: root, base: BASE, isMap: false }];
  const seen = new Set<object>();
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { node, isMap } = next;
    if (typeof node !== 'object' || node === null || seen.has(node)) continue;
    seen.add(node);
    let { base } = next;
    if (isObject(node) && !isMap) {
      const id = get(node, '$id') ?? get(node, 'id');
      if (typeof id === 'string') {
        const uri = absolute(id, base);
        if (uri !== undefined && !places.has(uri)) places.set(uri, node);
        if (uri !== undefined && !id.startsWith('#')) base = uri;
      }
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = get(node, keyword);
        const uri = typeof anchor === 'string' ? absolute(`#${anchor}`, base) : undefined;
        if (uri !== undefined && !places.has(uri)) places.set(uri, node);
      }
    }
    if (base !== BASE) bases.set(node, base);
    if (Array.isArray(node)) for (const child of node as Json[]) todo.push({ node: child, base, isMap: false });
    else
      for (const [key, child] of Object.entries(node as JsonObject)) {
        if (isMap || !DATA.has(key)) todo.push({ node: child, base, isMap: !isMap && MAPS.has(key) });
      }
  }
  return { places, bases };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const follow = (root: Json, pointer: string): Json | undefined => {
  let node: Json | undefined = root;
  for (const step of pointer.split('/').slice(1)) {
    const key = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(node)) node = /^\d+$/.test(key) ? (node as Json[])[Number(key)] : undefined;
    else node = isObject(node) ? (get(node, key) ?? get(node, step)) : undefined;
    if (node === undefined) return undefined;
  }
  return node;
};

const GENERIC_STEPS = new Set(['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', '$defs']);

/** A name for what a reference leads to: the last step of it that is a word. */
const nameIn = (reference: string): string => {
  const steps = decode(reference)
    .split(/[/#]/)
    .filter((step) => step !== '' && !/^\d+$/.test(step));
  return steps.findLast((step) => !GENERIC_STEPS.has(step)) ?? 'Root';
};

/** A resolver over one document. The index is made when the first reference needs one. */
export const resolverOf = (root: Json): Resolve => {
  let index: Index | undefined;
  return (reference, from) => {
    const name = nameIn(reference);
    index ??= indexOf(root);
    const uri = absolute(reference, index.bases.get(from) ?? BASE);
    const at = uri === undefined ? -1 : uri.indexOf('#');
    const [resource, fragment] =
      uri === undefined || at < 0 ? [uri ?? '', ''] : [uri.slice(0, at), reference.slice(reference.indexOf('#') + 1)];
    const direct = uri === undefined ? undefined : index.places.get(uri);
    if (direct !== undefined) return { node: direct, name };
    const document = index.places.get(resource) ?? index.places.get(`${resource}#`);
    if (document === undefined) return { problem: `$ref ${reference} leads out of the schema` };
    const node = fragment === '' ? document : fragment.startsWith('/') ? follow(document, fragment) : undefined;
    // A subschema with its own $id is sometimes given pointers from the document's root all the same.
    const found = node ?? (fragment.startsWith('/') ? follow(root, fragment) : undefined);
    return found === undefined ? { problem: `$ref ${reference} leads nowhere` } : { node: found, name };
  };
};

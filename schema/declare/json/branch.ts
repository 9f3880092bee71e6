// Schemas that hold only under a condition: what they name may be given, whatever the condition.
import { isObject, type Json, type JsonObject } from '../../tool.ts';
import { get } from './deref.ts';

/** Conditions within conditions that are looked into. */
const DEPTH = 16;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const valuesOf = (value: Json | undefined): readonly Json[] => (isObject(value) ? Object.values(value) : []);

const ownBranches = (node: JsonObject): readonly JsonObject[] =>
  [
    // Without `if` the two say nothing.
    ...(get(node, 'if') === undefined ? [] : [get(node, 'then'), get(node, 'else')]),
    ...valuesOf(get(node, 'dependentSchemas')),
    ...valuesOf(get(node, 'dependencies')),
  ].filter(isObject);

const branchesBelow = (node: JsonObject, depth: number): readonly JsonObject[] => {
  const own = [node, ...listOf(get(node, 'allOf')).filter(isObject)].flatMap(ownBranches);
  return depth === 0 ? own : own.flatMap((branch) => [branch, ...branchesBelow(branch, depth - 1)]);
};

/** The branches of a node and, since they come in lists, of its `allOf`; with chains of `else`. */
export const branchesOf = (node: JsonObject): readonly JsonObject[] => branchesBelow(node, DEPTH);

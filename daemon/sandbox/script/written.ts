// What a script's text writes out: names, paths, and the targets of its patterns.
import type { AnyNode } from 'acorn';

export const isNode = (value: unknown): value is AnyNode =>
  value !== null && typeof value === 'object' && 'type' in value && typeof value.type === 'string';

/** The name that a member expression or a property writes out. */
export const writtenName = (key: AnyNode, computed: boolean): string | undefined => {
  if (!computed && key.type === 'Identifier') return key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? undefined;
  return undefined;
};

/** `tools.server.tool`: no path that means something is longer. */
const LONGEST = 3;

/** `a.b["c"]` as `['a', 'b', 'c']`; undefined for a path of more than three names. */
export const pathOf = (node: AnyNode, most = LONGEST): string[] | undefined => {
  if (most === 0) return undefined;
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'ChainExpression') return pathOf(node.expression, most);
  if (node.type !== 'MemberExpression') return undefined;
  const above = pathOf(node.object, most - 1);
  const name = writtenName(node.property, node.computed);
  return above === undefined || name === undefined ? undefined : [...above, name];
};

/** The name that a written path of any length begins with. */
export const rootOf = (node: AnyNode): string | undefined => {
  let at = node;
  for (;;) {
    if (at.type === 'Identifier') return at.name;
    if (at.type === 'ChainExpression') at = at.expression;
    else if (at.type === 'MemberExpression' && writtenName(at.property, at.computed) !== undefined) at = at.object;
    else return undefined;
  }
};

/** The name that a path ends with. */
export const lastOf = (node: AnyNode): string | undefined => {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'ChainExpression') return lastOf(node.expression);
  return node.type === 'MemberExpression' ? writtenName(node.property, node.computed) : undefined;
};

/**
 * Each innermost target of a pattern: what it declares, or assigns to.
 * @param compute is given the expressions in it: computed keys and defaults
 */
export const eachTarget = (
  pattern: AnyNode,
  take: (target: AnyNode) => void,
  compute: (expression: AnyNode) => void,
): void => {
  const inner = (one: AnyNode): void => eachTarget(one, take, compute);
  switch (pattern.type) {
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'Property' && property.computed) compute(property.key);
        inner(property.type === 'Property' ? property.value : property.argument);
      }
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element !== null) inner(element);
      break;
    case 'AssignmentPattern':
      inner(pattern.left);
      compute(pattern.right);
      break;
    case 'RestElement':
      inner(pattern.argument);
      break;
    default:
      take(pattern);
  }
};

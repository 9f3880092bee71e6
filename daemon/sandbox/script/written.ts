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

/** `a.b["c"]` as `['a', 'b', 'c']`. */
export const pathOf = (node: AnyNode): string[] | undefined => {
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'ChainExpression') return pathOf(node.expression);
  if (node.type !== 'MemberExpression') return undefined;
  const above = pathOf(node.object);
  const name = writtenName(node.property, node.computed);
  return above === undefined || name === undefined ? undefined : [...above, name];
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

// Calls that give a promise which nobody then waits for.
import type { CallExpression } from 'acorn';
import { GUEST_GLOBALS } from '../guest/globals.ts';
import type { Scope } from './scope.ts';
import { rootOf, writtenName } from './written.ts';

/** A call that is a statement and may give a promise, which nobody then waits for. */
export interface Floating {
  readonly start: number;
  readonly end: number;
  /** Where its statement begins. */
  readonly statement: number;
}

/** Methods whose promise is another one than that of what they are called on. */
const CHAINED = new Set(['then', 'finally']);
const COMBINED = new Set(['all', 'any', 'race']);

/** Whether a call of it may give a promise: of an async function, of a chain, or of what the script does not declare. */
export const givesPromise = (scope: Scope, callee: CallExpression['callee']): boolean => {
  if ('async' in callee) return callee.async === true;
  if (callee.type === 'Identifier') return scope.find(callee.name)?.asyncs.has(callee.name) === true;
  if (callee.type !== 'MemberExpression') return false;
  const name = writtenName(callee.property, callee.computed) ?? '';
  if (CHAINED.has(name)) return true;
  const root = rootOf(callee);
  if (root === undefined || scope.find(root) !== undefined) return false;
  return root === 'Promise' ? COMBINED.has(name) : !GUEST_GLOBALS.has(root);
};

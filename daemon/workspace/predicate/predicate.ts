// When something applies to a workspace, as a value; `AND`, `OR` and `NOT` are nodes like any other.
import type { Requirement } from './requirement.ts';

export type Predicate =
  /** Null: any workspace, `*`. */
  | { readonly kind: 'depends-on'; readonly requirement: Requirement | null }
  | { readonly kind: 'path-exists'; readonly path: string }
  | { readonly kind: 'env'; readonly name: string; readonly value?: string }
  /** The plugin that says so is the workspace's own. */
  | { readonly kind: 'workspace-member' }
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'custom'; readonly name: string; readonly argument: string }
  | { readonly kind: 'not'; readonly inner: Predicate }
  | { readonly kind: 'any' | 'all'; readonly inner: readonly Predicate[] };

export const allOf = (inner: readonly Predicate[]): Predicate => {
  const [only] = inner;
  return inner.length === 1 && only !== undefined ? only : { kind: 'all', inner };
};

/** As in a manifest. */
export const predicateText = (predicate: Predicate): string => {
  switch (predicate.kind) {
    case 'depends-on':
      return `depends-on(${predicate.requirement?.text ?? '*'})`;
    case 'path-exists':
      return `path_exists(${predicate.path})`;
    case 'env':
      return `env(${predicate.name}${predicate.value === undefined ? '' : `=${predicate.value}`})`;
    case 'workspace-member':
      return 'workspace-member()';
    case 'shell':
      return `shell(${predicate.command})`;
    case 'custom':
      return `${predicate.name}(${predicate.argument})`;
    case 'not':
      return `not(${predicateText(predicate.inner)})`;
    default:
      return `${predicate.kind}(${predicate.inner.map(predicateText).join(', ')})`;
  }
};

/** All of its leaves, in order. */
export const leavesOf = (predicate: Predicate): readonly Predicate[] => {
  if (predicate.kind === 'not') return leavesOf(predicate.inner);
  if (predicate.kind === 'any' || predicate.kind === 'all') return predicate.inner.flatMap(leavesOf);
  return [predicate];
};

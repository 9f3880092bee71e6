// One scope of a script: the names that it declares.

export interface Scope {
  readonly names: Set<string>;
  /** Those of them that are async functions. */
  readonly asyncs: Set<string>;
  /** The nearest one that `var` belongs to; itself, if it is a function's. */
  readonly function: Scope;
  /** The innermost scope from here up that declares `name`. */
  find(name: string): Scope | undefined;
}

export const scopeIn = (above: Scope | undefined, isFunction: boolean): Scope => {
  const scope: Scope = {
    names: new Set(),
    asyncs: new Set(),
    get function() {
      return isFunction || above === undefined ? scope : above.function;
    },
    find: (name) => (scope.names.has(name) ? scope : above?.find(name)),
  };
  return scope;
};

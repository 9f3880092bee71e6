// What can be said of a script's names without running it: which it declares, and which it uses without declaring them.
import type { AnyNode, CallExpression, Function as FunctionNode, MemberExpression, Pattern } from 'acorn';
import { type Floating, givesPromise } from './floating.ts';
import { type Scope, scopeIn } from './scope.ts';
import { eachTarget, isNode, lastOf, pathOf, writtenName } from './written.ts';

/** A name that is called, or whose member is read, where no declaration of the script has it. */
export interface FreeName {
  readonly name: string;
  readonly at: number;
}

/** `root.path[0].path[1]`, all of it written out; no declaration of the script has `root`. */
export interface MemberPath {
  readonly root: string;
  readonly path: readonly string[];
  /** Where the last name stands. */
  readonly at: number;
}

export interface Survey {
  readonly free: readonly FreeName[];
  readonly members: readonly MemberPath[];
  /** Texts in the script: a name that is also written as a text may be asked for before it is used. */
  readonly texts: ReadonlySet<string>;
  /** Names declared anywhere, to be near to. */
  readonly declared: ReadonlySet<string>;
  readonly floating: readonly Floating[];
  /** Where the first import expression stands. */
  readonly imports?: number;
}

const NOTHING: Survey = { free: [], members: [], texts: new Set(), declared: new Set(), floating: [] };

interface Found<T> {
  readonly scope: Scope;
  readonly what: T;
}

/** Names whose use may bring names into being. */
const MAKERS = new Set(['globalThis', 'eval', 'Function']);
/**
 * Nothing is guessed. Left out are: what stands in a `try` that has a `catch`; names that are asked for by `typeof` or
 * `?.`, or assigned without a declaration; everything where `with` or `eval` may declare names; and free names where
 * `globalThis`, `Function` or a `constructor` may make them.
 */
export const survey = (program: AnyNode): Survey => {
  const top = scopeIn(undefined, true);
  const uses: Found<FreeName>[] = [];
  const members: Found<MemberPath>[] = [];
  const floating: Found<{ call: CallExpression; statement: number }>[] = [];
  const excused = new Set<string>();
  const texts = new Set<string>();
  const declared = new Set<string>();
  let imports: number | undefined;
  let isOpaque = false;
  let makesNames = false;

  const bind = (pattern: Pattern, into: Scope, scope: Scope, sure: boolean): void => {
    const take = (target: AnyNode): void => {
      if (target.type !== 'Identifier') return;
      into.names.add(target.name);
      declared.add(target.name);
    };
    eachTarget(pattern, take, (expression) => visit(expression, scope, sure));
  };

  /** What is assigned without being declared comes into being in sloppy mode. */
  const assign = (pattern: AnyNode, scope: Scope, sure: boolean): void => {
    const take = (target: AnyNode): void => {
      if (target.type === 'Identifier') excused.add(target.name);
      if (target.type !== 'MemberExpression') return;
      const name = writtenName(target.property, target.computed);
      if (target.object.type === 'ThisExpression' && name !== undefined) excused.add(name);
      used(target.object, scope, sure);
      if (target.computed && name === undefined) visit(target.property, scope, sure);
    };
    eachTarget(pattern, take, (expression) => visit(expression, scope, sure));
  };

  /** It is asked whether there is such a thing. */
  const asked = (node: AnyNode, scope: Scope): void => {
    const last = lastOf(node);
    if (last !== undefined && pathOf(node)?.length === 1) excused.add(last);
    if (last !== undefined) texts.add(last);
    visit(node, scope, false);
  };

  const used = (node: AnyNode, scope: Scope, sure: boolean): void => {
    if (sure && node.type === 'Identifier') uses.push({ scope, what: { name: node.name, at: node.start } });
    visit(node, scope, sure);
  };

  const member = (node: MemberExpression, scope: Scope, sure: boolean): void => {
    if (node.optional) asked(node.object, scope);
    else used(node.object, scope, sure);
    const [root, ...path] = pathOf(node) ?? [];
    if (writtenName(node.property, node.computed) === 'constructor') makesNames = true;
    if (root !== undefined && sure && !node.optional) {
      members.push({ scope, what: { root, path, at: node.property.start } });
    }
    if (node.computed && writtenName(node.property, true) === undefined) visit(node.property, scope, sure);
  };

  /** `const { a } = files` reads `files.a`. */
  const taken = (pattern: Pattern, init: AnyNode, scope: Scope, sure: boolean): void => {
    const [root, ...above] = pathOf(init) ?? [];
    if (root === undefined || !sure || pattern.type !== 'ObjectPattern') return;
    if (above.length === 0) uses.push({ scope, what: { name: root, at: init.start } });
    for (const property of pattern.properties) {
      if (property.type !== 'Property' || property.value.type === 'AssignmentPattern') continue;
      const name = writtenName(property.key, property.computed);
      if (name !== undefined) members.push({ scope, what: { root, path: [...above, name], at: property.key.start } });
    }
  };

  const functionIn = (node: FunctionNode, above: Scope, sure: boolean): void => {
    const scope = scopeIn(above, true);
    if (node.type === 'FunctionExpression' && node.id) bind(node.id, scope, scope, sure);
    if (node.type !== 'ArrowFunctionExpression') scope.names.add('arguments');
    for (const param of node.params) bind(param, scope, scope, sure);
    if (node.body.type === 'BlockStatement') each(node.body.body, scope, sure);
    else visit(node.body, scope, sure);
  };

  const each = (nodes: readonly (AnyNode | null)[], scope: Scope, sure: boolean): void => {
    for (const node of nodes) if (node !== null) visit(node, scope, sure);
  };
  const children = (node: AnyNode, scope: Scope, sure: boolean): void => {
    for (const value of Object.values(node) as unknown[]) {
      if (Array.isArray(value)) {
        for (const one of value as unknown[]) if (isNode(one)) visit(one, scope, sure);
      } else if (isNode(value)) visit(value, scope, sure);
    }
  };

  const visit = (node: AnyNode, scope: Scope, sure: boolean): void => {
    switch (node.type) {
      case 'Identifier':
        if (MAKERS.has(node.name)) makesNames = true;
        break;
      case 'Literal':
        if (typeof node.value === 'string') texts.add(node.value);
        break;
      case 'TemplateElement':
        texts.add(node.value.raw);
        break;
      case 'MemberExpression':
        member(node, scope, sure);
        break;
      case 'CallExpression':
      case 'NewExpression': {
        const { callee } = node;
        if (callee.type === 'Identifier' && callee.name === 'eval') isOpaque = true;
        if (node.type === 'CallExpression' && node.optional) asked(callee, scope);
        else used(callee, scope, sure);
        each(node.arguments, scope, sure);
        break;
      }
      case 'ImportExpression':
        if (sure) imports ??= node.start;
        children(node, scope, sure);
        break;
      case 'TaggedTemplateExpression':
        used(node.tag, scope, sure);
        visit(node.quasi, scope, sure);
        break;
      case 'UnaryExpression':
        if (node.operator === 'typeof') asked(node.argument, scope);
        else visit(node.argument, scope, sure);
        break;
      case 'AssignmentExpression':
        assign(node.left, scope, sure);
        visit(node.right, scope, sure);
        if (node.left.type === 'ObjectPattern') taken(node.left, node.right, scope, sure);
        break;
      case 'UpdateExpression':
        assign(node.argument, scope, sure);
        break;
      case 'ExpressionStatement': {
        const expression = node.expression.type === 'ChainExpression' ? node.expression.expression : node.expression;
        if (expression.type === 'CallExpression')
          floating.push({ scope, what: { call: expression, statement: node.start } });
        visit(node.expression, scope, sure);
        break;
      }
      case 'FunctionDeclaration':
        // Sloppy mode: one in a block is the function's too.
        for (const into of [scope, scope.function]) {
          if (node.id) bind(node.id, into, scope, sure);
          if (node.id && node.async) into.asyncs.add(node.id.name);
        }
        functionIn(node, scope, sure);
        break;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        functionIn(node, scope, sure);
        break;
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const inside = scopeIn(scope, false);
        if (node.id) bind(node.id, node.type === 'ClassDeclaration' ? scope : inside, scope, sure);
        if (node.superClass) used(node.superClass, scope, sure);
        each(node.body.body, inside, sure);
        break;
      }
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'Property':
        if (node.computed) visit(node.key, scope, sure);
        if (node.value) visit(node.value, scope, sure);
        break;
      case 'StaticBlock':
        each(node.body, scopeIn(scope, true), sure);
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          const into = node.kind === 'var' ? scope.function : scope;
          bind(id, into, scope, sure);
          if (!init) continue;
          if (id.type === 'Identifier' && 'async' in init && init.async) into.asyncs.add(id.name);
          visit(init, scope, sure);
          taken(id, init, scope, sure);
        }
        break;
      case 'BlockStatement':
        each(node.body, scopeIn(scope, false), sure);
        break;
      case 'SwitchStatement':
        visit(node.discriminant, scope, sure);
        each(node.cases, scopeIn(scope, false), sure);
        break;
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inside = scopeIn(scope, false);
        if (node.left.type === 'VariableDeclaration') visit(node.left, inside, sure);
        else assign(node.left, inside, sure);
        each([node.right, node.body], inside, sure);
        break;
      }
      case 'ForStatement':
        children(node, scopeIn(scope, false), sure);
        break;
      case 'TryStatement':
        visit(node.block, scope, sure && !node.handler);
        each([node.handler ?? null, node.finalizer ?? null], scope, sure);
        break;
      case 'CatchClause': {
        const inside = scopeIn(scope, false);
        if (node.param) bind(node.param, inside, inside, sure);
        visit(node.body, inside, sure);
        break;
      }
      case 'LabeledStatement':
        visit(node.body, scope, sure);
        break;
      case 'WithStatement':
        isOpaque = true;
        break;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ExportSpecifier':
        break;
      default:
        children(node, scope, sure);
    }
  };

  try {
    visit(program, top, true);
  } catch (error) {
    // Nested so deeply that this walk cannot follow; the engine says what it thinks of it.
    if (error instanceof RangeError) return NOTHING;
    throw error;
  }
  if (isOpaque) return NOTHING;
  const isFree = ({ scope, what }: Found<{ readonly name: string }>): boolean =>
    scope.find(what.name) === undefined && !excused.has(what.name);
  return {
    free: makesNames ? [] : uses.filter(isFree).map(({ what }) => what),
    members: members.filter(({ scope, what }) => isFree({ scope, what: { name: what.root } })).map(({ what }) => what),
    texts,
    declared,
    ...(imports !== undefined && { imports }),
    floating: floating
      .filter(({ scope, what: { call } }) => givesPromise(scope, call.callee))
      .map(({ what: { call, statement } }) => ({ start: call.start, end: call.end, statement })),
  };
};

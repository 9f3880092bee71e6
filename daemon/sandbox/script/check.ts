// What is surely wrong with a script's names, said before it makes its first call.
import { nearNames } from '../../../schema/near.ts';
import { GUEST_GLOBALS, insteadOf } from '../guest/globals.ts';
import { unknownMember } from '../guest/unknown.ts';
import type { Position } from '../limits.ts';
import type { RunError } from '../sandbox.ts';
import type { Known, KnownNamespace } from './known.ts';
import type { Prepared } from './source.ts';
import type { FreeName, MemberPath, Survey } from './survey.ts';

interface Problem {
  readonly name: 'ReferenceError' | 'TypeError';
  /** Made only for those that are shown: names that are near take a look at all there are. */
  readonly message: () => string;
  readonly at: number;
}

/** Places that one refusal names. */
const MOST = 5;
/** What the language and its tools ask of any object: undefined where there is no such member, and no error. */
const PROBES: ReadonlySet<string> = new Set(
  'then toJSON toString valueOf constructor prototype __proto__ catch finally length name inspect'.split(' '),
);

const memberProblem = (known: Known, { root, path, at }: MemberPath): Problem | undefined => {
  const problem = (message: () => string): Problem => ({ name: 'TypeError', message, at });
  const toolProblem = (namespace: KnownNamespace, name: string): Problem | undefined => {
    if (namespace.isOpen || PROBES.has(name) || namespace.find(name) !== undefined) return undefined;
    return problem(() =>
      unknownMember(name, 'tool', namespace.global, namespace.names(), namespace.removed(), nearNames),
    );
  };
  const [first, second] = path;
  if (first === undefined) return undefined;
  const namespace = known.global(root);
  if (namespace !== undefined) return path.length === 1 ? toolProblem(namespace, first) : undefined;
  if (root !== 'tools') return undefined;
  const server = known.server(first);
  if (path.length === 2 && second !== undefined && server !== undefined) return toolProblem(server, second);
  if (path.length > 1 || server !== undefined || PROBES.has(first)) return undefined;
  const servers = known.namespaces.map((one) => one.server);
  return problem(() => unknownMember(first, 'server', 'tools', servers, [], nearNames));
};

const freeProblem = (known: Known, { declared }: Survey, { name, at }: FreeName): Problem | undefined => {
  if (GUEST_GLOBALS.has(name) || name === 'tools' || known.global(name) !== undefined) return undefined;
  return { name: 'ReferenceError', message: () => undefinedName(name, known, declared), at };
};

/** `'fils' is not defined; near: files`, in the engine's own words and more. */
export const undefinedName = (name: string, known: Known, declared: ReadonlySet<string> = new Set()): string => {
  if (declared.has(name)) return `'${name}' is not defined here; it is declared in another scope`;
  const near = (): string[] =>
    nearNames(name, [...known.namespaces.map(({ global }) => global), 'tools', ...declared, ...GUEST_GLOBALS]);
  return `'${name}' is not defined${insteadOf(name, near)}`;
};

/**
 * The error of a script that uses a tool, server or name that nothing has, where it can be seen without running it.
 * All such places are named, at most five; one alone reads as it would at run time. See `survey` for what is left out.
 */
export const refusalOf = ({ survey, originalAt }: Prepared, known: Known): RunError | undefined => {
  const { members, free, texts } = survey;
  const found = [
    ...members.filter(({ path }) => !texts.has(path.at(-1) ?? '')).map((path) => memberProblem(known, path)),
    ...free.map((name) => freeProblem(known, survey, name)),
  ]
    .filter((problem) => problem !== undefined)
    .sort((one, other) => one.at - other.at);
  const [first] = found;
  if (first === undefined) return undefined;
  const { name, message, at } = first;
  if (found.length === 1) return { name, message: message(), ...originalAt(at) };
  const rest = found.length > MOST ? [`and ${found.length - MOST} more`] : [];
  const lines = found.slice(0, MOST).map((problem) => `${problem.message()} (${written(originalAt(problem.at))})`);
  const head = `${found.length} names in the script are unknown; no tool was called`;
  return { name, message: [head, ...lines, ...rest].join('\n') };
};

const written = ({ line, column }: Position): string => `line ${line}, column ${column}`;

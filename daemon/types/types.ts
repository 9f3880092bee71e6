// What the tools' types say of a script that failed: a help for its author, never a reason to fail.
import { MetadError, messageOf } from '../../schema/errors.ts';
import type { Log } from '../log.ts';
import { ScriptSyntaxError } from '../sandbox/script/prepare.ts';
import { withoutTypes } from '../sandbox/script/types.ts';
import { within } from '../scope.ts';
import { createChecker } from './checker.ts';
import { documentsOf } from './documents.ts';
import { notesOf } from './notes.ts';

/** One server's namespace, as TypeScript. */
export interface Declaration {
  readonly namespace: string;
  readonly text: string;
}

export interface Types extends AsyncDisposable {
  /** At most five lines, after three seconds at most; none where there is nothing to say, or no way to find out. */
  notes(script: string, declarations: readonly Declaration[], signal: AbortSignal): Promise<readonly string[]>;
  pid(): number | undefined;
  /** Ends the process at once. */
  kill(): void;
}

export interface TypesOptions {
  readonly log: Log;
  readonly program: () => string | undefined;
  readonly folder: string;
  readonly waitMs?: number;
  readonly restMs?: number;
}

const WAIT_MS = 3_000;
/** Characters. The script is read in the daemon itself, and one written to be hard to read takes the square of its length. */
const MOST_SCRIPT = 10_000;
/** Characters of all declarations together. */
const MOST_DECLARED = 1_000_000;

/** As many as there is room for; of the others nothing is known, and nothing is said. */
const fitting = (declarations: readonly Declaration[]): readonly Declaration[] => {
  let left = MOST_DECLARED;
  return declarations.filter(({ text }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
};

export const createTypes = (options: TypesOptions): Types => {
  const { log, waitMs = WAIT_MS } = options;
  const checker = createChecker(options);
  return {
    notes: async (script, declarations, signal) => {
      const known = fitting(declarations);
      if (script.length > MOST_SCRIPT || known.length === 0) return [];
      try {
        const namespaces = known.map(({ namespace }) => namespace);
        const documents = documentsOf(script, namespaces, withoutTypes);
        const text = known.map((one) => one.text).join('');
        const sentence = `The type checker was not done within ${waitMs} ms`;
        const { typed, plain } = await within(waitMs, sentence, signal, (scope) =>
          checker.check(text, documents, scope),
        );
        return notesOf(typed, plain, documents);
      } catch (error) {
        const isExpected = error instanceof ScriptSyntaxError || (error instanceof MetadError && signal.aborted);
        if (!isExpected) log('types.none', { error: messageOf(error) });
        return [];
      }
    },
    pid: checker.pid,
    kill: checker.kill,
    [Symbol.asyncDispose]: () => checker[Symbol.asyncDispose](),
  };
};

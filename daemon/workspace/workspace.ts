// One root: what is known of its dependencies, what applies there, and the watch over the files that say so.
import { join } from 'node:path';
import { messageOf } from '../../schema/errors.ts';
import type { Suggestion } from '../../schema/status.ts';
import type { Log } from '../log.ts';
import { type Watch, type Watched, watchFiles } from '../watch.ts';
import { type Applied, appliedOf, type IsSame, isUnchanged, type Sources } from './applied.ts';
import { createCommands } from './commands.ts';
import type { Dependency } from './dependency.ts';
import { factsOf, pathsAskedBy } from './facts.ts';
import type { Own } from './own.ts';
import { suggestionsFor } from './suggest.ts';
import { type Finding, watchedOf } from './survey/survey.ts';
import type { Surveyor } from './survey/surveyor.ts';

export interface WorkspaceOptions {
  /** Absolute, without links. */
  readonly root: string;
  readonly surveyor: Surveyor;
  /** What an earlier life found here. */
  readonly kept: readonly Finding[];
  readonly save: (findings: readonly Finding[]) => void;
  /** What a person has for every root: the config's servers, and plugins. */
  readonly sources: () => Omit<Sources, 'own'>;
  /** What this root declares by itself. */
  readonly own: Own;
  readonly isSame: IsSame;
  /** The person's variables. Another object when one has changed. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Its lockfiles or manifests say something else than before. */
  readonly onFiles: () => void;
  /** Something else applies now. */
  readonly onChange: () => void;
  readonly onPolling: (reason: string) => void;
  readonly log: Log;
}

export interface Workspace extends AsyncDisposable {
  /** From memory; the definitions are the same object while none has changed. */
  applied(): Applied;
  dependencies(): readonly Dependency[];
  /** From memory; the same array while what it hangs on is the same. */
  suggestions(): readonly Suggestion[];
  /** Servers of its own that nobody trusted yet, as far as that was read. */
  waiting(): number;
  /** What is broken in its files, a sentence each. */
  problems(): readonly string[];
  /** Reads the files again; resolves when that is done and what applies is known. Never rejects. */
  refresh(): Promise<void>;
  /** Keeps it as its files say until `rest`; resolves when changes are seen. */
  watch(): Promise<void>;
  rest(): Promise<void>;
  /** Resolves when what applies is known: at once where its files were read in this life or an earlier one. */
  known(): Promise<void>;
  /** Resolves when no predicate waits for its command any more. */
  settled(): Promise<void>;
}

export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { root, surveyor, save, sources, own, isSame, environment, onChange, log } = options;
  let findings = options.kept;
  let failure: string | undefined;
  let isKnown = findings.length > 0;
  /** Grows with everything that predicates ask of the system. */
  let edition = 0;
  let suggested: { readonly inputs: readonly unknown[]; readonly suggestions: readonly Suggestion[] } | undefined;
  let memo: { readonly inputs: readonly unknown[]; readonly applied: Applied } | undefined;
  let watching: Promise<Watch> | undefined;
  let going: Promise<void> | undefined;
  let isAskedAgain = false;

  const again = (): void => {
    edition += 1;
    onChange();
  };
  const commands = createCommands({ cwd: root, environment, onAnswer: again, log });
  const dependencies = (): readonly Dependency[] => findings.flatMap((finding) => finding.dependencies);

  const facts = () => factsOf({ root, dependencies: dependencies(), environment: environment(), commands });

  const applied = (): Applied => {
    const { config, offers } = sources();
    const inputs = [config, own.definitions(), own.offers(), offers, findings, environment(), edition];
    if (memo?.inputs.every((input, at) => input === inputs[at])) return memo.applied;
    const next = appliedOf({ config, own: own.definitions(), offers: [...offers, ...own.offers()] }, facts(), isSame);
    for (const clash of next.clashes)
      if (!memo?.applied.clashes.includes(clash)) log('workspace.clash', { root, clash });
    const before = memo?.applied.definitions;
    const definitions = before !== undefined && isUnchanged(before, next.definitions) ? before : next.definitions;
    memo = { inputs, applied: { ...next, definitions } };
    return memo.applied;
  };

  const suggestions = (): readonly Suggestion[] => {
    const { definitions } = applied();
    const inputs = [findings, environment(), definitions];
    if (suggested?.inputs.every((input, at) => input === inputs[at])) return suggested.suggestions;
    suggested = { inputs, suggestions: suggestionsFor(facts()({ customs: new Map() }), definitions) };
    return suggested.suggestions;
  };

  const watched = (): Watched => {
    const { files, folders } = watchedOf(findings);
    const asked = pathsAskedBy([...sources().offers, ...own.offers()].map(({ gate }) => gate));
    const more = own.watched();
    return {
      files: [...new Set([...[...files, ...asked].map((path) => join(root, path)), ...more.files])],
      folders: [...folders.map((path) => join(root, path)), ...(more.folders ?? [])],
    };
  };

  const read = async (): Promise<void> => {
    const before = findings;
    try {
      findings = await surveyor.survey(root, before);
      failure = undefined;
      isKnown = true;
    } catch (error) {
      failure = messageOf(error);
      log('workspace.failed', { root, error: failure });
    }
    await own.read();
    const isSame = findings.length === before.length && findings.every((finding, at) => finding === before[at]);
    if (isSame) findings = before;
    else {
      save(findings);
      if (before.length > 0) options.onFiles();
      commands.again();
      for (const { id, problem } of findings)
        if (problem !== undefined) log('workspace.problem', { root, id, problem });
    }
    edition += 1; // paths may have come or gone
  };

  /** One reading at a time; what is asked meanwhile is one more. */
  const refresh = (): Promise<void> => {
    if (going !== undefined) {
      isAskedAgain = true;
      return going;
    }
    const work = async (): Promise<void> => {
      const before = memo?.applied;
      const waiting = own.waiting();
      do {
        isAskedAgain = false;
        await read();
        await (await watching)?.follow(watched());
      } while (isAskedAgain);
      const isSame = before !== undefined && applied().definitions === before.definitions;
      if (!isSame || own.waiting() !== waiting) onChange();
    };
    going = work().finally(() => {
      going = undefined;
    });
    return going;
  };

  return {
    applied,
    dependencies,
    suggestions,
    waiting: own.waiting,
    problems: () => [
      ...findings.flatMap(({ problem }) => (problem === undefined ? [] : [`${join(root, '')}: ${problem}`])),
      ...(failure === undefined ? [] : [failure]),
      ...own.problems(),
      ...applied().clashes,
    ],
    refresh,
    watch: async () => {
      watching ??= watchFiles({
        ...watched(),
        onSettled: () => void refresh(),
        onPolling: options.onPolling,
        log,
      });
      await watching;
      // Between an earlier reading and the watch, anything may have changed.
      await refresh();
    },
    rest: async () => {
      const watch = watching;
      watching = undefined;
      await (await watch)?.[Symbol.asyncDispose]();
    },
    known: async () => {
      if (own.isAwaited()) await own.read();
      // Where nothing depends on its dependencies, nobody waits for them.
      if (!isKnown && sources().offers.length + own.offers().length > 0) await refresh();
    },
    settled: async () => {
      // An answer may be what another command is asked for.
      for (;;) {
        applied();
        const running = commands.running();
        if (running === undefined) return;
        await running;
      }
    },
    [Symbol.asyncDispose]: async () => {
      commands[Symbol.dispose]();
      const watch = watching;
      watching = undefined;
      await (await watch)?.[Symbol.asyncDispose]();
      await going;
    },
  };
};

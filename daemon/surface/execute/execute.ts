// `execute`: a program over the tools; what it returns is all that reaches the agent.
import { MetadError } from '../../../schema/errors.ts';
import type { JsonObject, ToolResult } from '../../../schema/tool.ts';
import type { ViewServer } from '../../catalog/view.ts';
import type { RunEnd, RunHandle, RunScope } from '../../run/contract.ts';
import { answer, unwrap } from '../answer.ts';
import { readArguments } from '../arguments.ts';
import { serverNamed, toolNamed } from '../find.ts';
import { invoke } from '../invoke.ts';
import type { CallScope, ScriptOutcome, SurfacePorts } from '../ports.ts';
import { answerOf } from './outcome.ts';
import { resultOf, runningAnswer, runningText } from './resume.ts';
import { endOf, failedEnd, traceLines } from './trace.ts';
import { typeNotesOn } from './type-notes.ts';

/** A word of its own in the script; a name inside a string counts too, which costs a start and nothing else. */
const mentions = (script: string, { namespace, definition }: ViewServer): boolean =>
  [namespace, definition.name].some((name) => {
    const at = script.indexOf(name);
    return (
      at >= 0 && new RegExp(`(?<![\\w$])${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w$])`, 'u').test(script)
    );
  });

const mentioned = (ports: SurfacePorts, script: string): readonly ViewServer[] =>
  ports.view().servers.filter((server) => mentions(script, server));

/** What applies where nothing is asked for, or what is asked for, within bounds. */
const limitOf = ({ scriptSeconds: { standard, most } }: SurfacePorts, asked: number | undefined): number => {
  if (asked === undefined) return Math.min(standard, most);
  if (asked > 0 && asked <= most) return asked;
  throw new MetadError('bad-request', `\`timeout_seconds\` must be more than 0 and at most ${most}.`);
};

const stateOf = (outcome: ScriptOutcome, { signal }: RunScope): RunEnd['state'] => {
  if (outcome.ok) return 'done';
  if (signal.aborted) return 'cancelled';
  return outcome.error.name === 'TimeoutError' ? 'timeout' : 'failed';
};

const noteOf =
  (run: RunScope): NonNullable<CallScope['progress']> =>
  (_, message) =>
    run.note(typeof message === 'string' ? message : message());

/** Meets the servers that the script names, then runs it. */
const work = async (ports: SurfacePorts, script: string, timeoutMs: number, run: RunScope): Promise<RunEnd> => {
  const unseen = ports.unlisted(mentioned(ports, script));
  if (unseen.length > 0) await ports.discover(unseen, run.signal);
  const outcome = await ports.run({
    script,
    namespaces: ports.view().namespaces,
    timeoutMs,
    signal: run.signal,
    service: ports.service,
    call: async (serverName, toolName, toolArgs, signal) => {
      // Looked up anew for each call: a tool may have come or gone while the script ran.
      const known = serverNamed(ports.view(), serverName);
      if (known.listing === undefined) await ports.discover([known], signal);
      const server = serverNamed(ports.view(), serverName);
      const tool = toolNamed(ports, server, toolName);
      const ended = run.called(server.definition.name, tool.raw, toolArgs);
      try {
        const scope = { signal, isAttended: run.isAttended, ...(run.isHeard() && { progress: noteOf(run) }) };
        const result = await invoke(ports, server, tool, toolArgs, scope);
        ended(endOf(result));
        return unwrap(result);
      } catch (error) {
        ended(failedEnd(error, signal));
        throw error;
      }
    },
  });
  const trace = run.close();
  const notes = outcome.ok
    ? []
    : await typeNotesOn(ports, { script, error: outcome.error, servers: mentioned(ports, script) }, run.signal);
  const result = answerOf(outcome, {
    runId: run.id,
    limit: ports.maxOutputCharacters,
    keep: ports.keepResult,
    ...(!outcome.ok && { trace: [...traceLines(trace), ...notes] }),
  });
  return { state: stateOf(outcome, run), result };
};

export interface ScriptOptions {
  readonly timeoutSeconds?: number | undefined;
  readonly background?: boolean | undefined;
}

/** @throws MetadError `bad-request` for a time that may not be asked for. */
export const beginScript = (ports: SurfacePorts, script: string, options: ScriptOptions = {}): RunHandle => {
  const { timeoutSeconds, background = false } = options;
  const timeoutMs = limitOf(ports, timeoutSeconds) * 1000;
  return ports.beginRun((run) => work(ports, script, timeoutMs, run), { background });
};

/** Waits as long as one answer may take. */
const waitFor = async (ports: SurfacePorts, run: RunHandle, owns: boolean, scope: CallScope): Promise<ToolResult> => {
  const { signal, progress } = scope;
  const milliseconds = ports.detachSeconds * 1000;
  const isOver = await run.wait({ signal, milliseconds, owns, ...(progress && { onStep: progress }) });
  if (isOver) return resultOf(run);
  run.detach();
  return runningAnswer(run);
};

export const execute = async (ports: SurfacePorts, args: JsonObject, scope: CallScope): Promise<ToolResult> => {
  const read = readArguments('execute', args, ['script', 'resume', 'background', 'timeout_seconds']);
  // Some models fill in every parameter: an empty one is none.
  const resume = read.string('resume')?.trim() || undefined;
  const script = read.string('script');
  const background = read.boolean('background');
  const timeoutSeconds = read.number('timeout_seconds');
  if (resume === undefined) {
    if (script === undefined) {
      throw new MetadError(
        'bad-request',
        'execute needs `script`, the program as a string, or `resume`, the id of a run.',
      );
    }
    const run = beginScript(ports, script, { timeoutSeconds, background });
    return background ? answer(runningText(run)) : waitFor(ports, run, true, scope);
  }
  if (script !== undefined && script.trim() !== '') {
    throw new MetadError('bad-request', `execute takes \`script\` or \`resume\`, not both; nothing was done.`);
  }
  // `12` for `r12` is clear enough.
  const id = /^\d+$/.test(resume) ? `r${resume}` : resume;
  return waitFor(ports, ports.findRun(id), false, scope);
};

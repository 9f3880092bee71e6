// What is said of a run that goes on, and of one that is over.
import type { ToolResult } from '../../../schema/tool.ts';
import type { RunHandle } from '../../run/contract.ts';
import { answer, failure } from '../answer.ts';
import { traceLines } from './trace.ts';

/** `{"run":"r12","state":"running"}` */
export const runningText = ({ id }: RunHandle): string => JSON.stringify({ run: id, state: 'running' });

/** The same, and what to do: for an agent that did not ask for it. */
export const runningAnswer = (run: RunHandle): ToolResult =>
  answer(
    runningText(run),
    `The script goes on in the background (${run.moment()}). execute({"resume": "${run.id}"}) waits for its result.`,
  );

const SENTENCES = {
  running: 'goes on',
  done: 'is done, but its result is not kept any more',
  failed: 'failed; what it said is not kept any more',
  cancelled: 'was cancelled',
  timeout: 'ran out of time; what it said is not kept any more',
  interrupted: 'was interrupted by a restart of the daemon; calls without an end may or may not have been done',
} as const;

/** The run's answer, else what is known of it. Rejects as the run did. */
export const resultOf = async (run: RunHandle): Promise<ToolResult> => {
  const result = await run.result();
  if (result !== undefined) return result;
  const lines = traceLines(run.trace());
  const calls = lines.length === 0 ? 'calls made: none' : lines.join('\n');
  return failure(`Run ${run.id} ${SENTENCES[run.state()]}.`, calls);
};

// What a script came to, as the answer that its agent gets.
import type { ToolResult } from '../../schema/tool.ts';
import { answer, capped, failure, readable } from './answer.ts';
import type { ScriptError, ScriptOutcome, TraceEntry } from './ports.ts';
import { traceLines } from './trace.ts';

export interface AnswerOptions {
  readonly runId: string;
  readonly maxOutputCharacters: number;
  /** The calls that were made: told where the run failed, so that the agent knows what has happened. */
  readonly trace?: readonly TraceEntry[];
}

/** `TypeError: x is not a function (line 2, column 5)` */
const describe = ({ name, message, line, column }: ScriptError): string => {
  const place = line === undefined ? '' : ` (line ${line}${column === undefined ? '' : `, column ${column}`})`;
  return `${name}: ${message}${place}`;
};

const logsOf = ({ logs }: ScriptOutcome): string | undefined =>
  logs.length === 0 ? undefined : `console:\n${logs.join('\n')}`;

export const answerOf = (outcome: ScriptOutcome, { maxOutputCharacters, trace = [] }: AnswerOptions): ToolResult => {
  if (outcome.ok) return answer(capped(readable(outcome.value), maxOutputCharacters), logsOf(outcome));
  const lines = traceLines(trace);
  return failure(describe(outcome.error), logsOf(outcome), lines.length === 0 ? undefined : lines.join('\n'));
};

// What the tools' types say of a script that failed, for the end of its answer.
import type { ViewServer } from '../../catalog/view.ts';
import type { ScriptError, SurfacePorts } from '../ports.ts';

/** Ends that no type explains. */
const UNRELATED: ReadonlySet<string> = new Set([
  'CancelledError',
  'TimeoutError',
  'MemoryError',
  'StackOverflowError',
  'DeadlockError',
  'LimitError',
]);

/** @param servers those that the script mentions */
export const typeNotesOn = async (
  { typeNotes }: Pick<SurfacePorts, 'typeNotes'>,
  { script, error, servers }: { script: string; error: ScriptError; servers: readonly ViewServer[] },
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (typeNotes === undefined || signal.aborted || UNRELATED.has(error.name)) return [];
  const notes = await typeNotes(script, servers, signal);
  return notes.length === 0 ? [] : ['types:', ...notes];
};

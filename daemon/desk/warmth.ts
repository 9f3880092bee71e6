// What `status` says of a server's starts: what they cost, and what stands behind its package runner. Pure.
import type { Definition } from '../../schema/config.ts';
import type { ServerStatus, StartCost } from '../../schema/wire.ts';
import type { Warmth } from '../store/store.ts';
import { runOf } from '../upstream/launch/runners/runners.ts';
import type { InstanceStatus } from '../upstream/pool.ts';

/** @param times milliseconds, newest first. The lower one of two in the middle. */
export const costOf = (times: readonly number[]): StartCost | null => {
  const [last] = times;
  if (last === undefined) return null;
  const sorted = [...times].sort((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? last;
  return { lastMs: Math.round(last), medianMs: Math.round(median), count: times.length };
};

const resolvedOf = ({ name, reach }: Definition, kept: Pick<Warmth, 'resolutionOf'>): string | null => {
  const asked = reach.kind === 'stdio' ? runOf(reach.command, reach.args)?.asked : undefined;
  if (asked === undefined) return null;
  const known = kept.resolutionOf(name);
  // The definition may name another package by now.
  return known?.package === asked.name ? `${known.package}@${known.version}` : null;
};

export const warmthOf = (
  definition: Definition,
  instance: InstanceStatus | undefined,
  kept: Pick<Warmth, 'starts' | 'resolutionOf'>,
): Pick<ServerStatus, 'start' | 'how' | 'resolved'> => ({
  start: costOf(kept.starts(definition.name).map(({ ms }) => ms)),
  how: instance?.launch?.how ?? null,
  resolved: instance?.launch?.resolved ?? resolvedOf(definition, kept),
});

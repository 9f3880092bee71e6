// What is written down of a process group that metad started, and what of it is still there for sure. Pure.
import { isObject } from '../../../schema/tool.ts';
import { type Process, treeOf } from '../../processes.ts';

/** A process as it was last seen. */
export interface Seen {
  readonly pid: number;
  readonly started: string;
  readonly command: string;
}

export interface GroupRecord {
  readonly server: string;
  /** The number of the group and of the process that leads it; 0 of one that is being started. */
  readonly group: number;
  /** The start of the machine in which it ran; empty where that is not known. */
  readonly boot: string;
  /** The word that all of the group have in their environment; empty where nobody can look it up. */
  readonly mark: string;
  /** Of one that is being started: it is none that started before, in the clock of `Process.started`. */
  readonly after?: number;
  /** The leader first, then whatever belonged to it when it was last looked at. */
  readonly seen: readonly Seen[];
}

/** The variable that carries the mark: one word for each life of a daemon. */
export const MARK = 'METAD_OWNER';

/** A living process with its command line and its mark now. */
export type Living = Process & { readonly command: string; readonly mark: string };

const isSeen = (value: unknown): value is Seen =>
  isObject(value) &&
  Number.isSafeInteger(value['pid']) &&
  Number(value['pid']) > 1 &&
  typeof value['started'] === 'string' &&
  typeof value['command'] === 'string';

/** Undefined for anything that is no whole record. */
export const parseRecord = (text: string): GroupRecord | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { server, group, boot, seen, mark = '', after } = value;
  if (typeof server !== 'string' || !Number.isSafeInteger(group)) return undefined;
  if (typeof mark !== 'string' || typeof boot !== 'string' || !Array.isArray(seen) || !seen.every(isSeen))
    return undefined;
  if (group === 0) return typeof after === 'number' ? { server, group, boot, mark, after, seen: [] } : undefined;
  return Number(group) <= 1 ? undefined : { server, group: Number(group), boot, mark, seen };
};

/**
 * All but `self` and what belongs to it: a server may host an agent whose shim started this very daemon, which is then
 * below what it must end.
 */
export const apartFrom = (self: number, processes: readonly Process[]): readonly Process[] => {
  const own = new Set(treeOf(self, processes));
  return processes.filter((process) => !own.has(process));
};

/** What is left of a recorded group. */
export interface Left {
  /** The whole group is still the recorded one, so that it may be signalled as such. */
  readonly group: number | null;
  /** All of it, those that left the group included. */
  readonly processes: readonly Process[];
}

/**
 * What of a record is still running, and nothing that could be another's: numbers are used again. A process is the
 * recorded one if number, start time, start of the machine and command line are all the same, and one of the group if it
 * bears the mark: so is a child that nobody looked at while its parent lived. As long as one such process is in the
 * group, the group is the recorded one, for nobody joins a group from outside, and no number is given out anew while a
 * group has it.
 */
export const leftOf = (record: GroupRecord, boot: string, living: readonly Living[]): Left => {
  const none: Left = { group: null, processes: [] };
  if (record.boot !== boot) return none;
  const { after = Number.POSITIVE_INFINITY } = record;
  const isMarked = ({ group, started, mark }: Living) =>
    mark !== '' && mark === record.mark && (record.group === 0 ? Number(started) >= after : group === record.group);
  const wasSeen = (process: Living) =>
    record.seen.some(
      ({ pid, started, command }) =>
        pid === process.pid && started === process.started && started !== '' && command === process.command,
    );
  const same = living.filter((process) => isMarked(process) || wasSeen(process));
  if (same.length === 0) return none;
  const isOurs = same.some(({ group }) => group === record.group);
  const trees = [...same.map(({ pid }) => pid), ...(isOurs ? [record.group] : [])].map((pid) => treeOf(pid, living));
  return { group: isOurs ? record.group : null, processes: [...new Set(trees.flat())] };
};

// Ends what an earlier daemon left running: a killed one could not.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { Process, ProcessTable } from '../../processes.ts';
import { apartFrom, type GroupRecord, type Left, type Living, leftOf, MARK } from './record.ts';
import type { GroupRecords } from './records.ts';

export interface ReapOptions {
  readonly records: GroupRecords;
  readonly table: ProcessTable;
  readonly log: Log;
  /** Milliseconds between SIGTERM and SIGKILL. Default 1500. */
  readonly graceMs?: number;
}

const GRACE_MS = 1500;
/** SIGKILL works at once, but for processes that wait for a disk. */
const KILL_WAIT_MS = 1000;
const LOOK_MS = 25;

const send = (left: Left, signal: NodeJS.Signals): void => {
  const targets = [...(left.group === null ? [] : [-left.group]), ...left.processes.map(({ pid }) => pid)];
  for (const target of targets) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended meanwhile, or runs as somebody else.
    }
  }
};

const living = async (table: ProcessTable, records: readonly GroupRecord[]): Promise<readonly Living[]> => {
  const numbers = new Set(records.flatMap(({ seen }) => seen.map(({ pid }) => pid)));
  const groups = new Set(records.map(({ group }) => group));
  // Only what may be a recorded one is looked at closely; reading all of them would be much work on a big machine.
  const closely = async (one: Process): Promise<Living> => ({
    ...one,
    command: (numbers.has(one.pid) ? await table.command(one) : undefined) ?? '',
    mark: (groups.has(0) || groups.has(one.group) ? await table.variable(one, MARK) : undefined) ?? '',
  });
  return Promise.all(apartFrom(process.pid, await table.list()).map(closely));
};

interface Found {
  readonly record: GroupRecord;
  readonly left: Left;
}

/** What is found of a record once is known from then on by itself, even when the recorded ones have ended. */
const widened = async (table: ProcessTable, { record, left }: Found): Promise<GroupRecord> => {
  const seen = await Promise.all(
    left.processes.map(async (one) => ({ ...one, command: (await table.command(one)) ?? '' })),
  );
  return { ...record, seen };
};

/**
 * Ends all that `records` still have and that is surely theirs: stdin is gone with the daemon that held it, so SIGTERM,
 * and SIGKILL after the grace. Each look compares anew, so that no signal goes to a number that was given out again.
 * Resolves, and never rejects, once nothing is left or nothing more can be done.
 */
export const reap = async ({ records, table, log, graceMs = GRACE_MS }: ReapOptions): Promise<void> => {
  const all = await records.read();
  if (all.length === 0) return;
  const boot = await table.boot();
  const look = async (wanted: readonly GroupRecord[]): Promise<readonly Found[]> => {
    const now = await living(table, wanted);
    return wanted
      .map((record) => ({ record, left: leftOf(record, boot, now) }))
      .filter(({ left }) => left.processes.length > 0);
  };
  const ended = async (wanted: readonly GroupRecord[], milliseconds: number): Promise<readonly Found[]> => {
    for (const end = performance.now() + milliseconds; ; await sleep(LOOK_MS)) {
      const rest = await look(wanted);
      if (rest.length === 0 || performance.now() > end) return rest;
    }
  };
  const found = await look(all);
  if (found.length > 0) {
    const wanted = await Promise.all(found.map((one) => widened(table, one)));
    for (const { record, left } of found) {
      log('groups.reaped', { server: record.server, group: record.group, pids: left.processes.map(({ pid }) => pid) });
      send(left, 'SIGTERM');
    }
    for (const { left } of await ended(wanted, graceMs)) send(left, 'SIGKILL');
    for (const { record } of await ended(wanted, KILL_WAIT_MS))
      log('groups.alive', { server: record.server, group: record.group });
  }
  for (const record of all) await records.remove(record);
};

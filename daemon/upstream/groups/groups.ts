// The process groups of this daemon, on record while they run, and those of a daemon that was killed, ended.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import { createProcessTable } from '../../processes.ts';
import { reap } from './reap.ts';
import { MARK } from './record.ts';
import { createRecords, type GroupRecords } from './records.ts';

export interface Groups extends AsyncDisposable {
  readonly add: GroupRecords['add'];
  /** What a server that is about to be started must get into its environment; asked for anew at each start. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** Resolves when nothing of an earlier daemon runs any more; never rejects. */
  readonly reaped: Promise<void>;
}

export interface GroupsOptions {
  readonly folder: string;
  readonly log: Log;
  /** Milliseconds between two looks at what belongs to the groups. Default 30 000. */
  readonly refreshMs?: number;
}

const REFRESH_MS = 30_000;

/** Only for the holder of the lock: it takes every record that it finds for one of a dead daemon. */
export const openGroups = async ({ folder, log, refreshMs = REFRESH_MS }: GroupsOptions): Promise<Groups> => {
  const table = createProcessTable();
  const mark = randomUUID();
  const records = createRecords({ folder, table, log, mark, boot: await table.boot() });
  const timer = setInterval(() => void records.refresh(), refreshMs).unref();
  return {
    add: records.add,
    environment: () => {
      records.announce();
      return { [MARK]: mark };
    },
    reaped: reap({ records, table, log }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await records.settled();
    },
  };
};

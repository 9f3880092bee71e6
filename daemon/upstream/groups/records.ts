// Which process groups this daemon has running, one small file each, so that the next daemon can end what a killed one left.
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../schema/errors.ts';
import type { Log } from '../../log.ts';
import { type Process, type ProcessTable, treeOf } from '../../processes.ts';
import { type GroupRecord, parseRecord, type Seen } from './record.ts';

export interface RecordsOptions {
  /** Where the files are; made when it is needed. */
  readonly folder: string;
  readonly table: ProcessTable;
  readonly log: Log;
  /** The word that this daemon's servers get into their environment. */
  readonly mark: string;
  /** The start of the machine, as the table tells it. */
  readonly boot: string;
}

export interface GroupRecords {
  /**
   * Writes down that something will be started: of a daemon that is killed in that very moment the next one finds it
   * by this.
   */
  announce(): void;
  /** Writes down a group that was just started; what that gives takes the file away again. Neither throws. */
  add(server: string, group: number): () => Promise<void>;
  /** Looks again at what belongs to the groups now. */
  refresh(): Promise<void>;
  /** What earlier daemons left written down; files that hold no record are removed. */
  read(): Promise<readonly GroupRecord[]>;
  remove(record: GroupRecord): Promise<void>;
  /** Nothing will be started any more; resolves when all that was asked for is on the disk. */
  settled(): Promise<void>;
}

const SUFFIX = '.json';
/** What was announced has been started after this, or never will be. */
const STARTED_MS = 60_000;

/** Never fails: what cannot be written on a full disk is said once, and the servers run on. */
export const createRecords = ({ folder, table, log, mark, boot }: RecordsOptions): GroupRecords => {
  const own = new Map<number, { readonly server: string; written: string }>();
  /** Announced and not started yet, or failed to; with the time of it. */
  const announced = new Map<string, { readonly at: number; readonly count: number }>();
  let isSaid = false;
  /** One thing after the other, so that a file never comes back after its removal. */
  let last: Promise<void> = Promise.resolve();

  const pathOf = (name: number | string): string => join(folder, `${name}${SUFFIX}`);
  const nameOf = ({ group, after }: GroupRecord): number | string => (group === 0 ? `start-${after}` : group);

  const failed = (error: unknown): void => {
    if (!isSaid) log('groups.unrecorded', { folder, error: messageOf(error) });
    isSaid = true;
  };
  const quietly = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work).catch(failed);
    return last;
  };

  /** At once, since the daemon may be killed at any moment. Who belongs to it is looked up later. */
  const note = (record: GroupRecord): void => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(pathOf(nameOf(record)), JSON.stringify(record), { mode: 0o600 });
    } catch (error) {
      failed(error);
    }
  };

  const forget = (name: string): void => {
    if (announced.delete(name)) void quietly(() => rm(pathOf(name), { force: true }));
  };
  const forgetOld = (): void => {
    for (const [name, { at }] of announced) if (performance.now() - at > STARTED_MS) forget(name);
  };
  /** One of those that were announced has a record of its own now; which one makes no difference. */
  const started = (): void => {
    const [oldest] = announced;
    if (oldest === undefined) return;
    const [name, { at, count }] = oldest;
    if (count > 1) announced.set(name, { at, count: count - 1 });
    else forget(name);
  };

  const seenOf = async (group: number, all: readonly Process[]): Promise<readonly Seen[]> => {
    const tree = treeOf(group, all).sort((one, other) => Number(other.pid === group) - Number(one.pid === group));
    const commands = await Promise.all(tree.map((process) => table.command(process)));
    return tree.flatMap(({ pid, started }, at) => {
      const command = commands[at];
      return command === undefined ? [] : [{ pid, started, command }];
    });
  };

  const write = async (group: number, all: readonly Process[]): Promise<void> => {
    const entry = own.get(group);
    if (entry === undefined) return;
    const record: GroupRecord = { server: entry.server, group, boot, mark, seen: await seenOf(group, all) };
    const text = JSON.stringify(record);
    if (text === entry.written || record.seen.length === 0) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // By rename: half a record would be none.
    await writeFile(`${pathOf(group)}~`, text, { mode: 0o600 });
    await rename(`${pathOf(group)}~`, pathOf(group));
    entry.written = text;
  };

  return {
    announce() {
      forgetOld();
      const after = table.ticks();
      if (after === undefined) return;
      const record: GroupRecord = { server: '', group: 0, boot, mark, after, seen: [] };
      const name = String(nameOf(record));
      announced.set(name, { at: performance.now(), count: (announced.get(name)?.count ?? 0) + 1 });
      note(record);
    },
    add(server, group) {
      own.set(group, { server, written: '' });
      note({ server, group, boot, mark, seen: [] });
      started();
      void quietly(async () => write(group, await table.list()));
      return () => {
        own.delete(group);
        return quietly(() => rm(pathOf(group), { force: true }));
      };
    },
    refresh: () =>
      quietly(async () => {
        forgetOld();
        if (own.size === 0) return;
        const all = await table.list();
        for (const group of own.keys()) await write(group, all);
      }),
    async read() {
      const names = await readdir(folder).catch(() => []);
      const records: GroupRecord[] = [];
      for (const name of names) {
        const path = join(folder, name);
        const record = parseRecord(await readFile(path, 'utf8').catch(() => ''));
        if (record !== undefined && name === `${nameOf(record)}${SUFFIX}`) records.push(record);
        else await rm(path, { force: true, recursive: true }).catch(() => {});
      }
      return records;
    },
    settled: () => {
      for (const name of announced.keys()) forget(name);
      return last;
    },
    remove: (record) =>
      own.has(record.group) || announced.has(String(nameOf(record)))
        ? Promise.resolve()
        : quietly(() => rm(pathOf(nameOf(record)), { force: true })),
  };
};

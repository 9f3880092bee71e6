// How much memory a process and all that belongs to it take: PSS where the kernel tells it, else RSS.
import { readFile } from 'node:fs/promises';
import { createProcessTable, type Process, treeOf } from '../processes.ts';

export interface Memory {
  /** One process alone, in bytes; null where it is gone or cannot be seen. */
  ofProcess(pid: number): Promise<number | null>;
  /** The process, its group and all their children: what one backing server costs. */
  ofTree(pid: number): Promise<Tree | null>;
}

export interface Tree {
  readonly processes: number;
  readonly bytes: number;
}

export interface MemoryOptions {
  /** Where Linux lists processes. A folder that is not there means: ask ps. */
  readonly proc?: string;
  /** Milliseconds for which one look is good. Default 1000. */
  readonly maxAgeMs?: number;
  readonly now?: () => number;
}

export const createMemory = ({ proc = '/proc', maxAgeMs = 1000, now = Date.now }: MemoryOptions = {}): Memory => {
  const table = createProcessTable(proc);
  let listed: { readonly at: number; readonly processes: Promise<readonly Process[]> } | undefined;
  const measured = new Map<string, { readonly at: number; readonly tree: Promise<Tree | null> }>();

  const list = (): Promise<readonly Process[]> => {
    if (listed === undefined || now() - listed.at >= maxAgeMs) listed = { at: now(), processes: table.list() };
    return listed.processes;
  };

  const read = async (pid: number, file: string, field: RegExp): Promise<number | undefined> => {
    const kilobytes = field.exec(await readFile(`${proc}/${pid}/${file}`, 'utf8').catch(() => ''))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  };

  const sizeOf = async ({ pid, residentBytes }: Process): Promise<number> =>
    residentBytes ??
    (await read(pid, 'smaps_rollup', /^Pss:\s+(\d+) kB/m)) ??
    (await read(pid, 'status', /^VmRSS:\s+(\d+) kB/m)) ??
    0;

  const measure = async (pid: number, alone: boolean): Promise<Tree | null> => {
    const processes = await list();
    const counted = alone ? processes.filter((process) => process.pid === pid) : treeOf(pid, processes);
    if (counted.length === 0) return null;
    const sizes = await Promise.all(counted.map(sizeOf));
    return { processes: counted.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };

  const cached = (pid: number, alone: boolean): Promise<Tree | null> => {
    const key = `${pid}${alone ? '' : '+'}`;
    const known = measured.get(key);
    if (known && now() - known.at < maxAgeMs) return known.tree;
    for (const [other, { at }] of measured) if (now() - at >= maxAgeMs) measured.delete(other);
    const tree = measure(pid, alone);
    measured.set(key, { at: now(), tree });
    return tree;
  };

  return {
    ofProcess: async (pid) => (await cached(pid, true))?.bytes ?? null,
    ofTree: (pid) => cached(pid, false),
  };
};

// What keeps this process busy or awake, counted by kind: a number that only grows is a leak.

/** Timers, sockets, pipes, child processes, …, by Node's own names for them. */
export const resourcesNow = (): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo().sort()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

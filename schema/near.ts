// Which known name a mistyped one was probably meant to be.

/** Edits (insert, delete, replace, swap of neighbours) between two short texts; more than `limit` counts as `limit + 1`. */
const distance = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? limit + 1;
};

const plain = (name: string): string => name.toLowerCase().replace(/[-_. ]/g, '');

/** The candidates nearest to `name`, best first; case and separators count for nothing. Empty when none is near. */
export const nearNames = (name: string, candidates: Iterable<string>, most = 3): string[] => {
  const wanted = plain(name.slice(0, 100));
  const limit = wanted.length <= 3 ? 1 : wanted.length <= 7 ? 2 : 3;
  const scored: { candidate: string; edits: number }[] = [];
  for (const candidate of candidates) {
    const edits = distance(wanted, plain(candidate), limit);
    if (edits <= limit) scored.push({ candidate, edits });
  }
  return scored
    .sort((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ candidate }) => candidate);
};

/** The one nearest candidate, if any is near. */
export const nearName = (name: string, candidates: Iterable<string>): string | undefined =>
  nearNames(name, candidates, 1)[0];

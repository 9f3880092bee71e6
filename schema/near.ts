// Which known name a mistyped one was probably meant to be.

/**
 * Up to `count` of the `known` names that someone who wrote `wanted` may have meant, nearest first; case and separators
 * count for nothing. Uses nothing from outside itself: the sandbox gives scripts this function by its text.
 */
export const nearNames = (wanted: string, known: Iterable<string>, count = 3): string[] => {
  const plain = (name: string): string =>
    name
      .slice(0, 64)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  /** Edits (insert, delete, replace, swap of neighbours) between two short strings; over `bound` it stops. */
  const distance = (one: string, other: string, bound: number): number => {
    if (Math.abs(one.length - other.length) > bound) return bound + 1;
    let above: number[] = [];
    let last = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i += 1) {
      const row = [i];
      for (let j = 1; j <= other.length; j += 1) {
        const same = one[i - 1] === other[j - 1] ? 0 : 1;
        let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          best = Math.min(best, (above[j - 2] ?? 0) + 1);
        }
        row.push(best);
      }
      if (Math.min(...row) > bound) return bound + 1;
      above = last;
      last = row;
    }
    return last[other.length] ?? bound + 1;
  };
  const goal = plain(wanted);
  const bound = Math.max(1, Math.floor(goal.length / 3));
  const scored = [...new Set(known)].map((name) => {
    const form = plain(name);
    const holds = goal.length >= 3 && (form.includes(goal) || (form.length >= 3 && goal.includes(form)));
    return { name, score: holds ? (form === goal ? 0 : 1) : distance(goal, form, bound) };
  });
  return scored
    .filter(({ score }) => score <= bound)
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
};

/** The one nearest name, if any is near. */
export const nearName = (wanted: string, known: Iterable<string>): string | undefined => nearNames(wanted, known, 1)[0];

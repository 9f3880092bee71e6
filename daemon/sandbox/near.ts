// Which known names a wrong one may have meant.

/**
 * Up to three of `names` that look like `wanted`, the nearest first. Self-contained, since the guest runs its text.
 * Case, dashes and underscores do not count.
 */
export const near = (wanted: string, names: readonly string[]): string[] => {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const distance = (a: string, b: string): number => {
    let row = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++) {
        const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
        next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
      }
      row = next;
    }
    return row[b.length] ?? 0;
  };
  const sought = plain(wanted.slice(0, 64));
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const known = plain(name.slice(0, 64));
    const inside = sought.length > 2 && (known.includes(sought) || (known.length > 2 && sought.includes(known)));
    const score = inside ? 1 : distance(sought, known);
    if (inside || score <= Math.max(2, Math.floor(sought.length / 3))) scored.push({ name, score });
  }
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ name }) => name);
};

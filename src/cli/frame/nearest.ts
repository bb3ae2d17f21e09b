/** The known word that is probably meant, or null if none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const candidates = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= limit || startsEither(word, candidate))
    .sort((a, b) => a.distance - b.distance);
  return candidates[0]?.candidate ?? null;
}

const startsEither = (a: string, b: string) =>
  Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a));

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}

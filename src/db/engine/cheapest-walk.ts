/**
 * Tries several ways to the same answer in turn, each time with four times as many candidates, until one of them has looked
 * at enough. So it costs a few times as much as the shortest way. A way returns null while its candidates do not settle the
 * answer. It must return the answer once it may look at more candidates than there are.
 */
export function cheapestWalk<T>(
  candidates: number,
  ways: readonly ((candidates: number) => T | null)[],
): T {
  for (let most = candidates; ; most *= 4)
    for (const way of ways) {
      const answer = way(most);
      if (answer !== null) return answer;
    }
}

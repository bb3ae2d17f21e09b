/**
 * Takes several ways to one answer in turn, each with ever more candidates, until one of them has looked at enough. So
 * it costs a few times what the shortest way costs. A way gives null as long as its candidates do not settle the answer,
 * and gives the answer at the latest when it is allowed more of them than there are.
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

import { expect, test } from "bun:test";
import { cheapestWalk } from "../../src/db/engine/cheapest-walk.ts";

test("of several ways to an answer the shortest decides what it costs", () => {
  for (const [first, second] of [
    [7, 1_000_000],
    [1_000_000, 7],
    [1000, 1000],
  ] as const) {
    let allowed = 0;
    const way = (needed: number) => (most: number) => {
      allowed += most;
      return most > needed ? `after ${needed}` : null;
    };
    const least = Math.min(first, second);
    expect(cheapestWalk(1, [way(first), way(second)])).toBe(`after ${least}`);
    expect(allowed).toBeLessThan(11 * least);
  }
});

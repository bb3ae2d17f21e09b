import { expect, test } from "bun:test";
import type { Head } from "../../src/client/thinned-heads.ts";
import { thinned } from "../../src/client/thinned-heads.ts";

const head = (seq: number): Head => ({ seq, hash: `sha256:${seq}` });
const logOf = (length: number) => Array.from({ length }, (_, i) => head(i + 1));

/** Throws unless the heads are few, begin and end as the log does, and have no gap that is wide for where it is. */
function check(kept: readonly Head[], length: number): void {
  expect(kept.length).toBeLessThanOrEqual(64);
  expect([kept[0], kept.at(-1)]).toEqual([head(1), head(length)]);
  for (const [i, { seq }] of kept.slice(1).entries()) {
    const gap = seq - kept[i]!.seq;
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThanOrEqual(Math.max(1, (length - seq) / 3));
  }
}

test.each([1, 2, 3, 7, 8, 9, 10, 64, 65, 1_000, 300_000])(
  "of a log of %d events the first and the newest stay, and heads close before any loss, at most 64",
  (length) => {
    const log = logOf(length);
    const kept = thinned(log);
    check(kept, length);
    for (const one of kept) expect(one).toBe(log[one.seq - 1]!);
    expect(kept.slice(-7)).toEqual(log.slice(-7));
  },
);

test("heads that are thinned again and again while a log is read lie as close", () => {
  let collected: Head[] = [];
  for (const each of logOf(300_000)) {
    collected.push(each);
    if (collected.length > 1_024) collected = thinned(collected);
  }
  check(thinned(collected), 300_000);
});

test("a log of billions of events takes no more, and keeps what is near its end", () => {
  const newest = 4_000_000_000;
  const log = [head(1), ...Array.from({ length: 5_000 }, (_, i) => head(newest - 4_999 + i))];
  const kept = thinned(log);
  expect([kept[0]!.seq, kept.at(-1)!.seq]).toEqual([1, newest]);
  expect(kept.length).toBeLessThanOrEqual(64);
  expect(thinned(kept)).toEqual(kept);
});

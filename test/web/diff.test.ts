import { expect, test } from "bun:test";
import { compared, mostChanged, type Comparison } from "../../src/web/core/files/compare.ts";

/** A comparison as a reader sees it: folded lines as their number, and marked words in brackets. */
const shown = (comparison: Comparison | null): string[] =>
  (comparison?.stretches ?? []).flatMap(({ isFolded, lines }) =>
    isFolded
      ? [`… ${lines.length}`]
      : lines.map(({ kind, before, after, pieces }) => {
          const sign = { same: " ", add: "+", del: "-" }[kind];
          const text = pieces
            .map(([words, isMarked]) => (isMarked ? `[${words}]` : words))
            .join("");
          return `${before ?? ""}:${after ?? ""}${sign}${text}`;
        }),
  );
const between = (before: string, after: string) => shown(compared(before, after));
const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join("");

test("words are marked inside lines that changed", () => {
  expect(between("a\nthe first sync is fast\n", "a\nthe first sync is very fast\n")).toEqual([
    "1:1 a",
    "2:-the first sync is fast",
    ":2+the first sync is [very] fast",
  ]);
  expect(between("From 1.3: install it.\n", "From 1.2 or 1.3: install it. Keep all.\n")).toEqual([
    "1:-From 1.3: install it.",
    ":1+From [1.2 or] 1.3: install it. [Keep all.]",
  ]);
  expect(between("sync much faster\nend\n", "sync three times faster\nend of it\n")).toEqual([
    "1:-sync [much] faster",
    "2:-end",
    ":1+sync [three times] faster",
    ":2+end [of it]",
  ]);
});

test("lines that have nothing in common are marked as a whole", () => {
  expect(between("alpha beta\n", "gamma delta\n")).toEqual(["1:-alpha beta", ":1+gamma delta"]);
});

test("what is far from every change is folded, and one line alone is not", () => {
  const before = numbered(20);
  expect(between(before, before.replace("line 10\n", "line ten\n"))).toEqual([
    "… 6",
    ...[7, 8, 9].map((at) => `${at}:${at} line ${at}`),
    "10:-line [10]",
    ":10+line [ten]",
    ...[11, 12, 13].map((at) => `${at}:${at} line ${at}`),
    "… 7",
  ]);
  expect(between(numbered(4), `${numbered(4)}new\n`)).toEqual([
    ...[1, 2, 3, 4].map((at) => `${at}:${at} line ${at}`),
    ":5+new",
  ]);
});

test("lines are numbered in each version after some were added and others removed", () => {
  expect(between("a\nb\nc\n", "x\na\nc\n")).toEqual([":1+x", "1:2 a", "2:-b", "3:3 c"]);
});

test("the counts are of lines", () => {
  expect(compared("a\nb\n", "b\nc\nd\n")).toMatchObject({ added: 2, removed: 1 });
  expect(compared("", "a\n")).toMatchObject({ added: 1, removed: 0 });
  expect(compared("a\n", "")).toMatchObject({ added: 0, removed: 1 });
});

test("a line break at the end of one version alone is said in words", () => {
  expect(compared("a\n", "a")).toMatchObject({
    added: 0,
    removed: 0,
    note: "The newer version ends without a line break.",
  });
  expect(compared("a", "a\n")?.note).toBe("The older version ends without a line break.");
  expect(compared("a", "a")?.note).toBeNull();
});

test("line breaks of another kind are no change where both versions have them, and else a change", () => {
  expect(compared("a\r\nb\r\n", "a\r\nb\r\n")).toMatchObject({ added: 0, removed: 0 });
  expect(between("a b c\r\n", "a b c\n")).toHaveLength(2);
});

test("more changed lines than are shown are not compared", () => {
  expect(compared("", numbered(mostChanged))).not.toBeNull();
  expect(compared("", numbered(mostChanged + 1))).toBeNull();
  expect(compared(numbered(50_000), numbered(50_000, 900_000))).toBeNull();
});

test("the pieces of a comparison give back both texts", () => {
  const before = "# A\n\nfirst words here\nsecond line of it\n\tx = 1;\nend\n";
  const after = "# A\n\nfirst other words here\n\nsecond line\n\tx = 2;\nmore\nend\n";
  const { stretches } = compared(before, after)!;
  const textOf = (not: string) =>
    stretches
      .flatMap(({ lines }) => lines)
      .filter(({ kind }) => kind !== not)
      .map(({ pieces }) => `${pieces.map(([text]) => text).join("")}\n`)
      .join("");
  expect([textOf("add"), textOf("del")]).toEqual([before, after]);
});

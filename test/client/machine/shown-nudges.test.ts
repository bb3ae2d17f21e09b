import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nudgesFor, type Rate } from "../../../src/client/machine/shown-nudges.ts";
import { thisProcess } from "../../../src/cli/frame/this-process.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
const file = join(folder, "nudges.json");
const folders = { config: folder, data: folder, state: folder };
const { clock } = thisProcess();
const clockAt = (time: number) => ({ ...clock, now: () => time });
const noon = Date.parse("2026-05-01T12:00:00.000Z");

/** Codes of what a seat is shown so many seconds after noon. */
const shown = (memberId: string, seconds: number, rates: Record<string, Rate>, on = true) =>
  nudgesFor(
    { folders, clock: clockAt(noon + seconds * 1000) },
    { memberId, on },
    Object.entries(rates).map(([code, rate]) => ({ code, text: `About ${code}: \`do\``, rate })),
  ).map(({ code }) => code);

describe("a reminder is shown a seat", () => {
  test("once in so many seconds, whatever another seat was shown", () => {
    const rates = { timed: { everySeconds: 60 } };
    expect(shown("mem_a", 0, rates)).toEqual(["timed"]);
    expect(shown("mem_a", 59, rates)).toEqual([]);
    expect(shown("mem_b", 59, rates)).toEqual(["timed"]);
    expect(shown("mem_a", 60, rates)).toEqual(["timed"]);
    expect(shown("mem_a", -7200, rates)).toEqual(["timed"]);
  });

  test("so many times", () => {
    const rates = { counted: { times: 3 } };
    const all = [0, 1, 2, 3, 4].map((at) => shown("mem_c", at, rates).length);
    expect(all).toEqual([1, 1, 1, 0, 0]);
  });

  test("once for each thing that it is about", () => {
    const all = ["DOC-1 8", "DOC-1 8", "DOC-1 16", "DOC-1 16"].map(
      (onceFor, at) => shown("mem_d", at, { each: { onceFor } }).length,
    );
    expect(all).toEqual([1, 0, 1, 0]);
  });

  test("always, and in the order given", () => {
    const rates = { first: { times: 1 }, second: "always", third: { times: 1 } } as const;
    expect(shown("mem_e", 0, rates)).toEqual(["first", "second", "third"]);
    expect(shown("mem_e", 1, rates)).toEqual(["second"]);
  });
});

test("where the policy has them off none is shown, and none counts as shown", () => {
  const rates = { quiet: { times: 1 }, loud: "always" } as const;
  expect(shown("mem_f", 0, rates, false)).toEqual([]);
  expect(shown("mem_f", 0, rates)).toEqual(["quiet", "loud"]);
});

test("a text of more than 200 bytes is left out, and does not count as shown", () => {
  const given = (length: number) =>
    nudgesFor({ folders, clock: clockAt(noon) }, { memberId: "mem_g", on: true }, [
      { code: "long", text: "é".repeat(length), rate: { times: 1 } },
    ]);
  expect(given(101)).toEqual([]);
  expect(given(100)).toEqual([{ code: "long", text: "é".repeat(100) }]);
});

test("a damaged file is left as it is, fails nothing, and leaves those with a rate out", () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  for (const damaged of ["{", '{"mem_a":{"timed":{}}}', "[]"]) {
    writeFileSync(file, damaged);
    expect(shown("mem_a", 900, { timed: { everySeconds: 1 }, loud: "always" })).toEqual(["loud"]);
    expect(readFileSync(file, "utf8")).toBe(damaged);
  }
});

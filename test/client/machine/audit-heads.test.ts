import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeptHeads } from "../../../src/client/compare-heads.ts";
import { keepHeads, keptHeads } from "../../../src/client/machine/audit-heads.ts";
import type { Machine } from "../../../src/client/machine/machine.ts";

const local = { name: "local", url: "http://127.0.0.1:1" };
const team = { name: "https://team.example.org", url: "https://team.example.org" };
const hash = (text: string) => `sha256:${text.repeat(64)}`;
const headsTo = (seq: number, letter = "a", server_generation: string | null = "gen_1") => ({
  server_generation,
  heads: Array.from({ length: seq }, (_, i) => ({ seq: i + 1, hash: hash(letter) })),
});

let machine: Machine;
let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "service-heads-"));
  machine = { folders: { config: state, data: state, state } } as Machine;
});
afterEach(() => rmSync(state, { recursive: true }));

const keep = (kept: KeptHeads, before: KeptHeads | null) =>
  keepHeads(machine, local, "brd_1", kept, before);
const now = () => keptHeads(machine, local, "brd_1");

test("heads are kept by server and board, for their owner alone", () => {
  expect(now()).toBeNull();
  keep(headsTo(3), null);
  keepHeads(machine, team, "brd_1", headsTo(2, "b", null), null);
  keepHeads(machine, local, "brd_2", headsTo(1, "c"), null);
  expect(now()).toEqual(headsTo(3));
  expect(keptHeads(machine, team, "brd_1")).toEqual(headsTo(2, "b", null));
  expect(keptHeads(machine, local, "brd_2")).toEqual(headsTo(1, "c"));
  expect(keptHeads(machine, team, "brd_2")).toBeNull();
  expect(statSync(join(state, "audit-heads.json")).mode & 0o077).toBe(0);
});

test("later heads that another run has saved meanwhile stay", () => {
  keep(headsTo(3), null);
  const before = now();
  keep(headsTo(9), before);
  keep(headsTo(5), before);
  expect(now()).toEqual(headsTo(9));
  // The first check of a board is no exception.
  keep(headsTo(5), null);
  expect(now()).toEqual(headsTo(9));
});

test("after an accepted restore the later heads are dropped", () => {
  keep(headsTo(9), null);
  keep(headsTo(4, "b", "gen_2"), now());
  expect(now()).toEqual(headsTo(4, "b", "gen_2"));
});

test("an older version of this program reads the newest head where it was", () => {
  keep(headsTo(3), null);
  const written = JSON.parse(readFileSync(join(state, "audit-heads.json"), "utf8"));
  expect(written["local brd_1"]).toMatchObject({ seq: 3, hash: hash("a") });
});

import { expect, test } from "bun:test";
import { Unreachable, type Client } from "../../src/client/client.ts";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { bellFile } from "../../src/client/machine/daemon-files.ts";
import type { Db } from "../../src/db/engine/database.ts";
import { newMachineOfProcesses } from "../support/commands/machine.ts";
import { hookOn, startSession } from "../support/daemon/session-on-machine.ts";
import { post } from "../support/boards/docs-board.ts";
import {
  acknowledged,
  rung,
  startDaemonOnDocs,
  wholeTurn,
} from "../support/daemon/daemon-on-docs.ts";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { until } from "../support/wait-until.ts";

const day = 86_400_000;

test("a daemon that runs for weeks forgets what was received long ago, and sessions that have ended without a seat", async () => {
  const clock = movableClock();
  const journals: Db[] = [];
  const wrapJournal = (db: Db) => {
    journals.push(db);
    return db;
  };
  const there = await startDaemonOnDocs({}, clock, {}, { wrapJournal });
  const countOf = (table: string) =>
    journals[0]!.read((tx) => tx.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))!.n;
  await there.session();
  for (const id of ["two", "three"]) {
    await there.ask({ op: "register", session: id });
    await there.ask({ op: "end", session: id });
  }
  for (const turn of ["t1", "t2"]) {
    const before = there.rings.length;
    const { seq } = await post(there.world.admin, `For ${turn}.`);
    await rung(there, before);
    await wholeTurn(there, (await there.answerRing())!, turn);
    await acknowledged(there, seq);
  }
  await until(() => countOf("delivery") === 2, "both messages to be noted");
  expect(countOf("session")).toBe(3);
  clock.pass(2 * day);
  await until(() => countOf("session") === 1, "the ended sessions to be forgotten");
  expect(countOf("handoff")).toBe(2);
  clock.pass(6 * day);
  await until(() => countOf("handoff") === 0, "the messages to be forgotten");
  // The seat and its session are as they were.
  const before = there.rings.length;
  await post(there.world.admin, "Once more.");
  await rung(there, before);
  expect((await there.answerRing())!.text).toContain("Once more.");
});

test("a server that is away for a day is one line in the log, and so are messages that it does not acknowledge", async () => {
  const clock = movableClock();
  const state = { isAway: false };
  const changeClient = (client: Client): Client => ({
    ...client,
    call: (async (operation, ...rest) => {
      if (state.isAway) throw new Unreachable("away");
      return client.call(operation, ...rest);
    }) as Client["call"],
    follow: async function* (...given: Parameters<Client["follow"]>) {
      if (state.isAway) throw new Unreachable("away");
      yield* client.follow(...given);
    } as Client["follow"],
  });
  const there = await startDaemonOnDocs({}, clock, {}, { changeClient });
  await there.session();
  await post(there.world.admin, "Look.");
  await rung(there);
  const bundle = (await there.answerRing())!;
  const began = there.logged.length;
  state.isAway = true;
  await wholeTurn(there, bundle, "t1");
  for (let minute = 0; minute < 30; minute++) {
    clock.pass(60_000);
    await Bun.sleep(2);
    await there.ask({ op: "status" });
  }
  const lines = there.logged.slice(began);
  for (const trouble of ["acknowledging", "presence of writer"])
    expect(lines.filter((line) => line.startsWith(trouble))).toHaveLength(1);
});

test("a daemon that starts removes the bells of sessions that are long gone, and no other's", async () => {
  const machine = newMachineOfProcesses();
  await machine.ok(["up"]);
  const session = await startSession(machine, "kept");
  await session.ok(["board", "new", "docs"]);
  const bellOf = (id: string) => bellFile(hookOn(machine).folders, "claude-code", id);
  mkdirSync(dirname(bellOf("kept")), { recursive: true });
  for (const id of ["kept", "old", "young"]) writeFileSync(bellOf(id), "");
  const longAgo = new Date(Date.now() - 31 * day);
  for (const id of ["kept", "old"]) utimesSync(bellOf(id), longAgo, longAgo);
  await machine.ok(["down"]);
  await machine.ok(["daemon", "start"]);
  expect(["kept", "old", "young"].map((id) => existsSync(bellOf(id)))).toEqual([true, false, true]);
}, 20_000);

import { afterAll, expect, test } from "bun:test";
import { chmodSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { daemonSocket } from "../../src/client/machine/daemon-files.ts";
import { askDaemon, connectToDaemon } from "../../src/client/machine/daemon-client.ts";
import { listen } from "../../src/daemon/socket/listen.ts";
import { peerUser } from "../../src/daemon/socket/c-library.ts";
import { post } from "../support/boards/docs-board.ts";
import { until } from "../support/wait-until.ts";
import { systemClock } from "../../src/daemon/loop/clock.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("a second daemon of a home ends at once, and one starts after the first has stopped", async () => {
  const there = await startDaemonOnDocs();
  const socket = daemonSocket(there.machine.folders, there.machine.system.userId);
  expect(await there.start()).toBeNull();
  expect((await there.ask({ op: "status" })).status).toMatchObject({ open_sessions: 0 });
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
});

test("a daemon refuses a folder that other users can enter", async () => {
  const there = await startDaemonOnDocs();
  await there.stop();
  chmodSync(there.machine.folders.state, 0o750);
  await expect(there.start()).rejects.toMatchObject({ code: "daemon_not_running" });
  chmodSync(there.machine.folders.state, 0o700);
  expect(await there.start()).not.toBeNull();
});

test("nothing is asked of a socket in whose place another user may listen", async () => {
  const { machine } = await startDaemonOnDocs();
  const { folders, system } = machine;
  const code = (userId: number | undefined) =>
    askDaemon({ folders, system: { ...system, userId } }, { op: "status" }).then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
  expect(await code(system.userId)).toBe("answered");
  expect(await code(system.userId! + 1)).toBe("daemon_not_running");
  chmodSync(folders.state, 0o777);
  expect(await code(system.userId)).toBe("daemon_not_running");
  chmodSync(folders.state, 0o700);
  expect(await code(system.userId)).toBe("answered");
});

/** A clock that the test moves. What is due in some seconds comes at once. */
function movedClock() {
  const state = { ahead: 0 };
  return {
    ...systemClock,
    now: () => Date.now() + state.ahead,
    elapsed: () => systemClock.elapsed() + state.ahead,
    after: (milliseconds: number, act: () => void) =>
      systemClock.after(Math.min(milliseconds, 1), act),
    pass: (milliseconds: number) => void (state.ahead += milliseconds),
  };
}

test("a daemon asks to end after ten minutes without an open session, and not while one is open", async () => {
  const clock = movedClock();
  const there = await startDaemonOnDocs({}, clock);
  await there.session();
  clock.pass(3_600_000);
  await there.ask({ op: "status" });
  expect(there.stops()).toBe(0);
  await there.ask({ op: "end" });
  await there.ask({ op: "status" });
  clock.pass(600_000);
  await until(() => there.stops() > 0, "its end");
});

test("a turn that ended without any hook is over after ten minutes, and its messages are handed again", async () => {
  const clock = movedClock();
  const there = await startDaemonOnDocs({}, clock);
  await there.session();
  await there.ask({ op: "turn_start", harness_turn: "t1" });
  await post(there.world.admin, "Interrupted.");
  clock.pass(599_000);
  await there.ask({ op: "status" });
  expect(there.rings).toEqual([]);
  clock.pass(61_000);
  await until(() => there.rings.length > 0, "a ring");
});

/** Connects to a listener that reads this user at the other end, and says whether it was answered. */
async function isAnswered(userOf: (descriptor: number) => number | null): Promise<boolean> {
  const state = temporaryFolder();
  const stop = listen({
    path: join(state, "daemon.sock"),
    userId: process.getuid!(),
    userOf,
    onRequest: (peer) => peer.answer({ boot: "yes" }),
  });
  afterAll(stop);
  const home = { folders: { config: state, data: state, state } };
  const connection = await connectToDaemon({
    ...home,
    system: { userId: process.getuid!(), homeFolder: () => "" },
  });
  connection.send({ op: "status" });
  return connection.next().then(
    () => true,
    () => false,
  );
}

test("only this user is answered, and nobody when the user cannot be read", async () => {
  expect(await isAnswered(peerUser)).toBe(true);
  expect(await isAnswered(() => process.getuid!() + 1)).toBe(false);
  expect(await isAnswered(() => null)).toBe(false);
  expect(peerUser(-1)).toBeNull();
});

test("a request of another version, an unknown operation and a wrong form are refused", async () => {
  const there = await startDaemonOnDocs();
  const refusal = async (message: object) => {
    const connection = await connectToDaemon(there.machine);
    connection.send(message);
    return connection.next().then(
      () => null,
      (error: { code: string }) => error.code,
    );
  };
  expect(await refusal({ op: "status" })).toBeNull();
  expect(await refusal({ op: "status", v: 2 })).toBe("daemon_protocol_mismatch");
  expect(await refusal({ op: "dance" })).toBe("invalid_request");
  expect(await refusal({ op: "register", harness: "unknown", session: "s" })).toBe(
    "invalid_request",
  );
  expect(await refusal({ op: "register", harness: "fake" })).toBe("invalid_request");
  expect(await refusal({ op: "register", harness: "fake", session: 7 })).toBe("invalid_request");
  expect(await refusal({ op: "turn_start", harness: "fake", session: "s" })).toBe(
    "session_unknown",
  );
  expect(await refusal({ op: "status", padding: "x".repeat(140_000) })).toBe("invalid_request");
});

test("a seat is bound only with a token of this machine, and moves from session to session", async () => {
  const there = await startDaemonOnDocs();
  const { ask, writer } = there;
  await ask({ op: "register" });
  const strange = { ...writer, member_id: "mem_other" };
  await expect(ask({ op: "bind", agent: strange })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect((await ask({ op: "bind", agent: writer })).agents).toEqual([writer]);
  await ask({ op: "register", session: "two" });
  expect((await ask({ op: "bind", session: "two", agent: writer })).agents).toEqual([writer]);
  expect((await ask({ op: "agents" })).agents).toEqual([]);
  await ask({ op: "end" });
  const back = await ask({ op: "register", source: "resume" });
  expect(back).toMatchObject({ reopened: true, agents: [], lost: { name: "writer" } });
  expect(back.note).toContain("service resume writer");
});

test("a session that comes back has its seat and a new boot, and compacting keeps its boot", async () => {
  const { ask, session, writer } = await startDaemonOnDocs();
  await session();
  const { boot } = await ask({ op: "agents" });
  expect((await ask({ op: "register", source: "compact" })).boot).toBe(boot!);
  await ask({ op: "end" });
  const back = await ask({ op: "register", source: "resume" });
  expect(back).toMatchObject({ reopened: true, agents: [writer] });
  expect(back.boot).not.toBe(boot!);
});

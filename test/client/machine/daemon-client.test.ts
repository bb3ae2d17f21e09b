import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { askDaemon, connectToDaemon } from "../../../src/client/machine/daemon-client.ts";
import { daemonSocket } from "../../../src/client/machine/daemon-files.ts";
import {
  handoffIn,
  lineReader,
  LineTooLong,
  longestDaemonLine,
} from "../../../src/client/machine/daemon-wire.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A home whose socket answers each line with these answers. */
function answering(...answers: object[]) {
  const state = temporaryFolder();
  const got: unknown[] = [];
  const listener = Bun.listen({
    unix: join(state, "daemon.sock"),
    socket: {
      data(socket, bytes) {
        got.push(JSON.parse(bytes.toString()));
        for (const answer of answers) socket.write(`${JSON.stringify(answer)}\n`);
      },
    },
  });
  afterAll(() => listener.stop(true));
  return { ...home(state), got };
}

const home = (state: string) => ({
  folders: { config: state, data: state, state },
  system: { userId: process.getuid!(), homeFolder: () => state },
});

test("a request carries the protocol's version and gives the answer", async () => {
  const there = answering({ v: 1, boot: "boot_1" });
  const request = { op: "register", harness: "claude-code", session: "s1" } as const;
  expect(await askDaemon(there, request)).toEqual({ v: 1, boot: "boot_1" });
  expect(there.got).toEqual([{ v: 1, ...request }]);
});

test("an error of the daemon is thrown with its code and hint", async () => {
  const error = {
    code: "session_unknown",
    message: "It is not registered.",
    hint: "Start it again.",
  };
  const there = answering({ v: 1, error });
  await expect(askDaemon(there, { op: "agents" })).rejects.toMatchObject({
    code: "session_unknown",
    message: "It is not registered.",
    hint: "Start it again.",
  });
});

test("without a daemon a request fails with daemon_not_running", async () => {
  const there = home(temporaryFolder());
  await expect(askDaemon(there, { op: "status" })).rejects.toMatchObject({
    code: "daemon_not_running",
  });
});

test("several answers of one connection come one after another", async () => {
  const there = answering({ v: 1, event: "waiting" }, { v: 1, event: "release" });
  const connection = await connectToDaemon(there);
  connection.send({ op: "wait" });
  expect((await connection.next()).event).toBe("waiting");
  expect((await connection.next()).event).toBe("release");
  connection.close();
});

test("lines are put together from pieces, and one that is too long is refused before it is kept", () => {
  const read = lineReader();
  const bytes = new TextEncoder().encode('{"a":"ä"}\n{"b":1}\n');
  const lines = [...bytes].flatMap((byte) => read(Uint8Array.of(byte)));
  expect(lines).toEqual(['{"a":"ä"}', '{"b":1}']);
  const half = new Uint8Array(longestDaemonLine / 2).fill(97);
  read(half);
  expect(() => read(half)).toThrow(LineTooLong);
});

test("a folder with a long path has its socket in the temporary folder, by user and path", () => {
  const long = (letter: string) => daemonSocket(home(`/${letter.repeat(120)}`).folders, 7);
  expect(long("a")).toMatch(/^\/tmp\/service-\d+\/[\da-f]{16}\.sock$/);
  expect(long("a")).not.toBe(long("b"));
  expect(daemonSocket(home("/state").folders, 7)).toBe("/state/daemon.sock");
});

test("a handoff is found in a prompt by its whole id", () => {
  const id = `hnd_${"0a".repeat(16)}`;
  expect(handoffIn(`<task-notification>\n[service ${id}]\ntext`)).toBe(id);
  expect(handoffIn(`${id}0`)).toBeNull();
});

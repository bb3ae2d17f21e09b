import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { readFileSync } from "node:fs";
import { createClient } from "../../src/client/client.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startListening } from "../support/servers/server-on-port.ts";

/** A server with many boards, its owner's client, and clients that ask and never read. */
async function start() {
  const { server, host, port, key } = await startListening();
  const ana = createClient({ baseUrl: server.url, token: key });
  for (let i = 0; i < 64; i++)
    await ana.call("createBoard", { body: { name: `a-board-with-a-rather-long-name-${i}` } });
  const asks = (path: string): Socket => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return socket;
  };
  return { server, port, asks };
}

/** More than a kernel takes for a connection nobody reads, in small parts: every board's head, told again and again. */
async function fill({ server }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const rows = server.db.read((tx) => tx.all<{ row: number }>("SELECT row FROM board"));
  for (let i = 0; i < 1500; i++) {
    await server.db.write((tx) => {
      for (const { row } of rows) tx.signal({ about: "head", boardRow: row });
    });
    await new Promise((told) => setTimeout(told));
  }
}

/** A stream of the person's that nobody reads. */
async function unreadStream() {
  const world = await start();
  const socket = world.asks("/v1/stream");
  await fill(world);
  await untilStalled(world.port);
  return { ...world, end: () => socket.destroy() };
}

/** An agent's inbox stream that nobody reads. */
async function unreadInboxStream() {
  const { server, host, port, key } = await startListening();
  const ana = createClient({ baseUrl: server.url, token: key });
  await ana.call("createBoard", { body: { name: "docs" } });
  const { token } = await ana.call("join", { body: { board: "docs", role: "member" } });
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.pause();
  socket.write(
    `GET /v1/me/inbox/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const body = "x".repeat(30_000);
  for (let n = 0; n < 700; n++)
    await ana.call("postMessage", { params: { board: "docs" }, body: { body } });
  // The last answer to ana may be on its way still.
  await untilStalled(port);
  return { port, end: () => socket.destroy() };
}

/** The minutes of both run at the same time. */
const unread = [
  ["a stream", await unreadStream()],
  ["an inbox stream", await unreadInboxStream()],
] as const;

test("a reader that takes nothing does not hold up a server that stops", async () => {
  const { server, end } = await unreadStream();
  await server.stop();
  expect(() => server.db.read(() => 0)).toThrow();
  end();
}, 30_000);

test.each(unread)(
  "%s whose reader takes nothing loses its connection within a minute",
  async (_, { port, end }) => {
    const isClosed = async () => {
      // A look makes the kernel go through every connection of the machine.
      await Bun.sleep(100);
      return stalled(port) === 0;
    };
    await untilTrue(isClosed, "the connection is closed", 100_000);
    end();
  },
  130_000,
);

function untilStalled(port: number): Promise<void> {
  return untilTrue(async () => stalled(port) === 1, "the kernel holds what nobody takes");
}

/** Connections to a port for which the kernel holds bytes that nobody takes (Linux). */
function stalled(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const line = new RegExp(`^ *\\d+: 0100007F:${hex} \\w+:\\w+ 01 (?!00000000:)`);
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .filter((each) => line.test(each)).length;
}

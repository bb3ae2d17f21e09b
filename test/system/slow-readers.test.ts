import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { startServer } from "../../src/server/serve.ts";
import { until } from "../server/helpers.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A server that listens, its owner's client, and clients that ask and never read. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), "service-slow-"));
  folders.push(folder);
  const server = await startServer({
    mode: "local",
    dataFolder: join(folder, "data"),
    hostname: "127.0.0.1",
    port: 0,
    keyFile: join(folder, "key"),
    firstHandle: "ana",
    keyName: "laptop",
    version: "0.0.0-test",
    rateScale: 0,
    log: () => {},
  });
  const token = readFileSync(join(folder, "key"), "utf8").trim();
  const { host, port } = new URL(server.url);
  const asks = (path: string): Socket => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return socket;
  };
  return { server, ana: createClient({ baseUrl: server.url, token }), asks };
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

test("a reader that takes nothing does not hold up a server that stops", async () => {
  const world = await start();
  for (let i = 0; i < 64; i++)
    await world.ana.call("createBoard", { body: { name: `a-board-with-a-rather-long-name-${i}` } });
  const socket = world.asks("/v1/stream");
  await fill(world);
  await world.server.stop();
  expect(() => world.server.db.read(() => 0)).toThrow();
  socket.destroy();
}, 30_000);

test("a stream whose reader takes nothing loses its connection within a minute", async () => {
  const world = await start();
  for (let i = 0; i < 64; i++)
    await world.ana.call("createBoard", { body: { name: `a-board-with-a-rather-long-name-${i}` } });
  const socket = world.asks("/v1/stream");
  await fill(world);
  await until(() => connections(world.server.url) === 0, "the connection is closed", 80_000);
  socket.destroy();
  await world.server.stop();
}, 100_000);

/** Connections of a server that its kernel still keeps, sending ends included (Linux). */
function connections(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return lines.filter((line) => new RegExp(`^ *\\d+: 0100007F:${port} \\w+:\\w+ 01 `).test(line))
    .length;
}

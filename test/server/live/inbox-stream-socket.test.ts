import { expect, test } from "bun:test";
import { connect } from "node:net";
import { createClient } from "../../../src/client/client.ts";
import { serverSentEvents } from "../../../src/client/server-sent-events.ts";
import { docs, post } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { startListening } from "../../support/servers/server-on-port.ts";

/** A server with the board docs, ana's client, and the token of an agent of hers. */
async function start() {
  const { server, host, port, key } = await startListening();
  const ana = createClient({ baseUrl: server.url, token: key });
  await ana.call("createBoard", { body: { name: "docs" } });
  const { token } = await ana.call("join", { body: { board: "docs", role: "member" } });
  return { server, ana, token, host, port };
}

/** More than the buffers of a connection hold: 20 MB in messages of 30 KB. */
const many = 700;

test("a reader who stops to read holds nothing up, and gets everything once when it reads again", async () => {
  const { ana, token, host, port } = await start();
  const socket = connect(port, "127.0.0.1");
  const chunks = new TransformStream<Uint8Array, Uint8Array>();
  const writer = chunks.writable.getWriter();
  socket.pause();
  socket.on("data", (bytes: Buffer) => void writer.write(new Uint8Array(bytes)));
  socket.write(
    `GET /v1/me/inbox/stream HTTP/1.0\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  const sent: number[] = [];
  for (let n = 0; n < many; n++) sent.push((await post(ana, `${n} ${"x".repeat(30_000)}`)).seq);
  socket.resume();
  const seqs: number[] = [];
  for await (const { event, data } of serverSentEvents(chunks.readable)) {
    if (event !== "messages") continue;
    const { messages } = JSON.parse(data) as { messages: { seq: number }[] };
    seqs.push(...messages.map(({ seq }) => seq));
    if (seqs.length >= many) break;
  }
  expect(seqs).toEqual(sent);
  socket.destroy();
  expect(await ana.call("getBoard", docs)).toMatchObject({ name: "docs" });
}, 30_000);

test("a client that hangs up ends its stream at once", async () => {
  const { server, token, host, port } = await start();
  const calls = () => {
    const seats = server.db.read((tx) =>
      tx.all<{ row: number }>("SELECT member_row AS row FROM seat_token"),
    );
    return seats.flatMap(({ row }) => [...server.db.heldInboxes.of(row)]);
  };
  const socket = connect(port, "127.0.0.1");
  const opened = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.write(
    `GET /v1/me/inbox/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await opened;
  expect(calls()).toMatchObject([{ ended: null }]);
  socket.destroy();
  await until(() => calls().every(({ ended }) => ended !== null), "the stream is closed");
});

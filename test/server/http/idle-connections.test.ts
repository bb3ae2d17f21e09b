import { expect, test } from "bun:test";
import { connect } from "node:net";
import { defaultIdleSeconds } from "../../../src/server/http/entrance.ts";
import { startListening } from "../../support/servers/server-on-port.ts";

const world = await startListening({ idleSeconds: 1 });

/** Sends one request, hears the status of its answer, and stays silent. `closed` settles when the server hangs up. */
function sends(
  line: string,
  ...headers: string[]
): Promise<{ status: number; closed: Promise<void> }> {
  const { port, host } = world;
  return new Promise((answered, failed) => {
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.once("error", failed);
    socket.once("data", (bytes) => {
      const [, status] = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString()) ?? [];
      answered({ status: Number(status), closed });
    });
    socket.write(`${[`${line} HTTP/1.1`, `Host: ${host}`, ...headers].join("\r\n")}\r\n\r\n`);
  });
}

const nothing = `msg_01${"0".repeat(24)}`;

test("a connection may idle for ten seconds unless the server was started with another limit", () => {
  expect(defaultIdleSeconds).toBe(10);
});

test("a connection whose request was refused is closed when it has idled as long as any other may", async () => {
  const key = `Authorization: Bearer ${world.key}`;
  const wrong = `Authorization: Bearer ${world.key.slice(0, -1)}`;
  const refused = await Promise.all([
    sends("GET /v1/me/inbox?wait=60"),
    sends("GET /v1/me/inbox?wait=60", wrong),
    sends("GET /v1/me/inbox?wait=60", key),
    sends(`GET /v1/messages/${nothing}/replies?wait=long`, key),
    sends(`GET /v1/messages/${nothing}/replies?wait=60`),
    sends(`GET /v1/messages/${nothing}/replies?wait=60`, key),
    sends("GET /v1/boards/nowhere/search?q=plan"),
    sends("GET /v1/boards/nowhere/search?q=plan", key),
    sends("GET /v1/stream"),
    sends("POST /v1/boards/nowhere/files?path=a", key, "Content-Length: 0"),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([
    401, 401, 403, 400, 401, 404, 401, 404, 401, 400,
  ]);
  const answered = await sends("GET /v1/me", key);
  expect(answered.status).toBe(200);
  // Each settles when the server hangs up. Without a limit it never would.
  await Promise.all([answered, ...refused].map(({ closed }) => closed));
}, 40_000);

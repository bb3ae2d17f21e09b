import { expect, test } from "bun:test";
import { connect } from "node:net";
import { startListening } from "../../support/servers/server-on-port.ts";

// Bun looks at connections every four seconds: a limit below that ends any that is open then.
const world = await startListening({ idleSeconds: 5, rateScale: 1 });

/** Begins a post whose body has this size, and sends pieces of it one by one. */
function begins(size: number) {
  const { port, host, key } = world;
  const body = JSON.stringify({ body: "slowly" }).padEnd(size, " ");
  const socket = connect(port, "127.0.0.1");
  const answered = Promise.withResolvers<number>();
  socket.once("data", (bytes) => answered.resolve(Number(bytes.toString().split(" ")[1])));
  socket.once("close", () => answered.reject(new Error("The server hung up.")));
  socket.once("error", answered.reject);
  answered.promise.catch(() => {});
  const head = [
    "POST /v1/boards/demo/messages HTTP/1.1",
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${size}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return {
    answered: answered.promise,
    send: (from: number, to?: number) => void socket.write(body.slice(from, to)),
    leave: () => void socket.destroy(),
  };
}

await fetch(`http://${world.host}/v1/boards`, {
  method: "POST",
  headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
  body: JSON.stringify({ name: "demo" }),
});

test("a body that moves is not cut off, however slow it is", async () => {
  const size = 20_000;
  const still = begins(size);
  still.send(0, 1);
  const closed = still.answered.then(
    () => "answered",
    (error: Error) => error.message,
  );
  const closing = new AbortController();
  void closed.then(() => closing.abort());
  const slow = begins(size);
  let sent = 0;
  // The connection that stands still shows that the limit has passed.
  for (; !closing.signal.aborted; sent++) {
    slow.send(sent, sent + 1);
    await Bun.sleep(100);
  }
  slow.send(sent);
  expect(await closed).toBe("The server hung up.");
  expect(await slow.answered).toBe(201);
}, 40_000);

test("a credential has 64 large bodies on their way at most, and goes on when one of them is gone", async () => {
  const size = 100_000;
  const large = Array.from({ length: 64 }, () => begins(size));
  for (const one of large) one.send(0, size - 1);
  const refused = await Promise.race([
    ...large.map(({ answered }) => answered),
    begins(size).answered,
  ]);
  expect(refused).toBe(429);
  large[0]!.send(size - 1);
  expect(await large[0]!.answered).toBe(201);
  const next = begins(size);
  next.send(0);
  expect(await next.answered).toBe(201);
  for (const one of large) one.leave();
}, 40_000);

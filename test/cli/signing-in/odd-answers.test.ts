import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { hastened } from "../../support/commands/run-in-process.ts";

// A program that answers everything, and with nothing of what this service sends.
let answer: unknown = {};
let status = 201;
const other = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => Response.json(answer, { status }),
});
afterAll(() => other.stop(true));
const url = `http://127.0.0.1:${other.port}`;
const link = `${url}/join#abi_${"A".repeat(43)}`;
const key = `abh_${"A".repeat(43)}`;

const ways: [string, string[]][] = [
  ["connect with an invitation", ["connect", link, "--handle", "ada"]],
  ["connect with an address", ["connect", url, "--handle", "ada"]],
  ["login", ["login", url]],
];

test.each(ways)("%s keeps and prints nothing of an odd answer", async (_, words) => {
  for (const odd of [
    {},
    { person: {}, key: {}, keys: [], current_key_id: "key_1" },
    { person: null, key: [], keys: {}, code: 7, secret: [] },
    { keys: [null] },
  ]) {
    answer = odd;
    const machine = newMachine();
    const { code, stdout, stderr } = await machine.run(words, { stdin: key });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toStartWith(
      `Error (server_unreachable): ${url} does not answer like a server of Team Board Service. Nothing was changed`,
    );
    expect(stderr).not.toContain("undefined");
    expect(existsSync(join(machine.home, "config/servers.json"))).toBe(false);
  }
});

test.each(ways)(
  "%s says that an answer is not this service's, whatever JSON it is",
  async (_, words) => {
    for (const odd of [null, [], [{}], "text", 7, true]) {
      answer = odd;
      const machine = newMachine();
      const { code, stdout, stderr } = await machine.run(words, { stdin: key });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toStartWith(
        `Error (server_unreachable): ${url} answered 201 in a form that is not this service's.`,
      );
      expect(existsSync(join(machine.home, "config/servers.json"))).toBe(false);
    }
  },
);

test("login keeps no guest whom a server does not name", async () => {
  const machine = newMachine();
  answer = { error: { code: "guest_not_allowed", message: "No.", hint: "No." } };
  status = 403;
  const named = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url: at }) =>
      at.endsWith("/keys")
        ? Response.json(answer, { status })
        : Response.json({ server_id: "srv_1" }),
  });
  try {
    const address = `http://127.0.0.1:${named.port}`;
    const { code, stderr } = await machine.run(["login", address], { stdin: key });
    expect(code).toBe(1);
    expect(stderr).toContain(`${address} does not answer like a server of Team Board Service.`);
    expect(existsSync(join(machine.home, "config/servers.json"))).toBe(false);
  } finally {
    status = 201;
    await named.stop(true);
  }
});

test("an answer that stops in the middle is given up after a minute", async () => {
  const stalling = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: () => new Response(new ReadableStream({ start: (body) => body.enqueue("{") })),
  });
  try {
    const address = `http://127.0.0.1:${stalling.port}`;
    const clock = hastened(60);
    const { code, stderr } = await newMachine().run(["login", address], { stdin: key, clock });
    expect([code, stderr]).toEqual([1, expect.stringContaining("(server_unreachable)")]);
    expect(stderr).toContain(`${address} answered 200 without JSON`);
  } finally {
    await stalling.stop(true);
  }
});

test("a short answer whose body does not come is given up after a minute", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
  const stalling = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void socket.write(head) },
  });
  try {
    const address = `http://127.0.0.1:${stalling.port}`;
    const clock = hastened(60);
    const { code, stderr } = await newMachine().run(["login", address], { stdin: key, clock });
    expect([code, stderr]).toEqual([1, expect.stringContaining("(server_unreachable)")]);
    expect(stderr).toContain(address);
  } finally {
    stalling.stop(true);
  }
});

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

// A program that answers everything, and with nothing of what this service sends.
let answer: unknown = {};
const other = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => Response.json(answer, { status: 201 }),
});
afterAll(() => other.stop(true));
const url = `http://127.0.0.1:${other.port}`;
const link = `${url}/join#abi_${"A".repeat(43)}`;
const key = `abh_${"A".repeat(43)}`;

test.each([
  ["connect with an invitation", ["connect", link, "--handle", "ada"]],
  ["connect with an address", ["connect", url, "--handle", "ada"]],
  ["login", ["login", url]],
])("%s keeps and prints nothing of an answer that is not this service's", async (_, words) => {
  for (const odd of [{}, { person: {}, key: {}, keys: [], current_key_id: "key_1" }]) {
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

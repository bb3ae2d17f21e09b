import { beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/servers/free-port.ts";
import { hastened } from "../../support/commands/run-in-process.ts";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

// What is at the address of this machine's server, and is not a server of this home that answers.
let machine: Machine;
let address: string;
beforeEach(async () => {
  machine = newMachine();
  address = new URL((await machine.asProcess.json(["pair", "--name", "bob"])).server.url).host;
});
const dataFile = (name: string) => join(machine.home, "data", name);
const pid = () => Number(readFileSync(dataFile("server.pid"), "utf8"));

test("a server of another home is recognized before a key is sent", async () => {
  const other = newMachine();
  await other.ok(["pair", "--name", "eve"]);
  await other.ok(["down"]);
  const seen: (string | null)[] = [];
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      seen.push(request.headers.get("authorization"));
      const { pathname, search } = new URL(request.url);
      return fetch(`http://${address}${pathname}${search}`);
    },
  });
  const env = { SERVICE_LOCAL_ADDR: `127.0.0.1:${proxy.port}` };
  try {
    for (const words of [
      ["up"],
      ["down"],
      ["pair"],
      ["whoami"],
      ["keys"],
      ["say", "x", "--as", "eve"],
    ]) {
      const { code, stderr } = await other.run(words, { env });
      expect(stderr).toStartWith("Error (server_not_running): ");
      expect(stderr).toContain(`is not the one of ${join(other.home, "data")}`);
      expect(stderr).toContain("SERVICE_LOCAL_ADDR");
      expect([code, stderr]).toEqual([1, expect.stringContaining("SERVICE_HOME")]);
    }
    const status = await other.json(["status"], { env });
    expect(status).toMatchObject({
      server_running: false,
      server_error: { code: "server_not_running" },
    });
    expect((await other.ok(["status"], { env })).stdout).toContain("is not the one of");
    expect(new Set(seen)).toEqual(new Set([null]));
  } finally {
    await proxy.stop(true);
  }
});

test.skipIf(process.platform !== "linux")(
  "a server that does not answer is named with its process and how to end it",
  async () => {
    process.kill(pid(), "SIGSTOP");
    const remedy = `kill -KILL ${pid()}`;
    const ran = await Promise.all(
      [["down"], ["up"], ["boards"], ["say", "x", "--as", "bob"], ["status"]].map((words) =>
        machine.run(words, { clock: hastened(20) }),
      ),
    );
    const status = ran.pop()!;
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(remedy)]);
    for (const { code, stderr } of ran) {
      expect(stderr).toStartWith("Error (server_not_running): ");
      expect([code, stderr]).toEqual([1, expect.stringContaining(remedy)]);
    }
    process.kill(pid(), "SIGKILL");
    await machine.ok(["boards"]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a server that was started for another address is not to be ended: the address is said",
  async () => {
    const port = freePort();
    const env = { SERVICE_LOCAL_ADDR: `127.0.0.1:${port}` };
    const other = newMachine();
    await other.asProcess.ok(["up"], { env });
    try {
      for (const words of [["down"], ["up"]]) {
        const { code, stderr } = await other.run(words, { clock: hastened(20) });
        expect(stderr).toContain("it does not answer at");
        expect(stderr).toMatch(
          new RegExp(
            `another SERVICE_LOCAL_ADDR. Set that: .SERVICE_LOCAL_ADDR=127.0.0.1:${port} .* ${words[0]}`,
          ),
        );
        expect([code, stderr]).toEqual([1, expect.not.stringContaining("kill")]);
      }
      const { stdout } = await other.ok(["status"]);
      expect(stdout).toContain("(local, not reached)");
      expect(stdout).toContain(`SERVICE_LOCAL_ADDR=127.0.0.1:${port} `);
    } finally {
      await other.asProcess.ok(["down"], { env });
    }
    // The other way round: the variable is set here, and was not there.
    const { stderr } = await machine.run(["down"], { env });
    expect(stderr).toContain("Leave it out: `env -u SERVICE_LOCAL_ADDR ");
  },
);

test("a server elsewhere that accepts the connection and stays silent is reported as not answering", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const url = `http://127.0.0.1:${silent.port}`;
  const stdin = `abh_${"x".repeat(43)}`;
  const { code, stdout } = await machine.run(["login", url, "--json"], {
    stdin,
    clock: hastened(20),
  });
  silent.stop(true);
  expect([code, JSON.parse(stdout).error]).toEqual([
    1,
    {
      code: "server_unreachable",
      message: `${url} does not answer (ETIMEDOUT).`,
      hint: expect.any(String),
    },
  ]);
});

test.skipIf(process.platform !== "linux")(
  "down and up find a server whose record is lost or garbled",
  async () => {
    const running = pid();
    writeFileSync(dataFile("server.pid"), "garbled\n");
    expect(await machine.json(["up"])).toMatchObject({ started: false, pid: running });
    rmSync(dataFile("server.pid"));
    expect(await machine.json(["up"])).toMatchObject({ started: false, pid: running });
    expect(await machine.json(["down"])).toMatchObject({ server_stopped: true });
    expect(await machine.json(["status"])).toMatchObject({ server_running: false });
  },
);

test("an address in SERVICE_LOCAL_ADDR that is none of this machine is a usage error", async () => {
  const machine = newMachine();
  for (const given of ["nonsense", "192.168.1.5:7400", "127.0.0.1:0", "127.0.0.1:99999"]) {
    const { code, stderr } = await machine.run(["status"], { env: { SERVICE_LOCAL_ADDR: given } });
    expect([given, code]).toEqual([given, 2]);
    expect(stderr).toContain(`SERVICE_LOCAL_ADDR is not an address of this machine: ${given}.`);
    expect(stderr).toContain("127.0.0.1:PORT");
  }
});

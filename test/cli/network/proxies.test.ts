import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachineOfProcesses } from "../../support/commands/machine.ts";

/** What a forward proxy was asked, request lines and headers alike. It lets nothing through. */
let asked = "";
const proxy = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data(socket, bytes) {
      asked += bytes.toString();
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    },
  },
});
const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
const variablesFor = (url: string) =>
  Object.fromEntries(
    names.flatMap((name) => [name, name.toLowerCase()]).map((name) => [name, url]),
  );
const host = `127.0.0.1:${proxy.port}`;
const proxied = variablesFor(`http://${host}`);
const stdin = `abh_${"x".repeat(43)}`;

afterEach(() => {
  asked = "";
});
afterAll(() => proxy.stop(true));

describe("a server of this machine", () => {
  const machine = newMachineOfProcesses();
  beforeAll(() => {
    Object.assign(machine.env, proxied, { NO_PROXY: "example.com", no_proxy: "example.com" });
  });

  test("no command goes by the proxy, from the start of the server to its end", async () => {
    const { ok, json } = machine;
    await ok(["pair", "--board", "plans", "--name", "bob"]);
    await ok(["say", "secret text", "--as", "bob"]);
    const watching = machine.start(["watch", "--board", "plans"]);
    await watching.saying("secret text");
    await ok(["say", "another", "--as", "bob"]);
    await watching.saying("another");
    watching.kill("SIGINT");
    await watching.end();
    writeFileSync(join(machine.home, "up.bin"), new Uint8Array(200_000));
    await ok(["file", "put", "up.bin", "--as", "bob"]);
    await ok(["file", "get", "up.bin", "down.bin", "--as", "bob"]);
    expect(await json(["status"])).toMatchObject({ server_running: true });
    expect(await json(["down"])).toMatchObject({ server_stopped: true });
    expect(asked).toBe("");
  });

  test.each(["localhost", "[::1]"])("is reached without the proxy as %s", async (name) => {
    const { port } = new URL((await machine.json(["up"])).server.url);
    await machine.ok(["down"]);
    const env = { SERVICE_LOCAL_ADDR: `${name}:${port}` };
    expect((await machine.json(["boards"], { env })).boards).toHaveLength(1);
    await machine.ok(["down"], { env });
    expect(asked).toBe("");
  });

  test.each(["https://localhost:1", "https://127.0.0.2:1", "https://team.localhost:1"])(
    "is reached without the proxy as %s, and the error names none",
    async (url) => {
      const { code, stderr } = await machine.run(["login", url], { stdin });
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${url} does not answer`)]);
      expect(stderr).not.toContain("proxy");
      expect(asked).toBe("");
    },
  );
});

describe("another server", () => {
  const machine = newMachineOfProcesses();
  const login = (env: Record<string, string>) =>
    machine.run(["login", "https://team.invalid"], { env, stdin });

  test.each(["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"])(
    "is reached by the proxy of %s, which the error names",
    async (name) => {
      const { code, stderr } = await login({ [name]: `http://${host}` });
      expect(asked).toStartWith("CONNECT team.invalid:443 ");
      expect(asked).not.toContain("abh_");
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`It is reached by the proxy ${host}, which ${name} names.`),
      ]);
    },
  );

  test("whose proxy does not answer is told with the proxy, and without its password", async () => {
    const { stderr } = await login({ HTTPS_PROXY: "http://ada:hidden@127.0.0.1:1" });
    expect(stderr).toContain("https://team.invalid does not answer (ECONNREFUSED).");
    expect(stderr).toContain("the proxy 127.0.0.1:1, which HTTPS_PROXY names");
    expect(stderr).not.toContain("hidden");
  });

  test.each(["team.invalid", ".invalid", "*", "example.com, invalid"])(
    "that NO_PROXY=%s excepts is told without a proxy",
    async (NO_PROXY) => {
      const { stderr } = await login({ HTTPS_PROXY: `http://${host}`, NO_PROXY });
      expect(stderr).toContain("https://team.invalid does not answer");
      expect(stderr).not.toContain("proxy");
      expect(asked).toBe("");
    },
  );
});

import { expect, test } from "bun:test";
import { symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

// The machine of a server, and one that comes to it from outside.
const host = newMachine();
const guest = newMachine("Grace");

const url = (await host.json(["board", "new", "docs"])).server.url;

test("an invitation is not used up where its key could not be kept", async () => {
  const { link } = await host.json(["invite", "--person"]);
  const config = join(guest.home, "config");
  symlinkSync(join(guest.home, "nowhere", "config"), config);
  expect(await guest.refusal(["connect", link])).toBe("internal");
  unlinkSync(config);
  expect(await guest.json(["connect", link])).toMatchObject({ person: { handle: "grace" } });
});

test("a server is known in every spelling of its address", async () => {
  const { port } = new URL(url);
  for (const spelling of [`${url}/`, `HTTP://LocalHost:${port}`, `http://[::1]:${port}`]) {
    const boards = await guest.json(["boards", "--all", "--server", spelling]);
    expect(boards.server.url).toBe(url);
    expect(await guest.json(["servers", "use", spelling])).toMatchObject({ server: { url } });
    expect(await host.json(["whoami", "--server", spelling])).toMatchObject({
      server: { name: "local" },
    });
  }
  const { key } = await host.json(["keys", "create", "again"]);
  const again = await host.json(["login", `http://localhost:${port}`], { stdin: key.token });
  expect(again).toMatchObject({ server: { name: "local" }, replaced: true });
  expect((await host.json(["servers"])).servers).toHaveLength(1);
});

test("a command that is offered goes to the server it was offered for", async () => {
  // As people write it: a saved server is found by its host alone.
  const host = url.replace("http://", "");
  expect(await guest.json(["servers", "use", host])).toMatchObject({ server: { url } });
  expect((await guest.json(["boards", "--server", host])).server.url).toBe(url);
  await guest.ok(["servers", "use", url]);
  const local = ["--server", "local"];
  expect((await guest.ok(["boards", ...local])).stdout).toMatch(/ pair --server http\S+\n$/);
  const { join_command } = await guest.json(["board", "new", "here", ...local]);
  expect(join_command).toMatch(/^service invite --board here --server http/);
  expect(await guest.json(join_command.split(" ").slice(1))).toMatchObject({ board: "here" });
  const joined = await guest.ok(["join", "--board", "here", ...local]);
  expect(joined.stdout).toContain("invite --board here --server http");
  expect((await guest.ok(["pair", ...local])).stdout).toMatch(
    /recommended --board general --server/,
  );
  expect((await guest.ok(["boards", "--server", url])).stdout).not.toContain("--server");
});

test("SERVICE_SERVER tells seats of one name on boards of one name apart", async () => {
  await guest.ok(["pair", "--server", "local", "--board", "docs", "--name", "zed"]);
  await guest.ok(["join", "--board", "docs", "--server", url]);
  const { join_line: line } = await guest.json(["invite", "--board", "docs", "--server", url]);
  await guest.ok(["join", line, "--name", "zed"]);
  const whoami = ["whoami", "--as", "zed"];
  expect(await guest.refusal(whoami)).toBe("agent_ambiguous");
  const own = (await guest.json(["status", "--server", "local"])).server.url;
  for (const [wanted, server] of [
    ["local", own],
    [own, own],
    [`${url}/`, url],
  ]) {
    const env = { SERVICE_SERVER: wanted! };
    expect((await guest.json(whoami, { env })).server.url).toBe(server);
  }
});

test("every request says which program sends it", async () => {
  const agents = new Set<string | null>();
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ headers }) {
      agents.add(headers.get("user-agent"));
      return Response.json({ name: "service", version: "0.0.1", server_id: "srv_other" });
    },
  });
  try {
    const env = { SERVICE_LOCAL_ADDR: `127.0.0.1:${other.port}` };
    await host.run(["status"], { env });
    await host.run(["api", "getInfo"], { env });
    expect([...agents]).toEqual([expect.stringMatching(/^service\/\d/)]);
  } finally {
    await other.stop(true);
  }
});

test("an answer of another form is called that, and saves no key", async () => {
  const info = { name: "service", version: "0.0.1", server_id: "srv_other", mode: "team" };
  const other = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => Response.json(url.endsWith("/v1/info") ? info : {}),
  });
  try {
    const { key } = await host.json(["keys", "create", "for-another-server"]);
    const words = ["login", other.url.origin, "--json"];
    const { error } = (await guest.run(words, { stdin: key.token })).json();
    expect(error).toMatchObject({
      code: "server_unreachable",
      message: expect.stringContaining("does not answer like a server of Team Board Service"),
      hint: expect.stringContaining("Check the address"),
    });
    const saved = (await guest.json(["servers"])).servers;
    expect(saved.map((one: { url: string }) => one.url)).not.toContain(other.url.origin);
  } finally {
    await other.stop(true);
  }
});

test("a file of certificates that cannot be read is named", async () => {
  const SSL_CERT_FILE = join(guest.home, "missing.pem");
  const words = ["login", "https://127.0.0.1:1"];
  const ran = await guest.run(words, { env: { SSL_CERT_FILE }, stdin: `abh_${"x".repeat(43)}` });
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(SSL_CERT_FILE)]);
});

test("a server of others that is away does not answer, and one's own does not run", async () => {
  await host.ok(["down"]);
  expect((await guest.ok(["status"])).stdout).toContain(`${url} (does not answer)`);
  expect((await host.ok(["status"])).stdout).toContain(`${url} (local, not running)`);
});

test("port 0 is no address", async () => {
  const env = { SERVICE_LOCAL_ADDR: "127.0.0.1:0" };
  expect((await guest.run(["up"], { env })).stderr).toContain("invalid_request");
});

test.skipIf(process.platform !== "linux")(
  "a refusal that stdout does not take is told on stderr",
  () => {
    const main = join(import.meta.dir, "../../../src/main.ts");
    const command = `exec "${process.execPath}" "${main}" nope --json > /dev/full`;
    const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", command], { env: guest.env });
    expect(stderr.toString()).toStartWith("Error (invalid_request): There is no command `nope`.");
    expect(exitCode).toBe(2);
  },
);

test("the question of a command with `--` is answered before it", async () => {
  const [{ name }] = (await host.json(["keys"])).keys.filter(({ name }: any) => name === "again");
  const ran = await host.run(["keys", "revoke", "--", name]);
  expect(ran.stderr).toContain(`keys revoke --yes -- ${name}`);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { provenText } from "../../../src/contract/server-proof.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";
import { newMachineOfProcesses, type Machine } from "../../support/commands/machine.ts";

// Another user's program at the address of this machine's server, which says and does what that server would.
let impostor: Bun.Server<undefined> | undefined;
let seen: string[] = [];
let machine: Machine;
let url: string;
beforeEach(async () => {
  machine = newMachineOfProcesses();
  seen = [];
  url = (await machine.json(["pair", "--name", "bob"])).server.url;
});
afterEach(() => impostor?.stop(true));

const port = () => Number(new URL(url).port);
const dataFile = (name: string) => join(machine.home, "data", name);
const pid = () => Number(readFileSync(dataFile("server.pid"), "utf8"));

/** Listens, and writes down each request with whatever credential it brought. */
function listen(port: number, answer: (request: Request) => Response | Promise<Response>) {
  impostor = Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch(request) {
      seen.push(
        `${new URL(request.url).pathname} ${request.headers.get("authorization") ?? "nothing"}`,
      );
      return answer(request);
    },
  });
  return impostor;
}

/** Runs commands that bring a key or a token, and expects each to be refused with a hint, and nothing told. */
async function refuses(options: object, message: string, hint: string) {
  for (const words of [["boards"], ["keys"], ["say", "x", "--as", "bob"], ["login", url]]) {
    const stdin = readFileSync(join(machine.home, "config/owner-token"), "utf8").trim();
    const { code, stderr } = await machine.run(words, { ...options, stdin });
    expect(stderr).toStartWith("Error (server_not_running): ");
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(stderr).toContain(hint);
  }
  const { stdout } = await machine.ok(["status"], options);
  expect(stdout).toContain(message);
  expect(new Set(seen)).toEqual(new Set(["/v1/info nothing"]));
}

test("a listener that repeats what the server said about itself gets no credential", async () => {
  const challenge = "c".repeat(43);
  const recorded = await (await fetch(`${url}/v1/info?challenge=${challenge}`)).text();
  expect(recorded).toContain('"proof"');
  await machine.ok(["down"]);
  listen(port(), () => new Response(recorded));
  await refuses({}, `is not the one of ${join(machine.home, "data")}`, "Remove ");
  expect(await machine.refusal(["up"])).toBe("server_not_running");
});

test.each(["no key", "an empty key", "a part of the key"])(
  "a listener whose proof is null gets no credential where the folder has %s",
  async (there) => {
    const info = await (await fetch(`${url}/v1/info`)).json();
    await machine.ok(["down"]);
    if (there === "no key") rmSync(dataFile("digest-key"));
    else writeFileSync(dataFile("digest-key"), there === "an empty key" ? "" : "ab");
    listen(port(), () => Response.json({ ...info, proof: null }));
    await refuses({}, `is not the one of ${join(machine.home, "data")}`, "Remove ");
  },
);

test("a listener that comes when the server ends gets no credential of a `watch`", async () => {
  const watching = machine.start(["watch", "--board", "general", "--limit", "1"]);
  await machine.ok(["say", "Hello", "--as", "bob"]);
  await watching.saying("Hello");
  const challenge = "c".repeat(43);
  const recorded = await (await fetch(`${url}/v1/info?challenge=${challenge}`)).text();
  process.kill(pid(), "SIGKILL");
  await untilFree(port());
  listen(port(), () => new Response(recorded));
  // It tries again until its server is back, each time with a question for the proof.
  while (seen.length < 2) await Bun.sleep(5);
  watching.kill("SIGINT");
  await watching.end();
  expect(new Set(seen)).toEqual(new Set(["/v1/info nothing"]));
});

/** Waits until nothing listens at a port. */
async function untilFree(port: number): Promise<void> {
  const isTaken = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (await isTaken()) await Bun.sleep(5);
}

test("a listener that fetches the proof from the server, which has another address, gets no credential", async () => {
  const served = url;
  const relay = listen(0, (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(`${served}${pathname}${search}`);
  });
  const env = { SERVICE_LOCAL_ADDR: `127.0.0.1:${relay.port}` };
  url = `http://127.0.0.1:${relay.port}`;
  await refuses({ env }, `is not the one of ${join(machine.home, "data")}`, "SERVICE_LOCAL_ADDR");
});

test("a listener that comes in the moment after the proof gets no credential", async () => {
  const { server_id } = await (await fetch(`${url}/v1/info`)).json();
  await machine.ok(["down"]);
  const key = Buffer.from(readFileSync(dataFile("digest-key"), "utf8").trim(), "hex");
  const proofOf = (challenge: string) =>
    new Bun.CryptoHasher("sha256", key).update(provenText(server_id, url, challenge)).digest("hex");
  // The server, which proves itself, and ends when it is asked for more.
  const server = createServer((socket) => {
    socket.on("data", (bytes) => {
      const challenge = /^GET \/v1\/info\?challenge=(\S+)/.exec(bytes.toString())?.[1];
      if (challenge !== undefined) {
        const info = { name: "service", version: "0.1.0", server_id, mode: "local" };
        const body = JSON.stringify({ ...info, proof: proofOf(challenge) });
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        return;
      }
      server.close();
      listen(port(), () => new Response());
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(port(), "127.0.0.1", resolve));
  await machine.run(["boards"]);
  expect(new Set(seen)).toEqual(new Set(["/v1/info nothing"]));
});

test("a listener that hangs up when asked for a proof gets no credential", async () => {
  await machine.ok(["down"]);
  const heard: string[] = [];
  const rude = Bun.listen({
    hostname: "127.0.0.1",
    port: port(),
    socket: {
      data(socket, bytes) {
        heard.push(bytes.toString());
        socket.terminate();
      },
    },
  });
  try {
    expect(await machine.refusal(["boards"])).toBe("server_not_running");
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join("")).not.toMatch(/authorization/i);
  } finally {
    rude.stop(true);
  }
});

test("`localhost` is 127.0.0.1: at its other address somebody else may listen", async () => {
  const env = { SERVICE_LOCAL_ADDR: `localhost:${port()}` };
  expect((await machine.json(["boards"], { env })).boards).toHaveLength(1);
  expect((await machine.json(["status"], { env })).server.url).toBe(url);
});

test("a server of an older build, which proves nothing, gets no credential, and `up` replaces it", async () => {
  await machine.ok(["down"]);
  const info = { name: "service", version: "0.0.1", server_id: "srv_old" };
  const older = Bun.spawn({
    cmd: [
      process.execPath,
      "-e",
      `import { openSync, writeFileSync } from "node:fs";
         openSync("service.db", "r");
         writeFileSync("server.pid", String(process.pid));
         const fetch = (request) => {
           console.log(new URL(request.url).pathname, request.headers.get("authorization") ?? "nothing");
           return Response.json(${JSON.stringify(info)});
         };
         Bun.serve({ hostname: "127.0.0.1", port: ${port()}, fetch });
         process.on("SIGTERM", () => process.exit(0));
         console.log("/v1/info nothing");`,
    ],
    cwd: join(machine.home, "data"),
    stdout: "pipe",
  });
  const chunks = older.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let told = (await chunks.next()).value ?? "";
  try {
    for (const words of [["boards"], ["say", "x", "--as", "bob"]]) {
      const { code, stderr } = await machine.run(words);
      expect([code, stderr]).toEqual([1, expect.stringContaining("-- up`.")]);
      expect(stderr).toContain("does not prove that it is the server of");
    }
    expect(await machine.json(["up"])).toMatchObject({
      replaced: { from: { version: "0.0.1" } },
    });
    expect(await older.exited).toBe(0);
    expect(pid()).not.toBe(older.pid);
    expect(await machine.json(["boards"])).toMatchObject({ boards: [{}] });
  } finally {
    older.kill("SIGKILL");
  }
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) told += next.value;
  expect(new Set(told.trim().split("\n"))).toEqual(new Set(["/v1/info nothing"]));
});

test("a command asks its server for the proof once", async () => {
  const server = await clockedServer();
  const home = newMachineOfProcesses();
  try {
    mkdirSync(join(home.home, "data"), { mode: 0o700 });
    mkdirSync(join(home.home, "config"), { mode: 0o700 });
    // The key of a world's digests.
    writeFileSync(join(home.home, "data/digest-key"), "07".repeat(32));
    writeFileSync(join(home.home, "config/owner-token"), server.world.admin.token);
    home.env["SERVICE_LOCAL_ADDR"] = new URL(server.url).host;
    const paths: string[] = [];
    server.between = (request, answer) => {
      paths.push(new URL(request.url).pathname);
      return answer();
    };
    await home.ok(["pair", "--board", "plans", "--name", "rex"]);
    await home.ok(["task", "new", "First", "--as", "rex"]);
    for (const words of [
      ["boards"],
      ["task", "list", "--as", "rex"],
      ["task", "show", "1", "--as", "rex"],
      ["file", "list", "--as", "rex"],
      ["working", "writing", "--as", "rex"],
      ["status"],
    ]) {
      paths.length = 0;
      await home.ok(words);
      expect([words, paths.filter((path) => path === "/v1/info")]).toEqual([words, ["/v1/info"]]);
    }
  } finally {
    rmSync(home.home, { recursive: true, force: true });
  }
});

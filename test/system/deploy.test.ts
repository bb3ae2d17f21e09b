import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";

/** A team's server behind Caddy, as `deploy/` has it, with a certificate of Caddy's local authority. */
const root = resolve(import.meta.dir, "../..");
const folder = mkdtempSync(join(tmpdir(), "service-deploy-"));
const data = join(folder, "data");
const [port, tls, admin] = [freePort(), freePort(), freePort()];
const publicUrl = `https://localhost:${tls}`;
const started: ReturnType<typeof Bun.spawn>[] = [];
let authority = "";
let key = "";

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port!;
}
const start = (command: string[], env: Record<string, string>) => {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { PATH: process.env["PATH"]!, HOME: folder, ...env },
    stdout: Bun.file(join(folder, `${started.length}.out`)),
    stderr: Bun.file(join(folder, `${started.length}.err`)),
  });
  started.push(child);
  return child;
};

/** The proxy's configuration, with what a certificate for this machine alone needs. */
const caddyfile = () =>
  `{\n\tadmin 127.0.0.1:${admin}\n\tauto_https disable_redirects\n\tskip_install_trust\n\tlocal_certs\n\tstorage file_system ${folder}/caddy\n}\n` +
  readFileSync(join(root, "deploy/Caddyfile"), "utf8");

/** For the hooks, which start a server and a proxy on a machine that may be busy. */
const slowly = 60_000;
beforeAll(async () => {
  start(
    [
      join(root, "dist/service"),
      "serve",
      "--public-url",
      publicUrl,
      "--data",
      data,
      "--listen",
      `127.0.0.1:${port}`,
      "--trust-proxy",
      "127.0.0.1/32",
    ],
    { SERVICE_HOME: join(folder, "home") },
  );
  writeFileSync(join(folder, "Caddyfile"), caddyfile());
  start(["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")], {
    SERVICE_HOST: publicUrl,
    SERVICE_LISTEN: `127.0.0.1:${port}`,
  });
  authority = await waitFor(() =>
    readFileSync(join(folder, "caddy/pki/authorities/local/root.crt"), "utf8"),
  );
  key = (await waitFor(() => readFileSync(join(data, "admin-key"), "utf8"))).trim();
  await waitFor(async () => {
    const { status } = await ask("GET", "/v1/info");
    if (status !== 200) throw new Error(`the proxy answers ${status}`);
    return status;
  });
}, slowly);
afterAll(async () => {
  for (const child of started) {
    child.kill("SIGTERM");
    await child.exited;
  }
  rmSync(folder, { recursive: true, force: true });
}, slowly);

/** What `read` gives once it does not throw any more. */
async function waitFor<T>(read: () => T | Promise<T>): Promise<T> {
  for (let left = 200; ; left--)
    try {
      return await read();
    } catch (error) {
      if (left === 0) throw error;
      await Bun.sleep(50);
    }
}

interface Given {
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}
const open = (method: string, path: string, { headers = {}, body }: Given = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(
      `https://localhost:${tls}${path}`,
      {
        method,
        ca: authority,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
async function ask(method: string, path: string, given: Given = {}) {
  const answer = await open(method, path, given);
  let text = "";
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, json: JSON.parse(text) as any };
}
const asAdmin = () => ({ authorization: `Bearer ${key}` });

test("the first admin's key is for its owner alone, and in no line of the log", () => {
  expect(statSync(join(data, "admin-key")).mode & 0o777).toBe(0o600);
  expect(statSync(data).mode & 0o777).toBe(0o700);
  for (const name of ["0.out", "0.err", "1.out", "1.err"])
    expect(readFileSync(join(folder, name), "utf8")).not.toContain(key);
});

test("requests pass the proxy, and forwarding headers change nothing", async () => {
  const me = await ask("GET", "/v1/me", { headers: asAdmin() });
  expect(me).toMatchObject({ status: 200, json: { name: "admin", server_role: "admin" } });
  const forged = {
    ...asAdmin(),
    "x-forwarded-host": "evil.example",
    forwarded: "host=evil.example",
  };
  expect((await ask("GET", "/v1/me", { headers: forged })).status).toBe(200);
});

test("the proxy says where a client is, and passes on nothing that the client says about it", async () => {
  const body = JSON.stringify({ handle: "admin", label: "vm" });
  const child = Bun.spawn(
    [
      "curl",
      "--silent",
      "--fail",
      "--interface",
      "127.0.0.5",
      "--data",
      body,
      "--cacert",
      join(folder, "caddy/pki/authorities/local/root.crt"),
      "--resolve",
      `localhost:${tls}:127.0.0.1`,
      "--header",
      "content-type: application/json",
      "--header",
      "x-forwarded-for: 203.0.113.7",
      `${publicUrl}/v1/machine-requests`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const { code } = (await new Response(child.stdout).json()) as { code: string };
  const { json } = await ask("POST", "/v1/machine-requests/lookup", {
    body: { code },
    headers: asAdmin(),
  });
  expect(json.requested_from).toBe("127.0.0.5");
});

test("the server answers for its public address alone", async () => {
  const direct = await fetch(`http://127.0.0.1:${port}/v1/info`);
  expect(direct.status).toBe(421);
  const named = await fetch(`http://127.0.0.1:${port}/v1/info`, {
    headers: { host: `localhost:${port}`, "x-forwarded-host": `localhost:${tls}` },
  });
  expect(named.status).toBe(421);
});

test("a browser signs in with a cookie for this host alone, and changes something from its own page alone", async () => {
  const body = { key };
  const signIn = (origin: string) =>
    ask("POST", "/v1/browser-sessions", { body, headers: { origin } });
  expect((await signIn("https://evil.example")).json.error.code).toBe("origin_not_allowed");
  const { headers, json } = await signIn(publicUrl);
  const [cookie = "", ...rest] = headers["set-cookie"]![0]!.split("; ");
  expect(cookie).toMatch(/^__Host-service_session=abb_/);
  expect(rest).toContain("Secure");
  const change = (origin: string) =>
    ask("POST", "/v1/boards", {
      body: {},
      headers: { cookie, origin, "x-service-csrf": json.csrf_token },
    });
  expect((await change(`https://localhost:${tls + 1}`)).json.error.code).toBe("origin_not_allowed");
  expect((await change(publicUrl)).status).toBe(201);
});

test("a stream passes the proxy event by event", async () => {
  await ask("POST", "/v1/boards", { body: { name: "docs" }, headers: asAdmin() });
  const stream = await open("GET", "/v1/stream", { headers: asAdmin() });
  let heard = "";
  stream.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  await waitFor(() => expect(heard).toContain('"board":"docs"'));
  heard = "";
  const { json } = await ask("POST", "/v1/boards/docs/messages", {
    body: { body: "through the proxy" },
    headers: asAdmin(),
  });
  await waitFor(() => expect(heard).toContain(`"seq":${json.seq}`));
  stream.destroy();
});

test("documents are compressed on their way, and nothing else is", async () => {
  const headers = { "accept-encoding": "gzip" };
  const encodingOf = async (path: string, more = {}) => {
    const answer = await open("GET", path, { headers: { ...headers, ...more } });
    answer.resume();
    return answer.headers["content-encoding"];
  };
  for (const path of ["/docs", "/docs/people", "/v1/openapi.json"])
    expect([path, await encodingOf(path)]).toEqual([path, "gzip"]);
  for (const path of ["/v1/keys", "/v1/boards"])
    expect([path, await encodingOf(path, asAdmin())]).toEqual([path, undefined]);
});

/** Runs the program as on a machine of its own that trusts the proxy's authority, and gives what `--json` prints. */
async function machine(name: string, words: string[], stdin = "") {
  const child = Bun.spawn([join(root, "dist/service"), ...words, "--json"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"]!,
      HOME: folder,
      USER: name,
      SERVICE_HOME: join(folder, `machine-${name}`),
      SSL_CERT_FILE: join(folder, "caddy/pki/authorities/local/root.crt"),
    },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  return (await new Response(child.stdout).json()) as any;
}

test("the command line comes in through the proxy: an admin, a colleague, a second machine and a guest", async () => {
  const signedIn = await machine("admin", ["login", publicUrl], key);
  expect(signedIn).toMatchObject({ person: { handle: "admin" }, default: true });
  await machine("admin", ["board", "new", "room"]);
  const { link } = await machine("admin", ["invite", "--person", "--board", "room"]);
  expect(link).toStartWith(`${publicUrl}/join#abi_`);
  const connected = await machine("grace", ["connect", link]);
  expect(connected).toMatchObject({ server: { url: publicUrl }, person: { handle: "grace" } });

  const started = await ask("POST", "/v1/machine-requests", {
    body: { handle: "grace", label: "desk" },
  });
  const approved = await machine("grace", ["approve", started.json.code, "--yes"]);
  expect(approved).toMatchObject({ request: { label: "desk" }, approved: true });
  const { secret } = started.json;
  const collected = await ask("POST", "/v1/machine-requests/collect", { body: { secret } });
  const desk = await machine("desk", ["login", publicUrl], collected.json.key.token);
  expect(desk).toMatchObject({ person: { handle: "grace" }, key: { name: "desk" } });

  const { join_line: line } = await machine("grace", [
    "invite",
    "--guest",
    "gil",
    "--board",
    "room",
  ]);
  const joined = await machine("gil", ["join", line]);
  expect(joined).toMatchObject({
    server: { url: publicUrl },
    guest: true,
    board: { name: "room" },
  });
  const said = await machine("gil", ["say", "Good morning", "--as", joined.use.as]);
  expect(said.message.from).toMatchObject({ owner: "gil" });
});

test("the unit is one that systemd accepts", () => {
  const unit = join(folder, "board-service.service");
  const text = readFileSync(join(root, "deploy/board-service.service"), "utf8");
  writeFileSync(unit, text.replace("/opt/board-service/service", join(root, "dist/service")));
  const { exitCode, stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", unit]);
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});

test("the container runs a program and flags that exist", async () => {
  const lines = readFileSync(join(root, "deploy/Containerfile"), "utf8").split("\n");
  const [from, to] = lines
    .find((line) => line.startsWith("COPY"))!
    .split(" ")
    .slice(1);
  expect(statSync(join(root, from!)).isFile()).toBe(true);
  const command = JSON.parse(lines.find((line) => line.startsWith("CMD "))!.slice(4)) as string[];
  const [shell, flag, line] = command as [string, string, string];
  const own = line
    .replace(to!, join(root, from!))
    .replace("--data /data", `--data ${join(folder, "contained")}`)
    .replace("0.0.0.0:7400", `127.0.0.1:${freePort()}`);
  const child = start([shell, flag, own], { SERVICE_PUBLIC_URL: "https://board.example" });
  const out = join(folder, `${started.length - 1}.out`);
  await waitFor(() =>
    expect(readFileSync(out, "utf8")).toContain("Serving at https://board.example"),
  );
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

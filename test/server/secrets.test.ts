import { expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { startServer } from "../../src/server/serve.ts";
import {
  makeSecrets,
  misplace,
  mistyped,
  speaker,
  type Reachable,
} from "../support/secrets/make-every-secret.ts";
import { until } from "../support/wait-until.ts";
import {
  findings,
  formsOfDigest,
  holds,
  holdsWord,
  type Place,
  type Planted,
} from "../support/secrets/find-secrets.ts";
import { freePort } from "../support/servers/free-port.ts";
import { builtService } from "../support/servers/server-as-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Every file below a folder, with what it holds. */
const filesOf = (folder: string): Place[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      name: entry.name,
      bytes: readFileSync(join(entry.parentPath, entry.name)),
    }));

/** Where a secret may stand: the answer that is kept for its caller, and the file that was made to hold it. */
const database = ["service.db", "service.db-wal"];
const allowed = ({ what, kept }: Planted): readonly string[] => {
  if (what === "the first person's key") return ["admin-key", "owner-token"];
  if (what === "the digest key") return ["digest-key"];
  return kept ? [...database, "kept_answer.body"] : [];
};
/** Columns that hold keyed digests. */
const digestColumns = [
  "access_key.digest",
  "seat_token.digest",
  "browser_session.digest",
  "delegation.digest",
  "invite.digest",
  "join_code_digest.digest",
  "pairing_credential.digest",
  "machine_request.code_digest",
  "machine_request.secret_digest",
  // Whose answer it is.
  "kept_answer.credential",
];

const everywhereBut = (secrets: readonly Planted[], places: readonly Place[]) =>
  findings(secrets, places).filter((finding) => {
    const secret = secrets.find(({ what }) => finding.startsWith(`${what}: `))!;
    return !allowed(secret).includes(finding.slice(secret.what.length + 2));
  });
const words = (secrets: readonly Planted[], places: readonly Place[]) =>
  secrets
    .filter(({ text }) => text.length === 7)
    .flatMap(({ what, text }) =>
      places.filter((place) => holdsWord(place, text)).map(({ name }) => `${what}: ${name}`),
    );

/** What somebody typed who mistyped the secrets. All but its end is the secret, which may be kept. */
const mistakesOf = (planted: readonly Planted[]): Planted[] =>
  planted.map(({ what, text, kept }) => ({
    what: `mistyped: ${what}`,
    text: mistyped(text),
    ...(kept && { kept }),
  }));

/** Digests without the server's key: anybody who reads one tries codes until one fits. */
const bareDigests = ({ text }: Planted): Buffer[] =>
  [
    text,
    text.slice(4),
    text.replace("-", ""),
    ...[
      "join",
      "machine-requests/lookup",
      "machine-requests/approve",
      "machine-requests/refuse",
    ].map((path) => `POST /v1/${path}\n${JSON.stringify({ code: text })}`),
  ].flatMap((each) => formsOfDigest(createHash("sha256").update(each).digest("hex")));

test("a secret is found in whatever form it is written down", () => {
  const text = `abh_${"Ab-_9".repeat(8)}xyz`;
  const secret = { what: "it", text };
  const written = [
    text,
    text.slice(0, 30),
    Buffer.from(text).toString("hex"),
    Buffer.from(`Bearer ${text}\n`).toString("base64"),
    Buffer.from(`x${text}`).toString("base64url"),
    [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(""),
    [...text].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(""),
  ].map((form) => ({ name: form, bytes: Buffer.from(`before ${form} after`) }));
  expect(findings([secret], written)).toHaveLength(written.length);
  const others = [`abh_${"x".repeat(43)}`, "", "abh_…"].map((form) => ({
    name: form,
    bytes: Buffer.from(form),
  }));
  expect(findings([secret], others)).toEqual([]);
  const digest = createHash("sha256").update("x").digest();
  for (const bytes of [digest, Buffer.from(digest.toString("base64url"))])
    expect(holds({ name: "", bytes }, formsOfDigest(digest.toString("hex")))).toBe(true);
  expect(holdsWord({ name: "", bytes: Buffer.from('"ABCDEF"') }, "ABC-DEF")).toBe(true);
  expect(holdsWord({ name: "", bytes: Buffer.from("brd_01ABCDEF") }, "ABC-DEF")).toBe(false);
});

/** A team's server in this process, reached as through its proxy. */
async function startTeam() {
  const dataFolder = join(temporaryFolder(), "data");
  const logged: string[] = [];
  const port = freePort();
  const start = () =>
    startServer({
      mode: "team",
      dataFolder,
      hostname: "127.0.0.1",
      port,
      publicUrl: "https://board.example",
      keyFile: join(dataFolder, "admin-key"),
      firstHandle: "ana",
      keyName: "laptop",
      version: "0.0.0-test",
      rateScale: 0,
      log: (line) => void logged.push(line),
    });
  const server = await start();
  const reached: Reachable = {
    url: "https://board.example",
    async handle(request) {
      const { pathname, search, host } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("host", host);
      const { method, signal } = request;
      const body = request.body ? await request.arrayBuffer() : null;
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method,
        headers,
        signal,
        redirect: "manual" as const,
        ...(body && { body }),
      });
    },
  };
  const key = readFileSync(join(dataFolder, "admin-key"), "utf8").trim();
  return { server, reached, dataFolder, logged, key, start };
}

test("a server does not start without the key of its digests, nor with a part of it", async () => {
  const { server, dataFolder, start } = await startTeam();
  await server.stop();
  const file = join(dataFolder, "digest-key");
  const text = readFileSync(file, "utf8");
  for (const damaged of [
    "",
    "\n",
    text.slice(0, 62),
    `${text.trim()}00`,
    text.replace(/^./, "x"),
  ]) {
    writeFileSync(file, damaged);
    await expect(start()).rejects.toMatchObject({ code: "digest_key_damaged" });
    expect(readFileSync(file, "utf8")).toBe(damaged);
  }
  rmSync(file);
  await expect(start()).rejects.toMatchObject({ code: "digest_key_missing" });
  writeFileSync(file, text);
  await (await start()).stop();
});

test("where the database was lost no other one is made, and the bytes of files stay", async () => {
  const { server, dataFolder, start } = await startTeam();
  await server.stop();
  const bytes = join(dataFolder, "files", "ab", "ab".repeat(32));
  mkdirSync(dirname(bytes), { recursive: true });
  writeFileSync(bytes, "what a board refers to");
  const database = join(dataFolder, "service.db");
  const kept = readFileSync(database);
  writeFileSync(database, "");
  await expect(start()).rejects.toMatchObject({ code: "data_unusable" });
  rmSync(database);
  await expect(start()).rejects.toMatchObject({ code: "data_unusable" });
  expect([existsSync(database), readFileSync(bytes, "utf8")]).toEqual([
    false,
    "what a board refers to",
  ]);
  writeFileSync(database, kept);
  await (await start()).stop();
});

test("a database serves the mode that it was made for, and a key without end never a team", async () => {
  const options = (mode: "local" | "team", folder: string) => ({
    mode,
    dataFolder: folder,
    hostname: "127.0.0.1",
    port: 0,
    version: "0.0.0-test",
    ...(mode === "team" && { publicUrl: "https://board.example" }),
    keyFile: join(folder, "key"),
    firstHandle: "ana",
    keyName: "laptop",
    log: () => {},
  });
  for (const [made, other] of [
    ["local", "team"],
    ["team", "local"],
  ] as const) {
    const folder = temporaryFolder();
    await (await startServer(options(made, folder))).stop();
    const before = filesOf(folder);
    await expect(startServer(options(other, folder))).rejects.toMatchObject({
      code: "database_mode",
    });
    expect(filesOf(folder)).toEqual(before);
    await (await startServer(options(made, folder))).stop();
  }
});

/** Everything that is stored, a place for each column. */
function columnsOf({ db }: Awaited<ReturnType<typeof startServer>>): Place[] {
  return db.read((tx) =>
    tx
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .flatMap(({ name }) => {
        const rows = tx.all<Record<string, unknown>>(`SELECT * FROM ${name}`);
        return Object.keys(rows[0] ?? {}).map((column) => ({
          name: `${name}.${column}`,
          bytes: Buffer.from(rows.map((row) => String(row[column])).join("\n")),
        }));
      }),
  );
}

/** Reads a stream until it is told to stop; then gives what was sent. */
async function listen(server: Reachable, path: string, token: string) {
  const leaving = new AbortController();
  const response = await server.handle(
    new Request(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    }),
  );
  let heard = "";
  const reading = (async () => {
    for await (const chunk of response.body!) heard += new TextDecoder().decode(chunk);
  })().catch(() => {});
  return async (): Promise<Place> => {
    leaving.abort();
    await reading;
    return { name: `GET ${path}`, bytes: Buffer.from(heard) };
  };
}

/** Requests that carry secrets while the table is away in which they would be looked up. */
async function provokeFaults(
  { db }: Awaited<ReturnType<typeof startServer>>,
  { say }: ReturnType<typeof speaker>,
  { planted, bo, writer, page }: Awaited<ReturnType<typeof makeSecrets>>,
) {
  const secret = (name: string) => planted.find(({ what }) => what === name)!.text;
  const faulty: [table: string, line: string, asking: Parameters<typeof say>[1]][] = [
    ["access_key", "GET /v1/me", { token: bo }],
    ["access_key", "POST /v1/browser-sessions", { body: { key: bo } }],
    ["seat_token", "GET /v1/me", { token: writer }],
    ["browser_session", "GET /v1/me/browser-session", { headers: page }],
    [
      "browser_session",
      "POST /v1/browser-sessions",
      { body: { token: secret("a browser token") } },
    ],
    ["delegation", "GET /v1/boards", { token: secret("a delegation") }],
    [
      "invite",
      "POST /v1/connect",
      {
        body: {
          handle: "eve",
          key_name: "box",
          invite: secret("an invitation that nobody redeems"),
        },
      },
    ],
    ["join_code_digest", "POST /v1/join", { token: bo, body: { code: secret("a pairing code") } }],
    [
      "join_code_digest",
      "POST /v1/guest-join",
      { body: { code: secret("a guest code that nobody redeems"), key_name: "box" } },
    ],
    [
      "machine_request",
      "POST /v1/machine-requests/approve",
      { token: bo, body: { code: secret("the code of a machine's request that waits") } },
    ],
    [
      "machine_request",
      "POST /v1/machine-requests/collect",
      { body: { secret: secret("the secret of a machine's request that waits") } },
    ],
    ["pairing_credential", "GET /v1/pairing-requests", { token: secret("a pairing's credential") }],
    ["kept_answer", "POST /v1/join", { token: bo, body: { board: "docs", role: "member" } }],
  ];
  for (const [table, line, asking] of faulty) {
    await db.write((tx) => tx.run(`ALTER TABLE ${table} RENAME TO away`));
    const { verdict } = await say(line, asking);
    await db.write((tx) => tx.run(`ALTER TABLE away RENAME TO ${table}`));
    expect([line, verdict]).toEqual([line, "500 internal"]);
  }
  return faulty.length;
}

test("no secret is in a file, a row, an event, the stream or the log, except where the contract puts it", async () => {
  const { server, reached, dataFolder, logged, key } = await startTeam();
  const digestKey = readFileSync(join(dataFolder, "digest-key"), "utf8").trim();
  const speaking = speaker(reached);
  const heardOf = await listen(reached, "/v1/stream", key);
  const made = await makeSecrets(reached, speaking, key);
  const planted: Planted[] = [...made.planted, { what: "the first person's key", text: key }];
  const heardByAgent = await listen(reached, "/v1/me/inbox/stream", made.writer);
  await misplace(speaking, made, "__Host-service_session");
  await speaking.say("POST /v1/boards/docs/messages", { token: made.bo, body: { body: "plum" } });
  const faults = await provokeFaults(server, speaking, made);
  const lines = logged.map((line) => JSON.parse(line) as { level: string; event?: string });
  expect(lines.filter(({ level }) => level === "error")).toHaveLength(faults);
  // Every kind of line is among those that are searched.
  const eventsLogged = new Set(lines.map(({ event }) => event));
  for (const event of ["request", "credential.refused", "person.joined", "signed-in", "key.made"])
    expect([event, eventsLogged.has(event)]).toEqual([event, true]);

  const events: Place[] = [];
  for (const board of ["docs", "yard"]) {
    const { text } = await speaking.say(`GET /v1/boards/${board}/events?limit=200`, { token: key });
    expect(text).toContain("board.created");
    events.push({ name: `events of ${board}`, bytes: Buffer.from(text) });
  }
  const stream = await heardOf();
  expect(Buffer.from(stream.bytes).toString()).toContain("event: head");
  const inbox = await heardByAgent();
  expect(Buffer.from(inbox.bytes).toString()).toContain("plum");
  const told = [
    stream,
    inbox,
    ...events,
    { name: "the log", bytes: Buffer.from(logged.join("\n")) },
  ];
  const columns = columnsOf(server);
  const open = filesOf(dataFolder);
  await server.stop();
  const closed = filesOf(dataFolder);
  expect(open.map(({ name }) => name)).toContain("service.db-wal");
  expect(closed.map(({ name }) => name).sort()).toEqual([
    "admin-key",
    "digest-key",
    "public-url",
    "service.db",
  ]);

  // The search finds what is there.
  const places = [...told, ...columns, ...open, ...closed];
  const all = findings(planted, places);
  expect(all).toContain("the first person's key: admin-key");
  for (const { what } of planted.filter(({ kept }) => kept)) {
    expect(all).toContain(`${what}: kept_answer.body`);
    expect(all).toContain(`${what}: service.db`);
  }
  const searched: Planted[] = [
    ...planted,
    ...mistakesOf(made.planted),
    { what: "the digest key", text: digestKey },
  ];
  expect(everywhereBut(searched, places)).toEqual([]);
  expect(words(searched, places)).toEqual([]);

  const keyed = ({ text }: Planted) =>
    formsOfDigest(createHmac("sha256", Buffer.from(digestKey, "hex")).update(text).digest("hex"));
  const digests = findings(planted, [...told, ...columns], keyed);
  expect(digests).toContain("the key of who connected: access_key.digest");
  const inMemory = planted.filter((secret) => secret.inMemory).map(({ what }) => what);
  expect(inMemory.length).toBeGreaterThan(3);
  expect(
    digests.filter((finding) => {
      const [, what, place] = /^(.+): (\S.*)$/.exec(finding)!;
      return inMemory.includes(what!) || !digestColumns.includes(place!);
    }),
  ).toEqual([]);
  expect(findings(searched, places, bareDigests)).toEqual([]);
}, 120_000);

test("no refusal repeats a secret that was sent in a wrong place", async () => {
  const { server, reached, key } = await startTeam();
  const speaking = speaker(reached);
  const made = await makeSecrets(reached, speaking, key);
  const before = speaking.heard.length;
  await misplace(speaking, made, "__Host-service_session");
  const refusals = speaking.heard.slice(before).filter(({ status }) => status >= 400);
  expect(refusals.length).toBeGreaterThan(1000);
  expect(refusals.filter(({ status }) => status >= 500)).toEqual([]);
  const answers = Buffer.from(refusals.map(({ text }) => text).join("\n"));
  const all = [...made.planted, ...mistakesOf(made.planted)];
  const prefixed = all.filter(({ text }) => /^ab[a-z]_/.test(text));
  expect(findings(prefixed, [{ name: "a refusal", bytes: answers }])).toEqual([]);
  await server.stop();
}, 120_000);

/** Sends bytes that need be no request, and waits until the server answers or hangs up. */
const sendRaw = (port: number, text: string) =>
  new Promise<string>((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    const done = () => {
      clearTimeout(patience);
      socket.destroy();
      resolve(heard);
    };
    // Of a request that never ends it hears nothing.
    const patience = setTimeout(done, 200);
    socket.on("data", (chunk) => (heard += chunk.toString()));
    socket.on("close", done).on("error", done);
  });

/** Requests that are none, or hardly, with a secret in each of their parts. */
const malformed = (host: string, secret: string): string[] => {
  const head = `Host: ${host}\r\n`;
  return [
    `GET /v1/boards/%ZZ${secret} HTTP/1.1\r\n${head}\r\n`,
    `GET /v1/%00${secret} HTTP/1.1\r\n${head}\r\n`,
    `GET //${secret}/ HTTP/1.1\r\n${head}\r\n`,
    `GET ${secret} HTTP/1.1\r\n${head}\r\n`,
    `GET http://${secret}/v1/info HTTP/1.1\r\n${head}\r\n`,
    `GET http://[${secret}/v1/info HTTP/1.1\r\n${head}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${head}X: ${secret}\r\n\r\n`,
    `CONNECT ${secret}:443 HTTP/1.1\r\n${head}\r\n`,
    `${secret} / HTTP/1.1\r\n${head}\r\n`,
    `GET / HTTP/9.9 ${secret}\r\n${head}\r\n`,
    `${secret}\r\n\r\n`,
    `GET /v1/me?${secret} HTTP/1.1\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\nHost: ${secret}\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\nHost: [${secret}\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\n${head}Host: ${secret}\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\n${head}${secret}\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\n${head}${secret}: x\0y\r\n\r\n`,
    `GET /v1/me HTTP/1.1\r\n${head}Authorization: Bearer ${secret}\0\r\n\r\n`,
    `POST /v1/join HTTP/1.1\r\n${head}Content-Length: ${secret}\r\n\r\nx`,
    `POST /v1/join HTTP/1.1\r\n${head}Transfer-Encoding: ${secret}\r\n\r\nx`,
    `POST /v1/join HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${secret}\r\n`,
    `POST /v1/connect HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"invite":"${secret}`,
    `POST /v1/connect HTTP/1.1\r\n${head}Expect: ${secret}\r\nContent-Length: 2\r\n\r\n{}`,
  ];
};

test("the program prints no secret and leaves none in its home, whatever it is sent", async () => {
  const home = temporaryFolder();
  const [out, err] = [join(home, "out"), join(home, "err")];
  const child = Bun.spawn([await builtService(), "serve"], {
    cwd: home,
    env: {
      PATH: process.env["PATH"]!,
      HOME: home,
      SERVICE_HOME: home,
      USER: "ana",
      SERVICE_RATE_SCALE: "0",
    },
    stdout: Bun.file(out),
    stderr: Bun.file(err),
  });
  const address = () => /Serving at (\S+)/.exec(readFileSync(out, "utf8"))?.[1];
  try {
    await until(
      () => statSync(out, { throwIfNoEntry: false }) !== undefined && address() !== undefined,
      "it serves",
    );
    const url = address()!;
    const { host, port } = new URL(url);
    const server: Reachable = { url, handle: (request) => fetch(request) };
    const key = readFileSync(join(home, "config/owner-token"), "utf8").trim();
    const speaking = speaker(server);
    const made = await makeSecrets(server, speaking, key);
    await misplace(speaking, made, `service_session_${port}`);
    for (const { text } of made.planted)
      await Promise.all(malformed(host, text).map((request) => sendRaw(Number(port), request)));
    expect((await speaking.say("GET /v1/me", { token: key })).status).toBe(200);

    const searched = [
      ...made.planted,
      ...mistakesOf(made.planted),
      { what: "the first person's key", text: key },
    ];
    const open = filesOf(home);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    const closed = filesOf(home);
    const printed = closed.filter(({ name }) => ["out", "err"].includes(name));
    expect(printed).toHaveLength(2);
    expect(Buffer.from(readFileSync(err)).toString()).toBe("");
    expect(findings(searched, closed)).toContain("the first person's key: owner-token");
    expect(everywhereBut(searched, [...open, ...closed])).toEqual([]);
    expect(words(searched, [...open, ...closed])).toEqual([]);
    const keyed = ({ text }: Planted) =>
      formsOfDigest(
        createHmac(
          "sha256",
          Buffer.from(readFileSync(join(home, "data/digest-key"), "utf8").trim(), "hex"),
        )
          .update(text)
          .digest("hex"),
      );
    expect(findings(searched, printed, keyed)).toEqual([]);
    for (const { name, mode } of readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !["out", "err"].includes(entry.name))
      .map((entry) => ({
        name: entry.name,
        mode: statSync(join(entry.parentPath, entry.name)).mode & 0o077,
      })))
      expect([name, mode]).toEqual([name, 0]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
}, 120_000);

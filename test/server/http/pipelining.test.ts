import { beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import { createClient, type Client } from "../../../src/client/client.ts";
import { startListening } from "../../support/servers/server-on-port.ts";

/** More than the kernel takes for a connection at once. */
const large = 16 * 1024 * 1024;
const world = await startListening();
let ana: Client;
beforeAll(async () => {
  ana = createClient({ baseUrl: world.server.url, token: world.key });
  await ana.call("createBoard", { body: { name: "docs" } });
  const params = { board: "docs" };
  await ana.upload({ params, query: { name: "large.txt" } }, new Blob(["A".repeat(large)]));
  await ana.upload({ params, query: { name: "small.txt" } }, new Blob(["B".repeat(100)]));
});

const download = (name: string) => get(`/v1/boards/docs/files/${name}/versions/1`);
/** The same with a Range that does not count, which is answered by another way. */
const ranged = (name: string) =>
  get(`/v1/boards/docs/files/${name}/versions/1`, ["Range: bytes=0-1,4-5"]);
const get = (path: string, headers: readonly string[] = []) => requestOf(`GET ${path}`, headers);
const post = (path: string, body: string, key: string) =>
  requestOf(`POST ${path}`, [`Idempotency-Key: ${key}`, "Content-Type: application/json"], body);
function requestOf(line: string, headers: readonly string[], body = ""): string {
  const all = [`Host: ${world.host}`, `Authorization: Bearer ${world.key}`, ...headers];
  if (body) all.push(`Content-Length: ${body.length}`);
  return `${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`;
}

/** An answer as far as it came. */
interface Heard {
  readonly status: number;
  readonly body: string;
}

/** Sends requests at once, or the later ones when the first answer has begun. Hears what comes until the server hangs up or all is answered. */
function pipelined(requests: readonly string[], when: "at once" | "during the answer") {
  return new Promise<{ answered: Heard[]; broken: Heard | null }>((resolve, reject) => {
    const socket = connect(world.port, "127.0.0.1");
    let text = "";
    const [first = "", ...later] = requests;
    socket.setEncoding("latin1");
    socket.write(when === "at once" ? requests.join("") : first);
    socket.once("data", () => when === "at once" || socket.write(later.join("")));
    socket.on("data", (part: string) => {
      text += part;
      if (split(text).answered.length === requests.length) socket.end();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(split(text)));
  });
}

/** The answers that came whole, and the last one apart when it broke off. */
function split(text: string): { answered: Heard[]; broken: Heard | null } {
  const answered: Heard[] = [];
  for (let rest = text; rest;) {
    const { end, ...heard } = answerAtStart(rest);
    if (end === null) return { answered, broken: heard };
    answered.push(heard);
    rest = rest.slice(end);
  }
  return { answered, broken: null };
}

/** The first answer of a text, by the length that it says or by its chunks. `end` is null while some of it is missing. */
function answerAtStart(text: string): Heard & { end: number | null } {
  const begin = text.indexOf("\r\n\r\n") + 4;
  const head = text.slice(0, begin);
  const status = Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]);
  if (/^transfer-encoding: chunked\r$/im.test(head)) return { status, ...chunksAt(text, begin) };
  const size = /^content-length: (\d+)\r$/im.exec(head)?.[1];
  const end = begin + Number(size);
  return { status, body: text.slice(begin, end), end: end <= text.length ? end : null };
}

function chunksAt(text: string, begin: number): { body: string; end: number | null } {
  let body = "";
  for (let at = begin; ;) {
    const line = text.indexOf("\r\n", at);
    const size = parseInt(text.slice(at, line), 16);
    const end = line + 2 + size;
    if (line >= 0) body += text.slice(line + 2, end);
    if (line < 0 || end + 2 > text.length) return { body, end: null };
    if (size === 0) return { body, end: end + 2 };
    at = end + 2;
  }
}

test("pipelined requests that are answered at once are answered in their order", async () => {
  const { answered, broken } = await pipelined([get("/v1/me"), get("/v1/boards/docs")], "at once");
  expect(broken).toBeNull();
  const [me, board] = answered.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect([me!["kind"], board!["name"]]).toEqual(["human", "docs"]);
});

test("a request behind a download that has not begun ends the connection, and neither is answered", async () => {
  for (const pair of [
    [download("small.txt"), download("large.txt")],
    [download("large.txt"), get("/v1/me")],
  ])
    expect(await pipelined(pair, "at once")).toEqual({ answered: [], broken: null });
  const { answered } = await pipelined([download("small.txt")], "at once");
  expect(answered).toMatchObject([{ status: 200, body: "B".repeat(100) }]);
});

test("a request behind a download under way breaks it off, and the client can tell that it is not whole", async () => {
  for (const first of [download("large.txt"), ranged("large.txt")]) {
    const pair = [first, download("small.txt")];
    const { answered, broken } = await pipelined(pair, "during the answer");
    expect(answered).toEqual([]);
    const { status, body } = broken!;
    expect(status).toBe(200);
    // Nothing of another answer is in it.
    expect(body).toBe("A".repeat(body.length));
    expect(body.length).toBeLessThan(large);
  }
  for (const alone of [download("large.txt"), ranged("large.txt")]) {
    const { answered } = await pipelined([alone], "at once");
    expect(answered.map(({ body }) => body.length)).toEqual([large]);
  }
});

test("a post whose answer was lost to a request behind it is stored once, and a repeat gets its answer", async () => {
  const say = post("/v1/boards/docs/messages", '{"body":"once"}', "one-post");
  const lost = await pipelined([say, get("/v1/me")], "at once");
  expect(lost).toEqual({ answered: [], broken: null });
  const { answered } = await pipelined([say], "at once");
  expect(answered).toMatchObject([{ status: 201 }]);
  const { messages } = await ana.call("listMessages", { params: { board: "docs" } });
  expect(messages.map(({ body }) => body)).toEqual(["once"]);
});

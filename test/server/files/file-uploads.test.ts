import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createClient, Unreachable } from "../../../src/client/client.ts";
import { startListening } from "../../support/servers/server-on-port.ts";
import { docs, headOf } from "../../support/boards/docs-board.ts";
import { until } from "../../support/wait-until.ts";
import { newHome, spawnServer } from "../../support/servers/server-as-process.ts";
import { verdictOf } from "../../support/raw-requests.ts";

const server = await startListening();
const ana = createClient({ baseUrl: server.server.url, token: server.key });
await ana.call("createBoard", { body: { name: "docs" } });

const largest = 50 * 1024 * 1024;
const named = (name: string) => ({ ...docs, query: { name } });
/** Names of what lies in the store; uploads that have not ended are in `incoming`. */
const stored = () =>
  existsSync(server.files)
    ? readdirSync(server.files, { recursive: true, encoding: "utf8" })
        .filter((name) => /\//.test(name))
        .sort()
    : [];
const incoming = () => stored().filter((name) => name.startsWith("incoming/"));
/** Bytes that are made as they are asked for. */
function zeros(size: number) {
  let left = size;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close();
      const length = Math.min(left, 65536);
      left -= length;
      controller.enqueue(new Uint8Array(length));
    },
  });
}

/** Opens a connection and sends the head of an upload with the first of its bytes. */
async function begin(name: string, headers: readonly string[], first = "") {
  const socket = connect(server.port, "127.0.0.1");
  let heard = "";
  socket.on("data", (bytes: Buffer) => (heard += bytes.toString()));
  socket.on("error", () => {});
  const head = [
    `POST /v1/boards/docs/files?name=${name} HTTP/1.1`,
    `Host: ${server.host}`,
    `Authorization: Bearer ${server.key}`,
    ...headers,
    "",
    first,
  ];
  await new Promise<void>((sent) => socket.write(head.join("\r\n"), () => sent()));
  return { socket, heard: () => heard };
}

describe("an upload", () => {
  test("of 50 MiB is taken, and of one byte more is refused, said before or found out", async () => {
    const exact = await ana.upload(named("large.bin"), {
      size: largest,
      stream: () => zeros(largest),
    });
    expect(exact.latest.size).toBe(largest);
    const before = stored();
    const size = largest + 1;
    expect(
      await verdictOf(ana.upload(named("more.bin"), { size, stream: () => zeros(size) })),
    ).toBe("413 file_too_large");
    const unsaid = await fetch(`${server.server.url}/v1/boards/docs/files?name=more.bin`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}` },
      body: zeros(size),
    });
    expect([unsaid.status, await unsaid.json()]).toMatchObject([
      413,
      { error: { code: "file_too_large" } },
    ]);
    expect(stored()).toEqual(before);
    expect((await ana.call("listFiles", docs)).files.map(({ name }) => name)).toEqual([
      "large.bin",
    ]);
  }, 30_000);

  test("tells how far it is, and so does a download, which ends at the very bytes", async () => {
    const text = "x".repeat(300_000);
    const seen: number[] = [];
    const onProgress = (count: number) => void seen.push(count);
    await ana.upload(named("told.txt"), new Blob([text]), { onProgress });
    expect(seen.at(-1)).toBe(text.length);
    seen.length = 0;
    const params = { board: "docs", file: "told.txt", version: "1" };
    const { size, body } = await ana.download({ params }, { onProgress });
    expect(size).toBe(text.length);
    expect(await new Response(body).text()).toBe(text);
    expect(seen.at(-1)).toBe(text.length);
  });

  test("of what says it is empty has the bytes that are there, and fails when nothing is", async () => {
    const hidden = { size: 0, stream: () => new Blob(["all the same"]).stream() };
    expect((await ana.upload(named("hidden.txt"), hidden)).latest.size).toBe(12);
    expect((await ana.upload(named("empty.txt"), new Blob([]))).latest.size).toBe(0);
    const head = await headOf(ana);
    for (const options of [{}, { onProgress() {} }])
      await expect(
        ana.upload(named("gone.txt"), Bun.file(join(server.files, "gone")), options),
      ).rejects.toThrow(Unreachable);
    await until(() => incoming().length === 0, "the temporary file is gone");
    expect(await headOf(ana)).toBe(head);
  });

  test("that is cut off leaves no version, no bytes and no temporary file", async () => {
    await until(() => incoming().length === 0, "what was sent before is put away");
    const [before, head] = [stored(), await headOf(ana)];
    for (const [headers, first] of [
      [["Content-Length: 100000"], "half"],
      [["Transfer-Encoding: chunked"], "4\r\nhalf\r\n"],
    ] as const) {
      const { socket } = await begin("cut.txt", headers, first);
      await until(() => incoming().length === 1, "the upload has begun");
      socket.destroy();
      await until(() => incoming().length === 0, "the temporary file is gone");
    }
    // A body whose sender ends it too early, and still listens.
    const { socket } = await begin("cut.txt", ["Content-Length: 100000"], "half");
    await until(() => incoming().length === 1, "the upload has begun");
    socket.end();
    await until(() => incoming().length === 0, "the temporary file is gone");
    expect(stored()).toEqual(before);
    expect(await headOf(ana)).toBe(head);
    expect(server.logged).toEqual([]);
  });

  test("that may not be is refused before its bytes are there, and the connection goes on", async () => {
    const { socket, heard } = await begin("told.txt", ["Content-Length: 100"], "half");
    await until(() => heard().includes("file_exists"), "the refusal");
    expect(heard()).toStartWith("HTTP/1.1 409");
    expect(incoming()).toEqual([]);
    const rest = "x".repeat(96);
    const next = `GET /v1/me HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${server.key}\r\n\r\n`;
    socket.write(rest + next);
    await until(() => heard().includes('"handle"') || heard().includes('"name":"ana"'), "the next");
    expect(heard()).not.toContain("HTTP/1.1 400");
    socket.destroy();
  });

  test("of any size that it claims hears what the operation says", async () => {
    const claimed = [`Content-Length: ${2 ** 40}`];
    const { socket, heard } = await begin("huge.bin", claimed);
    await until(() => heard().includes("file_too_large"), "the refusal");
    socket.destroy();
    // What comes before the size is told before it.
    const other = await begin("huge.bin", [...claimed, "Content-Type: text/plain"]);
    await until(() => other.heard().includes("invalid_request"), "the refusal");
    other.socket.destroy();
    expect(incoming()).toEqual([]);
  });

  test("is not admitted any more when its board was archived while it came", async () => {
    await ana.call("createBoard", { body: { name: "plaza" } });
    const plaza = { params: { board: "plaza" } };
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const source = {
      size: 8,
      stream: () =>
        new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("half"));
            begun.resolve();
            await goOn.promise;
            controller.enqueue(new TextEncoder().encode("rest"));
            controller.close();
          },
        }),
    };
    const uploading = verdictOf(ana.upload({ ...plaza, query: { name: "late.txt" } }, source));
    await begun.promise;
    await until(() => incoming().length === 1, "the upload has begun");
    await ana.call("archiveBoard", plaza);
    goOn.resolve();
    expect(await uploading).toBe("409 board_archived");
    expect(incoming()).toEqual([]);
  });
});

test("a server does not hold what it is sent: several large uploads at once take little memory", async () => {
  const home = newHome();
  const spawned = await spawnServer(home.home);
  try {
    const url = await spawned.ready();
    const owner = createClient({ baseUrl: url, token: home.ownerToken() });
    await owner.call("createBoard", { body: { name: "docs" } });
    await owner.upload(named("small.bin"), new Blob(["small"]));
    const memory = () =>
      Number(
        /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${spawned.child.pid}/status`, "utf8"))![1],
      );
    // The peak is counted from here.
    writeFileSync(`/proc/${spawned.child.pid}/clear_refs`, "5");
    const before = memory();
    const size = largest;
    const uploads = [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
      owner.upload(named(`${n}.bin`), { size, stream: () => zeros(size) }),
    );
    await Promise.all(uploads);
    expect(memory() - before).toBeLessThan((8 * largest) / 2 / 1024);
    expect(readdirSync(join(home.home, "data/files/incoming"))).toEqual([]);
  } finally {
    await spawned.kill();
    home.remove();
  }
}, 60_000);

import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (...command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
};

interface Refused {
  status: number;
  data: { error: { code: string; hint: string } };
}
/** Sends a request: a value as JSON, bytes as they are. */
type Ask = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; data: never }>;

/** Starts a server with its home on this disk. Fails if it ends before it serves. */
async function serveOn(disk: string) {
  const serving = Bun.spawn(["dist/service", "serve"], {
    env: { ...process.env, SERVICE_HOME: disk },
    stdout: "pipe",
    stderr: "ignore",
  });
  let printed = "";
  for await (const chunk of serving.stdout.pipeThrough(new TextDecoderStream())) {
    printed += chunk;
    if (/pair/.test(printed)) break;
  }
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
  if (url === null) throw new Error(`The server ended with ${await serving.exited}.`);
  return { serving, url: url[0] };
}

/** Runs a server on a disk of its own of 4 MB, with the board demo on it. */
async function onSmallDisk(
  work: (
    disk: string,
    ask: Ask,
    server: Record<"stop" | "start", () => Promise<void>>,
  ) => Promise<void>,
): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), "service-disk-"));
  run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk);
  let { serving, url } = await serveOn(disk);
  try {
    const key = readFileSync(join(disk, "config", "owner-token"), "utf8").trim();
    const ask: Ask = async (method, path, body) => {
      const bytes = body instanceof Uint8Array;
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": bytes ? "application/octet-stream" : "application/json",
        },
        ...(body !== undefined && {
          body: bytes ? new Blob([body as never]) : JSON.stringify(body),
        }),
      });
      return { status: response.status, data: (await response.json()) as never };
    };
    expect((await ask("POST", "/v1/boards", { name: "demo" })).status).toBe(201);
    await work(disk, ask, {
      async stop() {
        serving.kill("SIGTERM");
        await serving.exited;
      },
      async start() {
        ({ serving, url } = await serveOn(disk));
      },
    });
  } finally {
    serving.kill("SIGKILL");
    await serving.exited;
    run("umount", disk);
    rmSync(disk, { recursive: true });
  }
}

test("a server on a disk that is full answers with an error, loses nothing, and goes on when there is room", async () => {
  await onSmallDisk(async (disk, ask) => {
    writeFileSync(join(disk, "ballast"), new Uint8Array(512 * 1024));
    const stored: string[] = [];
    let refused: Refused | undefined;
    for (let n = 0; n < 500 && !refused; n++) {
      const text = `${n} `.repeat(4000);
      const answer = await ask("POST", "/v1/boards/demo/messages", { body: text });
      if (answer.status === 201) stored.push(text);
      else refused = answer;
    }
    expect(refused).toMatchObject({ status: 500, data: { error: { code: "internal" } } });
    expect(refused!.data.error.hint).toContain("free space");

    rmSync(join(disk, "ballast"));
    expect((await ask("POST", "/v1/boards/demo/messages", { body: "room again" })).status).toBe(
      201,
    );
    const bodies: string[] = [];
    for (let after = 0; ;) {
      const { data } = await ask("GET", `/v1/boards/demo/messages?limit=200&after=${after}`);
      const page = data as { messages: { body: string }[]; next_after: number | null };
      bodies.push(...page.messages.map(({ body }) => body));
      if (page.next_after === null) break;
      after = page.next_after;
    }
    expect(bodies).toEqual([...stored, "room again"]);
  });
}, 60_000);

test("a file that the disk has no room for leaves nothing, and the room that it took is free again", async () => {
  await onSmallDisk(async (disk, ask) => {
    const put = (name: string, size: number): Promise<Refused> =>
      ask("POST", `/v1/boards/demo/files?name=${name}`, new Uint8Array(size));
    const refused = await put("large.bin", 5_000_000);
    expect(refused).toMatchObject({ status: 500, data: { error: { code: "internal" } } });
    expect(refused.data.error.hint).toContain("free space");
    expect(readdirSync(join(disk, "data/files"), { recursive: true })).toEqual(["incoming"]);
    expect((await ask("GET", "/v1/boards/demo/files")).data).toMatchObject({ files: [] });
    expect((await put("small.bin", 500_000)).status).toBe(201);
    expect((await put("large.bin", 5_000_000)).status).toBe(500);
    expect((await ask("GET", "/v1/boards/demo/files")).data).toMatchObject({
      files: [{ name: "small.bin" }],
    });
  });
}, 60_000);

test("a command starts the server on a disk that is full, finds it again and stops it", async () => {
  await onSmallDisk(async (disk, _, { stop }) => {
    const service = (...words: string[]) => {
      const env = { ...process.env, SERVICE_HOME: disk };
      const { exitCode, stdout, stderr } = Bun.spawnSync(["dist/service", ...words], { env });
      return { exitCode, said: `${stdout}${stderr}` };
    };
    await stop();
    expect(() => writeFileSync(join(disk, "ballast"), new Uint8Array(4_000_000))).toThrow("ENOSPC");
    const said = [["up"], ["boards"], ["boards"], ["down"]].map((words) => service(...words));
    expect(said.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0]);
    const [up, first, second, down] = said.map((one) => one.said);
    expect(up).toContain("started");
    expect(first).toContain("demo");
    expect(first).not.toContain("started local server");
    expect(second).toBe(first);
    expect(down).toContain("stopped");
  });
}, 60_000);

test("a server starts on a disk that is full, and what it has can be read", async () => {
  await onSmallDisk(async (disk, ask, { stop, start }) => {
    expect((await ask("POST", "/v1/boards/demo/messages", { body: "before" })).status).toBe(201);
    expect(() => writeFileSync(join(disk, "ballast"), new Uint8Array(4_000_000))).toThrow("ENOSPC");
    await stop();
    await start();
    const { status, data } = await ask("GET", "/v1/boards/demo/messages");
    expect(status).toBe(200);
    expect(data).toMatchObject({ messages: [{ body: "before" }] });
    expect((await ask("POST", "/v1/boards/demo/messages", { body: "after" })).status).toBe(500);
    rmSync(join(disk, "ballast"));
    expect((await ask("POST", "/v1/boards/demo/messages", { body: "after" })).status).toBe(201);
  });
}, 60_000);

test.skipIf(process.getuid?.() !== 0)("a home on a read-only disk is called that", () => {
  const disk = mkdtempSync(join(tmpdir(), "service-disk-"));
  run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", disk);
  try {
    const { exitCode, stderr } = Bun.spawnSync(["dist/service", "up"], {
      env: { ...process.env, SERVICE_HOME: join(disk, "home") },
    });
    expect(stderr.toString()).toContain("(EROFS)");
    expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("is read-only")]);
  } finally {
    run("umount", disk);
    rmSync(disk, { recursive: true });
  }
});

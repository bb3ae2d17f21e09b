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

/** Runs a server on a disk of its own of 4 MB, with the board demo on it. */
async function onSmallDisk(work: (disk: string, ask: Ask) => Promise<void>): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), "service-disk-"));
  run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk);
  const serving = Bun.spawn(["dist/service", "serve"], {
    env: { ...process.env, SERVICE_HOME: disk },
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    let printed = "";
    for await (const chunk of serving.stdout.pipeThrough(new TextDecoderStream())) {
      printed += chunk;
      if (/pair/.test(printed)) break;
    }
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0];
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
    await work(disk, ask);
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

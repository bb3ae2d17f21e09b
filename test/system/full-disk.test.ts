import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (...command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
};

test("a server on a disk that is full answers with an error, loses nothing, and goes on when there is room", async () => {
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
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, data: (await response.json()) as never };
    };
    expect((await ask("POST", "/v1/boards", { name: "demo" })).status).toBe(201);

    writeFileSync(join(disk, "ballast"), new Uint8Array(512 * 1024));
    const stored: string[] = [];
    let refused: { status: number; data: { error: { code: string; hint: string } } } | undefined;
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
  } finally {
    serving.kill("SIGKILL");
    await serving.exited;
    run("umount", disk);
    rmSync(disk, { recursive: true });
  }
}, 60_000);

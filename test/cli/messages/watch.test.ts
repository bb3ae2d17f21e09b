import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal } = machine;
const main = join(import.meta.dir, "../../../src/main.ts");
const post = async (name: string, text: string): Promise<number> =>
  (await json(["say", text, "--as", name])).message.seq;

beforeAll(async () => {
  // It is stopped and killed below.
  await machine.asProcess.ok(["up"]);
  const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  await ok(["join", code.line, "--name", "rex"]);
});
afterAll(() => machine.end());

const started: Bun.Subprocess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts `watch` and reads what it prints, line by line. */
function watch(...words: string[]) {
  const child = Bun.spawn([process.execPath, main, "watch", ...words], {
    env: machine.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const lines = linesOf(child.stdout);
  return {
    child,
    async line() {
      return (await lines.next()).value as string;
    },
    async message() {
      return JSON.parse((await lines.next()).value as string).message;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

test("the newest come first, then each new one, until Ctrl-C", async () => {
  const seqs = [
    await post("writer", "one"),
    await post("writer", "two"),
    await post("rex", "three"),
  ];
  const { child, line, message } = watch("--limit", "2", "--json");
  expect(JSON.parse(await line())).toMatchObject({
    board: "demo",
    message: { seq: seqs[1], body: "two", sender: "owner_agent" },
  });
  expect((await message()).seq).toBe(seqs[2]);
  const later = await post("writer", "four");
  expect((await message()).seq).toBe(later);
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stderr as ReadableStream).text()).toBe("");
});

test("only what the filter lets through is shown", async () => {
  const { message } = watch("--from", "@rex", "--role", "reviewer", "--limit", "1", "--json");
  expect((await message()).body).toBe("three");
  await post("writer", "not this");
  const seq = await post("rex", "this");
  expect((await message()).seq).toBe(seq);
  expect(await refusal(["watch", "--from", "nobody"])).toBe("member_not_found");
});

test("messages are blocks with an empty line between, free of escape sequences", async () => {
  const { line } = watch("--limit", "1");
  expect(await line()).toMatch(/^#\d+ @rex → all$/);
  expect(await line()).toMatch(/^  reviewer · your agent · /);
  expect(await line()).toBe("    this");
  await post("writer", "a\x1b[2Jb\ud800c".toWellFormed());
  expect(await line()).toBe("");
  expect(await line()).toMatch(/^#\d+ @writer → all$/);
  expect(await line()).toMatch(/^  writer · your agent · /);
  expect(await line()).toBe("    ab\ufffdc");
});

test("nothing is lost and nothing comes twice when the server stops, is killed and starts again", async () => {
  const { child, message } = watch("--limit", "1", "--json");
  const posted = [(await message()).seq];
  const shown = [...posted];
  async function say(text: string): Promise<void> {
    posted.push((await machine.asProcess.json(["say", text, "--as", "writer"])).message.seq);
  }
  async function catchUp(): Promise<void> {
    while (shown.length < posted.length) shown.push((await message()).seq);
  }
  await say("before");
  await catchUp();
  await ok(["down"]);
  expect(await json(["status"])).toMatchObject({ server_running: false });
  await say("after a stop");
  await say("and another");
  await catchUp();
  process.kill(Number(readFileSync(join(machine.home, "data/server.pid"), "utf8")), "SIGKILL");
  await say("after a kill");
  await catchUp();
  await say("at the end");
  await catchUp();
  expect(shown).toEqual(posted);
  child.kill("SIGINT");
  expect(await child.exited).toBe(0);
});

test("it ends when nobody reads it any more", async () => {
  const shell = `${process.execPath} ${main} watch --limit 1 | head -1; echo "\${PIPESTATUS[0]}"`;
  const child = Bun.spawn(["bash", "-c", shell], { env: machine.env, stdout: "pipe" });
  started.push(child);
  const lines = linesOf(child.stdout);
  expect((await lines.next()).value).toStartWith("#");
  // Nobody posts meanwhile.
  expect((await lines.next()).value).toBe("0");
});

test("it ends with the reason when the board can no longer be read", async () => {
  const { child, line } = watch("--limit", "1", "--json");
  await line();
  const key = (await json(["keys"])).keys[0].id;
  await json(["api", "revokeKey", `key=${key}`]);
  expect(JSON.parse(await line())).toMatchObject({ error: { code: "unauthorized" } });
  expect(await child.exited).toBe(1);
});

import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hastened, runHere } from "../../support/commands/run-in-process.ts";
import { newMachine } from "../../support/commands/machine.ts";

// Most tests of commands run them in the test's own process. Here is what that rests on.
const machine = newMachine();
const other = newMachine("Grace");

await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
await machine.ok(["task", "new", "Write it", "--as", "writer"]);
writeFileSync(join(machine.home, "plan.md"), "The plan\n");

describe("a command is in the test's process what it is in one of its own", () => {
  test.each([
    { words: ["version"] },
    { words: [] },
    { words: ["help", "say"] },
    { words: ["bords"] },
    { words: ["say", "--reply"] },
    { words: ["boards"] },
    { words: ["boards", "--json"] },
    { words: ["whoami"], env: { SERVICE_AGENT: "writer" } },
    { words: ["keys"], env: { CLAUDECODE: "1" } },
    { words: ["status"], env: { SERVICE_HOME: "relative" } },
    { words: ["status", "--json"], env: { SERVICE_BOARD: "other" } },
    { words: ["task", "show", "DOC-1", "--as", "writer"] },
    { words: ["file", "get", "missing.md", "--as", "writer", "--json"] },
    { words: ["file", "put", "nowhere.md", "--as", "writer"] },
    { words: ["file", "put", "-", "--as", "writer"] },
    { words: ["api", "getBoard", "--body", "-"], stdin: "[1]" },
    { words: ["login", "http://example.org"], stdin: "no key\n" },
    { words: ["board", "delete", "docs"] },
    { words: ["say", "--as", "writer"], stdin: " \n" },
    { words: ["audit", "verify", "--board", "docs"] },
  ])("%j", async ({ words, ...options }) => {
    const [here, apart] = [
      await machine.run(words, options),
      await machine.asProcess.run(words, options),
    ];
    // The one before it verified the log first.
    const noted = (text: string) => text.split("\n").slice(0, words[0] === "audit" ? 3 : undefined);
    expect([here.code, noted(here.stdout), here.stderr]).toEqual([
      apart.code,
      noted(apart.stdout),
      apart.stderr,
    ]);
  });
});

test("runs at the same time do not disturb one another: each has its own home, folder, input, output and exit code", async () => {
  await other.ok(["pair", "--board", "notes", "--name", "rex"]);
  const places = ["a", "b", "c", "d"].map((name) => {
    const cwd = join(machine.home, name);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "same.md"), `In ${name}\n`);
    return { name, cwd };
  });
  const put = places.map(async ({ name, cwd }) => {
    const said: string[] = [];
    const { exitCode } = runHere({ servers: new Set(), daemons: new Map() }, putting(name), {
      cwd,
      env: machine.env,
      out: (bytes) => void said.push(new TextDecoder().decode(bytes)),
      error: (bytes) => void said.push(new TextDecoder().decode(bytes)),
    });
    expect(await exitCode).toBe(0);
    expect(JSON.parse(said.join("")).file.name).toBe(`${name}.md`);
  });
  const texts = ["one", "two", "three"];
  const [, posted, refused, elsewhere] = await Promise.all([
    Promise.all(put),
    Promise.all(texts.map((stdin) => machine.json(["say", "--as", "writer"], { stdin }))),
    Promise.all(texts.map((word) => machine.run([word]))),
    Promise.all(texts.map((stdin) => other.json(["say", "--as", "rex"], { stdin }))),
  ]);
  expect(posted.map(({ message }) => message.body)).toEqual(texts);
  expect(elsewhere.map(({ message }) => message.body)).toEqual(texts);
  for (const [i, { code, stdout, stderr }] of refused.entries()) {
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`There is no command \`${texts[i]}\`.`);
  }
  for (const { name } of places) {
    const got = await machine.ok(["file", "get", `${name}.md`, "-", "--as", "writer"]);
    expect(got.stdout).toBe(`In ${name}\n`);
  }
});
const putting = (name: string) => [
  "file",
  "put",
  "same.md",
  "--name",
  `${name}.md`,
  "--as",
  "writer",
  "--json",
];

test("a run leaves nothing in the process: no handler of a signal, no folder, no exit code", async () => {
  const before = [
    process.cwd(),
    process.exitCode,
    process.listenerCount("SIGINT"),
    process.umask(),
  ];
  const env = { ...process.env };
  await machine.ok(["file", "put", "plan.md", "--as", "writer"]);
  await machine.ok(["file", "get", "plan.md", "got.md", "--as", "writer"]);
  await machine.run(["nonsense"]);
  const watching = machine.start(["watch", "--limit", "1"]);
  await watching.saying("#");
  watching.kill("SIGINT");
  expect((await watching.end()).code).toBe(0);
  expect(readFileSync(join(machine.home, "got.md"), "utf8")).toBe("The plan\n");
  expect([
    process.cwd(),
    process.exitCode,
    process.listenerCount("SIGINT"),
    process.umask(),
  ]).toEqual(before);
  expect({ ...process.env }).toEqual(env);
});

test("a run has the clock that it is given", async () => {
  const clock = { ...hastened(1), now: () => Date.parse("2026-05-01T12:00:00.000Z") };
  const words = ["ask", "Go?", "--going-with", "yes", "--at", "1h", "--as", "writer"];
  const { message } = await machine.json(words, { clock });
  expect(message.ask.going_at).toBe("2026-05-01T13:00:00.000Z");
});

import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { symlinkSync, lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const machine = newMachine();
const { home, json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const at = (path: string) => join(home, path);
const write = (path: string, text: string) => writeFileSync(at(path), text);
const read = (path: string) => readFileSync(at(path), "utf8");
const digest = (text: string) => `sha256:${Bun.CryptoHasher.hash("sha256", text, "hex")}`;
const errorOf = async (words: string[], options = {}) => {
  const { code, json: answer } = await run([...words, "--json"], options);
  return { exit: code, ...answer().error };
};
/** The commands in a hint, as words to run. */
const commandsIn = (hint: string) =>
  [...hint.matchAll(/`service ([^`]+)`/g)].map(([, words]) => words!.split(" "));

let count = 0;
/** A path and a name that no other test has. */
let file = "";

const { join: code } = await json(["pair", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);
await ok(["join", code.line, "--name", "bo"]);
await ok(["task", "new", "Write it", ...as("rex")]);
beforeEach(() => {
  file = `plan${++count}.md`;
});

/** Two agents with copies of their own of one file: rex at its name, bo at `bo-…`. */
async function shared(text = "one\n"): Promise<string> {
  write(file, text);
  await ok(["file", "put", file, ...as("rex")]);
  await ok(["file", "get", file, `bo-${file}`, ...as("bo")]);
  return `bo-${file}`;
}

describe("file put", () => {
  test("makes a file, and then versions of it, in the contract's shape", async () => {
    write(file, "one\n");
    const first = await json(["file", "put", file, "--maintained", "--task", "1", ...as("rex")]);
    expect(Object.keys(first)).toEqual(["board", "file"]);
    expect(first).toMatchObject({
      board: "demo",
      file: {
        name: file,
        maintained: true,
        about: [{ ref: "DEM-1" }],
        approvals: [],
        mine: null,
        latest: { version: 1, base: 0, size: 4, digest: digest("one\n"), by: { name: "rex" } },
      },
    });
    write(file, "two\n");
    const { stdout } = await ok(["file", "put", file, "--media-type", "text/x-own", ...as("rex")]);
    expect(stdout).toContain(`Wrote ${file} version 2 on demo · 4 bytes\nNobody is notified.`);
    const { file: now } = await json(["file", "show", file, "--board", "demo"]);
    expect(now.latest).toMatchObject({ version: 2, base: 1, media_type: "text/x-own" });
    expect([now.maintained, now.about.length]).toEqual([true, 1]);
  });

  test("of a name that a board does not take suggests one that it does", async () => {
    write("My Plän (v2).md", "x");
    const refused = await errorOf(["file", "put", "My Plän (v2).md", ...as("rex")]);
    expect(refused).toMatchObject({ exit: 2, code: "invalid_request" });
    expect(refused.hint).toContain("--name My-Plan-v2.md --as rex");
    const suggested = async (name: string) =>
      /mv \S+ (\S+) --as/.exec((await errorOf(["file", "mv", "x", name, ...as("rex")])).hint)?.[1];
    expect(await suggested("../.env")).toBe("env");
    expect(await suggested("/a//b c/ü!.txt")).toBe("a/b-c/u.txt");
    expect(await suggested("日本")).toBe("file");
    expect(await suggested(`${"a".repeat(300)}.tar`)).toBe(`${"a".repeat(196)}.tar`);
    await ok(["file", "put", "My Plän (v2).md", "--name", `sub/${file}`, ...as("rex")]);
    write("My Plän (v2).md", "y");
    const again = await json(["file", "put", "My Plän (v2).md", ...as("rex")]);
    expect(again.file).toMatchObject({ name: `sub/${file}`, latest: { version: 2 } });
  });

  test("takes what is piped in, under a name, and empty files", async () => {
    const piped = { stdin: "from a pipe" };
    expect((await errorOf(["file", "put", "-", "--board", "demo"], piped)).exit).toBe(2);
    const words = ["file", "put", "-", "--name", file, "--board", "demo"];
    expect((await json(words, piped)).file.latest).toMatchObject({ version: 1, size: 11 });
    const other = { stdin: "from another" };
    const refused = await errorOf(words, other);
    expect(refused.code).toBe("file_exists");
    const [, anew] = commandsIn(refused.hint);
    expect((await json(anew!, other)).file.latest.version).toBe(2);
    write("empty", "");
    expect((await json(["file", "put", "empty", ...as("bo")])).file.latest.size).toBe(0);
    await ok(["file", "get", "empty", "empty-copy", ...as("bo")]);
    expect(read("empty-copy")).toBe("");
  });

  test("refuses what is no file, and sends nothing", async () => {
    for (const path of ["nowhere.md", ".", "/dev/null", "nowhere/plan.md"])
      expect(await errorOf(["file", "put", path, ...as("rex")])).toMatchObject({
        exit: 2,
        code: "invalid_request",
        hint: expect.stringMatching(/\S/),
      });
    const tasks = Array.from({ length: 9 }, () => ["--task", "1"]).flat();
    expect((await errorOf(["file", "put", "x", ...tasks, ...as("rex")])).exit).toBe(2);
  });

  test("of what looks like a credential says what to do", async () => {
    write(file, `key: abh_${"A".repeat(43)}\n`);
    const refused = await errorOf(["file", "put", file, ...as("rex")]);
    expect(refused.code).toBe("file_has_secret");
    expect(refused.hint).toContain(`\`service file put ${file} --as rex\``);
  });
});

test("the same bytes make no other version, and the answer says so", async () => {
  write(file, "one\n");
  await ok(["file", "put", file, ...as("rex")]);
  expect((await ok(["file", "put", file, ...as("rex")])).stdout).toBe(
    `${file} on demo has these bytes already, as version 1. Nothing was written.\n`,
  );
  write(file, "two\n");
  expect((await json(["file", "put", file, ...as("rex")])).file).toMatchObject({
    changed: true,
    latest: { version: 2 },
  });
});

describe("two who change one file", () => {
  test("lose nothing: the second is told what to do, and its commands work", async () => {
    const own = await shared();
    write(own, "one\nbo\n");
    await ok(["file", "put", own, ...as("bo")]);
    write(file, "one\nrex\n");
    const refused = await errorOf(["file", "put", file, ...as("rex")]);
    expect(refused).toMatchObject({
      exit: 1,
      code: "file_changed",
      details: { version: 2, by: { name: "bo" }, at: expect.any(String) },
    });
    const [fetch, put] = commandsIn(refused.hint);
    await ok(fetch!);
    expect(read(file.replace(".md", ".v2.md"))).toBe("one\nbo\n");
    write(file, "one\nbo\nrex\n");
    await ok(put!);
    expect((await ok(["file", "get", file, "-", ...as("bo")])).stdout).toBe("one\nbo\nrex\n");
  });

  test("learn that a file exists, when they never fetched it", async () => {
    await shared();
    write(`b${file}`, "other");
    const refused = await errorOf(["file", "put", `b${file}`, "--name", file, ...as("bo")]);
    expect(refused).toMatchObject({ code: "file_exists", details: { version: 1 } });
    const [, put] = commandsIn(refused.hint);
    expect((await json(put!)).file.latest.version).toBe(2);
  });

  test("learn that what is there is what they have", async () => {
    const own = await shared();
    write(file, "two\n");
    await ok(["file", "put", file, ...as("rex")]);
    write(own, "two\n");
    const refused = await errorOf(["file", "put", own, ...as("bo")]);
    expect(refused).toMatchObject({ code: "file_changed", details: { version: 2 } });
    expect(refused.hint).toStartWith("Version 2 holds the same bytes as yours, so nothing is left");
    const [known] = commandsIn(refused.hint);
    expect((await json(known!)).version).toBe(2);
    write(own, "three\n");
    expect((await json(["file", "put", own, ...as("bo")])).file.latest.version).toBe(3);
    const piped = ["file", "put", "-", "--name", file, "--json", ...as("rex")];
    const { error } = (await run(piped, { stdin: "three\n" })).json();
    expect(error.code).toBe("file_exists");
    expect(error.hint).toBe(
      "Version 3 holds the same bytes as yours, so nothing is left to write.",
    );
    // What is said of it beside the bytes is not there.
    const more = ["file", "put", "-", "--name", file, "--maintained", ...as("rex")];
    const { hint } = await errorOf(more, { stdin: "three\n" });
    expect(hint).toContain(`file put - --name ${file} --maintained --base 3 --as rex`);
  });

  test("learn that it was renamed, or removed, and how to go on", async () => {
    const own = await shared();
    const { file: before } = await json(["file", "show", file, ...as("bo")]);
    // Another machine's memory would not follow the name.
    const memory = read("state/files.json");
    const moved = await json(["file", "mv", file, `new/${file}`, ...as("rex")]);
    expect(moved).toMatchObject({ board: "demo", file: { id: before.id, name: `new/${file}` } });
    write(own, "two\n");
    expect((await json(["file", "put", own, ...as("bo")])).file.name).toBe(`new/${file}`);
    write(own, "three\n");
    write("state/files.json", memory.replaceAll('"version": 1', '"version": 2'));
    const renamed = await errorOf(["file", "put", own, ...as("bo")]);
    expect(renamed.code).toBe("file_changed");
    expect(renamed.hint).toContain(`It is named new/${file} now`);
    expect((await json(commandsIn(renamed.hint)[0]!)).file.latest.version).toBe(3);
    const kept = read("state/files.json");
    const removed = await json(["file", "rm", `new/${file}`, ...as("rex")]);
    expect(removed).toMatchObject({ board: "demo", file: { latest: { version: 3 } } });
    write("state/files.json", kept);
    const gone = await errorOf(["file", "put", own, ...as("bo")]);
    expect(gone).toMatchObject({ code: "file_changed" });
    const { file: anew } = await json(commandsIn(gone.hint)[0]!);
    expect([anew.latest.version, anew.id === before.id]).toEqual([1, false]);
  });

  test("are not taken for each other, though the path is one", async () => {
    const own = await shared();
    expect(await refusal(["file", "put", own, "--name", file, ...as("rex")])).toBe("file_exists");
    expect(await refusal(["file", "put", own, "--name", file, "--board", "demo"])).toBe(
      "file_exists",
    );
    await ok(["file", "get", file, own, "--board", "demo"]);
    write(own, "the person's\n");
    expect((await json(["file", "put", own, "--board", "demo"])).file.latest).toMatchObject({
      version: 2,
      by: { kind: "human" },
    });
  });

  test("do not take a file for another that came under its name", async () => {
    const own = await shared();
    const memory = read("state/files.json");
    await ok(["file", "rm", file, ...as("rex")]);
    write(file, "another");
    await ok(["file", "put", file, ...as("rex")]);
    write("state/files.json", memory);
    expect(await refusal(["file", "put", own, ...as("bo")])).toBe("file_changed");
  });
});

describe("file get", () => {
  test("writes the version that is asked for, and answers in the contract's shape", async () => {
    await shared();
    write(file, "two\n");
    await ok(["file", "put", file, ...as("rex")]);
    expect(await json(["file", "get", file, "old.md", "--version", "1", ...as("bo")])).toEqual({
      board: "demo",
      name: file,
      version: 1,
      digest: digest("one\n"),
      size: 4,
      path: at("old.md"),
    });
    expect(read("old.md")).toBe("one\n");
    const { stdout } = await ok(["file", "get", file, "old.md", "--version", "1", ...as("bo")]);
    expect(stdout).toContain(`old.md holds ${file} version 1 on demo already\nThe newest is`);
    expect(await refusal(["file", "put", "old.md", ...as("bo")])).toBe("file_changed");
    const none = await errorOf(["file", "get", file, "--version", "9", ...as("bo")]);
    expect(none.code).toBe("version_not_found");
    expect(await refusal(["file", "get", "nothing.md", ...as("bo")])).toBe("file_not_found");
  });

  test("leaves a file that was changed here, unless it is forced, and keeps its mode", async () => {
    const own = await shared();
    write(file, "two\n");
    await ok(["file", "put", file, ...as("rex")]);
    write(own, "mine\n");
    chmodSync(at(own), 0o700);
    const refused = await errorOf(["file", "get", file, own, ...as("bo")]);
    expect(refused).toMatchObject({ exit: 1, code: "local_file_changed" });
    expect(read(own)).toBe("mine\n");
    await ok(commandsIn(refused.hint)[1]!);
    expect([read(own), statSync(at(own)).mode & 0o777]).toEqual(["two\n", 0o700]);
    write("stranger.md", "never sent");
    expect(await refusal(["file", "get", file, "stranger.md", ...as("bo")])).toBe(
      "local_file_changed",
    );
  });

  test("replaces what it wrote itself", async () => {
    const own = await shared();
    write(file, "two\n");
    await ok(["file", "put", file, ...as("rex")]);
    await ok(["file", "get", file, own, ...as("bo")]);
    expect(read(own)).toBe("two\n");
  });

  test("goes into folders, through links, and nowhere else", async () => {
    write("deep.md", "x");
    await ok(["file", "put", "deep.md", "--name", `deep/er/${file}`, ...as("rex")]);
    await ok(["file", "get", `deep/er/${file}`, ...as("rex")]);
    expect(read(`deep/er/${file}`)).toBe("x");
    mkdirSync(at(`into${count}`));
    await ok(["file", "get", `deep/er/${file}`, `into${count}`, ...as("rex")]);
    expect(read(`into${count}/${file}`)).toBe("x");

    write(`target-${file}`, "x");
    symlinkSync(`target-${file}`, at(`link-${file}`));
    await ok(["file", "get", `deep/er/${file}`, `link-${file}`, ...as("rex")]);
    write("deep.md", "y");
    await ok(["file", "put", "deep.md", ...as("rex")]);
    await ok(["file", "get", `deep/er/${file}`, `link-${file}`, ...as("rex")]);
    expect(read(`target-${file}`)).toBe("y");
    expect(lstatSync(at(`link-${file}`)).isSymbolicLink()).toBe(true);

    symlinkSync("nowhere", at(`dangling-${file}`));
    for (const path of [`dangling-${file}`, "/dev/null", "no-folder/x.md", "no-folder/"])
      expect((await errorOf(["file", "get", `deep/er/${file}`, path, ...as("rex")])).exit).toBe(2);
    expect(existsSync(at("nowhere"))).toBe(false);
    mkdirSync(at(`as-folder/${file}`), { recursive: true });
    expect(
      (await errorOf(["file", "get", `deep/er/${file}`, "as-folder", ...as("rex")])).exit,
    ).toBe(2);
  });

  test("writes bytes as they are to standard output, and nothing else there", async () => {
    const bytes = Buffer.from([0, 0x1b, 0x5b, 0xff, 10]);
    writeFileSync(at("bytes.bin"), bytes);
    await ok(["file", "put", "bytes.bin", "--name", `${file}.bin`, ...as("rex")]);
    const out = Bun.spawn(
      [
        "sh",
        "-c",
        `"$0" "$@" > out.bin`,
        process.execPath,
        join(import.meta.dir, "../../../src/main.ts"),
      ].concat(["file", "get", `${file}.bin`, "-", ...as("rex")]),
      { cwd: home, env: machine.env, stderr: "pipe" },
    );
    expect([await out.exited, await new Response(out.stderr).text()]).toEqual([0, ""]);
    expect(readFileSync(at("out.bin"))).toEqual(bytes);
    expect((await errorOf(["file", "get", `${file}.bin`, "-", ...as("rex")])).exit).toBe(2);
  });

  test("remembers in spite of a damaged memory, and does without one that cannot be kept", async () => {
    const own = await shared();
    for (const damage of ["{", "[]", '{"files":[1,{"who":2}]}', "null"]) {
      write("state/files.json", damage);
      await ok(["file", "get", file, own, ...as("bo")]);
      expect(JSON.parse(read("state/files.json")).files).toHaveLength(1);
    }
    expect(statSync(at("state/files.json")).mode & 0o777).toBe(0o600);
    const [remembered] = JSON.parse(read("state/files.json")).files;
    expect(remembered).toMatchObject({
      who: expect.stringMatching(/^mem_/),
      server: "local",
      board: "demo",
      name: file,
      version: 1,
      digest: digest("one\n"),
      path: at(own),
    });
    Bun.spawnSync(["sh", "-c", "rm state/files.json && mkdir state/files.json"], { cwd: home });
    const { stderr } = await ok(["file", "get", file, own, ...as("bo")]);
    expect(stderr).toContain("could not be remembered");
    Bun.spawnSync(["rmdir", "state/files.json"], { cwd: home });
  });
});

describe("file list, show, approve, mv and rm", () => {
  test("show what there is, maintained files first", async () => {
    const { join: code } = await json(["pair", "--board", "shelf", "--name", "mo"]);
    expect(code.line).toContain("shelf");
    const { stdout: empty } = await ok(["file", "list", "--board", "shelf"]);
    expect(empty).toMatch(/^shelf has no files yet\. The first: .*file put PATH --board shelf\n$/);
    write("a.md", "a");
    write("b.md", "b");
    await ok(["file", "put", "a.md", "--maintained", ...as("mo")]);
    await ok(["file", "put", "b.md", ...as("mo")]);
    const { stdout } = await ok(["file", "list", ...as("mo")]);
    expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "WHEN").split("\n")).toEqual([
      "shelf · 2 files",
      "Maintained",
      "  a.md  v1  @mo  WHEN  1 byte",
      "Others",
      "  b.md  v1  @mo  WHEN  1 byte",
      "",
    ]);
    const list = await json(["file", "list", ...as("mo")]);
    expect([Object.keys(list), list.more]).toEqual([["board", "files", "more"], false]);
    const cut = await ok(["file", "list", "--limit", "1", ...as("mo")]);
    expect(cut.stdout).toContain("There are more: ");
    expect((await ok(["file", "list", "--mine", "--board", "shelf"])).stdout).toContain("No such");
    expect(await refusal(["file", "list", "--task", "SHE-9", ...as("mo")])).toBe("task_not_found");
  });

  test("a person approves a version, and takes it back; an agent does not", async () => {
    await shared();
    const approved = await json(["file", "approve", file, "--board", "demo"]);
    expect(Object.keys(approved)).toEqual(["board", "file"]);
    expect(approved.file.approvals).toMatchObject([{ version: 1, changes_since: 0 }]);
    write(file, "two");
    await ok(["file", "put", file, ...as("rex")]);
    const { stdout } = await ok(["file", "show", file, ...as("rex")]);
    expect(stdout).toMatch(/\nApproved\n  v1  @\S+  [-\d: ]+  1 version since\n/);
    expect(stdout).toMatch(
      new RegExp(`^demo · ${file} · version 2\n  text/markdown · 3 bytes\n  fil_`),
    );
    const second = await ok(["file", "approve", file, "--version", "2", "--board", "demo"]);
    expect(second.stdout).toMatch(/^You approve \S+ version 2 on demo at http/);
    const back = await json(["file", "approve", file, "--remove", "--board", "demo"]);
    expect(back.file.approvals).toEqual([]);
    expect(await refusal(["file", "approve", file, ...as("rex")])).toBe("human_command_in_session");
    expect(
      await refusal(["file", "approve", file, "--board", "demo"], { env: { CLAUDECODE: "1" } }),
    ).toBe("human_command_in_session");
    const both = ["file", "approve", file, "--remove", "--version", "1", "--board", "demo"];
    expect((await run(both)).code).toBe(2);
  });

  test("names that are taken or the brief's are refused with what to do", async () => {
    await shared();
    write("c.md", "c");
    await ok(["file", "put", "c.md", "--name", `c-${file}`, ...as("rex")]);
    expect(await refusal(["file", "mv", `c-${file}`, file, ...as("rex")])).toBe("file_name_taken");
    expect(await refusal(["file", "mv", file, "brief.md", ...as("rex")])).toBe(
      "brief_path_reserved",
    );
    const put = await errorOf(["file", "put", "c.md", "--name", "brief.md", ...as("bo")]);
    expect(put.code).toBe("brief_path_reserved");
    expect(put.hint).toContain("`service brief put c.md --as bo`");
  });

  test("are agents' in a session, and `files` is no command", async () => {
    const session = { env: { CLAUDECODE: "1" } };
    expect(await refusal(["file", "list", "--board", "demo"], session)).toBe("agent_not_selected");
    const spelled = await errorOf(["files"]);
    expect(spelled).toMatchObject({ exit: 2, hint: "Did you mean `service file list`?" });
  });
});

describe("task show", () => {
  test("lists the files about the task", async () => {
    await shared();
    write(file, "two");
    await ok(["file", "put", file, "--task", "1", ...as("rex")]);
    const { files } = await json(["task", "show", "1", ...as("rex")]);
    expect(files.map(({ name }: { name: string }) => name)).toContain(file);
    expect((await ok(["task", "show", "1", ...as("rex")])).stdout).toMatch(
      new RegExp(`\nFiles\n(  .*\n)*  ${file} +v2 `),
    );
  });
});

test("nothing half is left beside any of the files", () => {
  expect(readdirSync(home).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a folder that links out of the working folder takes no file, unless its place is typed", async () => {
  const outside = temporaryFolder();
  symlinkSync(outside, at("notes"));
  mkdirSync(at("inner"));
  symlinkSync("inner", at("within"));
  write(file, "one\n");
  for (const folder of ["notes", "notes/deeper", "within"])
    await ok(["file", "put", file, "--name", `${folder}/${file}`, ...as("rex")]);
  for (const folder of ["notes", "notes/deeper"]) {
    const error = await errorOf(["file", "get", `${folder}/${file}`, ...as("bo")]);
    expect(error).toMatchObject({ exit: 2, code: "invalid_request" });
    expect(error.message).toBe(`notes leads out of this folder, to ${outside}.`);
  }
  expect(readdirSync(outside)).toEqual([]);
  await ok(["file", "get", `within/${file}`, ...as("bo")]);
  expect(read(`inner/${file}`)).toBe("one\n");
  const { hint } = await errorOf(["file", "get", `notes/${file}`, ...as("bo")]);
  await ok([...commandsIn(hint)[0]!, ...as("bo")]);
  expect(readdirSync(outside)).toEqual([file]);
});

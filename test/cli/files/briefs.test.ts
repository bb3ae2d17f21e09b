import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { home, json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const write = (path: string, text: string) => writeFileSync(join(home, path), text);
const read = (path: string) => readFileSync(join(home, path), "utf8");
const errorOf = async (words: string[]) => {
  const { code, json: answer } = await run([...words, "--json"]);
  return { exit: code, ...answer().error };
};
const commandsIn = (hint: string) =>
  [...hint.matchAll(/`service ([^`]+)`/g)].map(([, words]) => words!.split(" "));

const { join: code } = await json(["pair", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);
await ok(["join", code.line, "--name", "bo"]);
await ok(["join", code.line, "--name", "cleo"]);

describe("brief", () => {
  test("is not there at first, and says how to write one", async () => {
    for (const words of [["brief"], ["brief", "get"]]) {
      const none = await errorOf([...words, ...as("rex")]);
      expect(none).toMatchObject({ exit: 1, code: "file_not_found" });
      expect(none.hint).toBe(
        "Anyone on it but a guest may write one: `service brief put brief.md --as rex`.",
      );
    }
  });

  test("is written, read and fetched in the contract's shapes", async () => {
    write("brief.md", "# Demo\n\nWe \x1b[31mbuild\x1b[0m.\n");
    const put = await json(["brief", "put", "brief.md", ...as("rex")]);
    expect(put).toEqual({ board: "demo", name: "brief.md", version: 1, replaced: null });
    const { stdout: same } = await ok(["brief", "put", "brief.md", ...as("rex")]);
    expect(same).toBe(
      "The brief of demo has these bytes already: brief.md version 1. Nothing was written.\n",
    );
    const shown = await json(["brief", ...as("bo")]);
    expect(Object.keys(shown)).toEqual(["board", "brief", "text"]);
    expect(shown).toMatchObject({
      brief: { name: "brief.md", version: 1, by: { name: "rex" }, freshness: {} },
      text: read("brief.md"),
    });
    const { stdout } = await ok(["brief", "--board", "demo"]);
    expect(stdout).toMatch(
      /^demo · brief\.md · version 1 by @rex · [-\d: ]+\n\n# Demo\n\nWe build\.\n\nTo change it: .*brief get --board demo\n$/,
    );
    const got = await json(["brief", "get", "bo.md", ...as("bo")]);
    expect(got).toMatchObject({ name: "brief.md", version: 1, path: join(home, "bo.md") });
    expect((await ok(["brief", "get", "-", ...as("bo")])).stdout).toBe(read("brief.md"));
  });

  test("of two who change it the second is told what to do", async () => {
    write("bo.md", "bo's\n");
    expect((await json(["brief", "put", "bo.md", ...as("bo")])).version).toBe(2);
    write("brief.md", "rex's\n");
    const stale = await errorOf(["brief", "put", "brief.md", ...as("rex")]);
    expect(stale).toMatchObject({ code: "file_changed", details: { version: 2 } });
    const [fetch, put] = commandsIn(stale.hint);
    await ok(fetch!);
    expect(read("brief.v2.md")).toBe("bo's\n");
    expect((await json(put!)).version).toBe(3);
    write("new.markdown", "unseen\n");
    const unseen = await errorOf(["brief", "put", "new.markdown", ...as("bo")]);
    expect(unseen).toMatchObject({ code: "file_changed", details: { version: 3 } });
  });

  test("in the other format replaces the one that was fetched, and only when it is told to", async () => {
    write("page.html", "<p>Demo</p>\n");
    const html = ["brief", "put", "page.html"];
    const other = await errorOf([...html, ...as("rex")]);
    expect(other.code).toBe("brief_exists");
    expect(other.hint).toContain("`service brief put page.html --replace-format --as rex`");
    // bo has not seen version 3.
    const stale = await errorOf([...html, "--replace-format", ...as("bo")]);
    expect(stale.code).toBe("file_changed");
    expect(stale.hint).toContain("--replace-format --base 3 --as bo");
    expect(await json([...html, "--replace-format", ...as("rex")])).toEqual({
      board: "demo",
      name: "brief.html",
      version: 1,
      replaced: "brief.md",
    });
    const { files } = await json(["file", "list", ...as("rex")]);
    expect(files.map(({ name }: { name: string }) => name)).toEqual(["brief.html"]);
    write("brief.md", "again\n");
    const back = ["brief", "put", "brief.md", "--replace-format", "--base", "1", ...as("bo")];
    expect(await json(back)).toMatchObject({ name: "brief.md", replaced: "brief.html" });
  });

  test("that was taken away is written anew", async () => {
    await ok(["brief", "get", "mine.md", ...as("rex")]);
    const memory = read("state/files.json");
    await ok(["file", "rm", "brief.md", ...as("bo")]);
    write("state/files.json", memory);
    const gone = await errorOf(["brief", "put", "mine.md", ...as("rex")]);
    expect(gone.code).toBe("file_changed");
    expect(await json(commandsIn(gone.hint)[0]!)).toMatchObject({ version: 1 });
  });

  test("is Markdown or HTML", async () => {
    for (const path of ["brief.txt", "brief", ".md", "brief.constructor"])
      expect((await errorOf(["brief", "put", path, ...as("rex")])).exit).toBe(2);
  });
});

describe("say --attach", () => {
  test("writes the file and attaches that version, and what is there already it only attaches", async () => {
    write("plan.md", "one");
    const sent = await ok(["say", "Look", "--attach", "plan.md", ...as("rex")]);
    expect(sent.stdout).toMatch(/^Sent #\d+ to all on demo · with plan\.md v1\n/);
    const again = await json(["say", "Again", "--attach", "plan.md", ...as("rex")]);
    expect(again.message.files).toMatchObject([{ name: "plan.md", version: 1 }]);
    write("plan.md", "two");
    write("more.txt", "more");
    const both = ["--attach", "plan.md", "--attach", "more.txt"];
    const { message } = await json(["say", "Both", ...both, ...as("rex")]);
    expect(message.files).toMatchObject([
      { name: "plan.md", version: 2 },
      { name: "more.txt", version: 1 },
    ]);
    const { file } = await json(["file", "show", "plan.md", ...as("bo")]);
    expect(file.posted_in.map(({ version }: { version: number }) => version)).toEqual([1, 1, 2]);
    expect((await ok(["file", "show", "plan.md", ...as("bo")])).stdout).toMatch(
      /\nAttached to\n  #\d+  v1\n/,
    );
  });

  test("is read with the files, and with how to fetch them", async () => {
    const { stdout } = await ok(["read", ...as("bo")]);
    const shown = /Both\n    Attached: plan\.md v2 \((fil_\w+)\), more\.txt v1 \(fil_\w+\)\n/;
    const [, id = ""] = shown.exec(stdout)!;
    const fetching = /^Fetch a file: .* file get ID --version N --as bo$/m;
    expect(stdout).toMatch(fetching);
    expect((await ok(["read", "--markdown", ...as("bo")])).stdout).toContain(
      `> Both\n> Attached: plan.md v2 (${id}), more.txt v1 (`,
    );
    const { seq } = (await json(["read", ...as("bo")])).messages.at(-1);
    for (const words of [
      ["read", "--thread", `${seq}`],
      ["message", `${seq}`],
    ])
      expect((await ok([...words, ...as("bo")])).stdout).toMatch(fetching);
    const inbox = (await ok(["inbox", ...as("bo")])).stdout;
    const [, words] = /\nAttached: plan\.md v2\. Fetch it: .* -- (file get .*)\n/.exec(inbox)!;
    await ok(["file", "mv", "plan.md", "moved.md", ...as("rex")]);
    expect((await json([...words!.split(" "), "--force"])).version).toBe(2);
    expect(read("moved.md")).toBe("two");
    // Another file has the name now, with a version of that number.
    for (const text of ["other", "another"]) {
      write("other.md", text);
      await ok(["file", "put", "other.md", "--name", "plan.md", ...as("rex")]);
    }
    expect((await json(["file", "show", "plan.md", ...as("bo")])).file.latest.version).toBe(2);
    const { stdout: fetched } = await ok(["file", "get", id, "-", "--version", "2", ...as("bo")]);
    expect(fetched).toBe("two");
  });

  test("attaches what the board has already, whoever wrote it, and nothing else under its name", async () => {
    write("same.md", "same");
    await ok(["file", "put", "same.md", ...as("bo")]);
    const said = ["say", "Look", "--attach", "same.md", ...as("rex")];
    expect((await json(said)).message.files).toMatchObject([{ name: "same.md", version: 1 }]);
    expect((await json(["file", "show", "same.md", ...as("bo")])).file.versions).toHaveLength(1);
    write("same.md", "other");
    expect(await refusal(["say", "Look", "--attach", "same.md", "--as", "cleo"])).toBe(
      "file_exists",
    );
    // Whoever attached it has it: what they write is a version on it.
    expect((await json(said)).message.files).toMatchObject([{ name: "same.md", version: 2 }]);
  });

  test("posts nothing when a file is refused, and writes nothing when one is not there", async () => {
    const { messages: before } = await json(["read", ...as("rex")]);
    write("new.md", "new");
    const missing = ["--attach", "new.md", "--attach", "nowhere.md"];
    expect((await errorOf(["say", "x", ...missing, ...as("rex")])).exit).toBe(2);
    expect(await refusal(["file", "show", "new.md", ...as("rex")])).toBe("file_not_found");
    write("secret.md", `abh_${"A".repeat(43)}`);
    expect(await refusal(["say", "x", "--attach", "secret.md", ...as("rex")])).toBe(
      "file_has_secret",
    );
    const nine = Array.from({ length: 9 }, () => ["--attach", "new.md"]).flat();
    expect((await errorOf(["say", "x", ...nine, ...as("rex")])).exit).toBe(2);
    expect((await json(["read", ...as("rex")])).messages).toHaveLength(before.length);
  });
});

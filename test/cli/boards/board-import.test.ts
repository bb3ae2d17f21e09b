import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { archiveOf, madeParts, rehashed } from "../../support/boards/board-archive.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { verifyArchive } from "../../../src/cli/boards/moving/verify-archive.ts";

// Ada's machine has the server, so she is its admin; Grace comes to it by invitation.
const ada = newMachine();
const grace = newMachine("Grace");
await ada.ok(["board", "new", "docs"]);
const { link } = await ada.json(["invite", "--person", "--board", "docs"]);
await grace.ok(["connect", link]);

async function written(machine: typeof ada, parts = madeParts({ messages: 2, files: 1 })) {
  const { name, id } = parts.manifest["board"] as { name: string; id: string };
  const file = `${name}.board.tar`;
  await Bun.write(join(machine.home, file), archiveOf(parts));
  return { name, id, file };
}

test("a board is imported, read with the server of its people, and verified", async () => {
  const { name, id, file } = await written(ada);
  const board = ["--board", name];
  const { stdout } = await ada.ok(["board", "import", file]);
  expect(stdout).toContain(`Board ${name} (active) is at `);
  expect(stdout).toContain(`invite --board ${name}`);
  expect((await ada.json(["api", "getBoard", `board=${name}`])).id).toBe(id);
  const { messages } = await ada.json(["read", "--me", ...board]);
  const server = "https://old.example.org";
  expect(messages.map(({ from }: any) => from.origin)).toEqual([server, server]);
  expect((await ada.ok(["read", "--me", ...board])).stdout).toContain("of https://old.example.org");
  expect((await ada.ok(["audit", "verify", ...board])).stdout).not.toBe("");
  await ada.ok(["say", "--me", "Here we go on.", ...board]);
});

test("somebody is given the place of a person of the archive, under another name of the board", async () => {
  const { file } = await written(ada);
  const given = ["--name", "other", "--person", "@zoe=@grace"];
  const { board } = await ada.json(["board", "import", file, ...given]);
  expect(board.name).toBe("other");
  const { people } = await ada.json(["board", "people", "--board", "other"]);
  expect(people.map(({ handle, board_role }: any) => [handle, board_role])).toEqual([
    ["ada-l", "owner"],
    ["grace", "owner"],
  ]);
});

test("who is named wrongly is told what is meant, and where to look", async () => {
  const { name, file } = await written(ada);
  const given = async (person: string) =>
    ada.run(["board", "import", file, "--person", person, "--json"]);
  const bad = await given("zoe=grace");
  expect(bad.code).toBe(2);
  expect(bad.json().error.hint).toContain("--person @ada=@ada-l");
  const { error } = (await given("@zo=@grace")).json();
  expect(error).toMatchObject({
    code: "person_not_on_board",
    message: `@zo was not on board ${name} when it was exported.`,
    hint: expect.stringContaining("where the board comes from"),
  });
  expect((await given("@zoe=@nobody")).json().error.code).toBe("person_not_found");
  await ada.ok(["board", "import", file, "--person", "@zoe=@grace"]);
});

test("what cannot be imported is refused with what is wrong, and only an admin imports", async () => {
  const lying = madeParts({ messages: 2 });
  lying.events[2]!.data!["body"] = "never said";
  const broken = await written(ada, lying);
  const { error } = (await ada.run(["board", "import", broken.file, "--json"])).json();
  expect(error.code).toBe("board_archive_invalid");
  expect(error.message).toContain("event #3 has other data than its hash says");
  expect(error.hint).toContain("Nothing was kept");
  expect((await ada.run(["board", "import", "missing.tar"])).code).toBe(2);
  const whole = await written(grace, rehashed(madeParts()));
  expect(await grace.refusal(["board", "import", whole.file])).toBe("server_admin_required");
  const inSession = { env: { CLAUDECODE: "1" } };
  const asAgent = await ada.run(["board", "import", broken.file, "--json"], inSession);
  expect(asAgent.json().error.code).toBe("human_command_in_session");
});

test("what `board export` writes is what `board import` takes, and nothing is written over unasked", async () => {
  await ada.ok(["say", "--me", "Before the move.", "--board", "docs"]);
  const { stdout } = await ada.ok(["board", "export", "docs"]);
  expect(stdout).toMatch(
    /^docs\.board\.tar: .*, \d+ events and 0 files, verified\.\n.*board import docs\.board\.tar/,
  );
  const again = await ada.run(["board", "export", "docs"]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("--force")]);
  const exported = await ada.json(["board", "export", "docs", "-o", "docs.board.tar", "--force"]);
  expect(exported).toMatchObject({ board: "docs", path: join(ada.home, "docs.board.tar") });
  expect(Bun.file(exported.path).size).toBe(exported.bytes);
  // Grace's machine has a server of its own, to which the board goes.
  const other = newMachine("Grace");
  await Bun.write(join(other.home, "docs.board.tar"), Bun.file(exported.path));
  await other.ok(["board", "import", "docs.board.tar"]);
  const { messages } = await other.json(["read", "--me", "--board", "docs"]);
  expect(messages.map(({ body }: any) => body)).toEqual(["Before the move."]);
  const strange = await grace.run(["board", "export", "docs"]);
  expect([strange.code, strange.stderr]).toEqual([1, expect.stringContaining("owner_required")]);
});

test("an archive does not go to standard output, nor into a file of that name", async () => {
  const { code, error } = await ada
    .run(["board", "export", "docs", "-o", "-", "--json"])
    .then((ran) => ({ code: ran.code, error: ran.json().error }));
  expect([code, error.hint]).toEqual([2, expect.stringContaining("-o FILE")]);
  expect(existsSync(join(ada.home, "-"))).toBe(false);
});

test("an archive that came damaged is not kept", async () => {
  const path = join(ada.home, "damaged.board.tar");
  const whole = Buffer.from(await Bun.file(join(ada.home, "docs.board.tar")).arrayBuffer());
  const changed = Buffer.from(whole);
  changed.write("Something else.", changed.indexOf("Before the move."));
  for (const [wrong, bytes] of [
    ["data_hash_mismatch", changed],
    ["breaks off", whole.subarray(0, 1024)],
    ["the end of the tar", whole.subarray(0, -1024)],
  ] as const) {
    await Bun.write(path, bytes);
    await expect(verifyArchive(path)).rejects.toThrow(wrong);
  }
});

import { beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newMachineOfProcesses, type Machine, type Ran } from "../../support/commands/machine.ts";

let machine: Machine;
beforeEach(() => {
  machine = newMachineOfProcesses();
});

const team = ["--public-url", "https://board.example.org", "--listen", "127.0.0.1:0"];
const serve = (words: string[], env = {}): Promise<Ran> =>
  machine.run(["serve", ...words], { env });
const inHome = (...parts: string[]) => join(machine.home, ...parts);

/** Starts a server, and ends it once it has said where its data lie. */
async function dataOf(words: string[], env: Record<string, string> = {}): Promise<string> {
  const server = machine.start(["serve", ...words], { env });
  const said = await server.saying("Stop with").catch(async () => {
    throw new Error((await server.end()).stderr);
  });
  server.kill("SIGTERM");
  expect((await server.end()).code).toBe(0);
  return /^Data: (.*)$/m.exec(said)![1]!;
}

test("the folder of --db is a team's data folder, with the name as it is and the files beside it", async () => {
  const folder = inHome("with space");
  const db = `sqlite://${encodeURI(folder)}/service.db`;
  expect(await dataOf([...team, "--db", db])).toBe(folder);
  expect(existsSync(join(folder, "service.db"))).toBe(true);
  const files = `disk://${encodeURI(folder)}/files`;
  expect(await dataOf([...team, "--db", db, "--data", `${folder}/`, "--files", files])).toBe(
    folder,
  );
  expect(await dataOf(team, { SERVICE_DB: db, SERVICE_FILES: files })).toBe(folder);
  expect(
    await dataOf([...team, "--db", `sqlite:${inHome("flag")}/service.db`], { SERVICE_DB: db }),
  ).toBe(inHome("flag"));
});

test("two folders for the data end with exit code 2, and nothing is made", async () => {
  const db = `sqlite://${inHome("one")}/service.db`;
  for (const [words, env, said] of [
    [["--db", db, "--data", inHome("two")], {}, "--db and --data"],
    [["--data", inHome("two")], { SERVICE_DB: db }, "SERVICE_DB and --data"],
    [["--db", db], { SERVICE_DATA: inHome("two") }, "--db and SERVICE_DATA"],
  ] as const) {
    const { code, stderr } = await serve([...team, ...words], env);
    expect(stderr).toStartWith(`Error (invalid_request): ${said} name different folders`);
    expect(code).toBe(2);
  }
  expect([existsSync(inHome("one")), existsSync(inHome("two"))]).toEqual([false, false]);
});

test("this machine's own server has its data in its home alone, where its key is kept", async () => {
  const own = `sqlite://${inHome("data")}/service.db`;
  expect(await dataOf(["--db", own, "--files", `disk://${inHome("data/files")}`])).toBe(
    inHome("data"),
  );
  const { code, stderr } = await serve(["--db", `sqlite://${inHome("other")}/service.db`]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("SERVICE_HOME")]);
  expect(existsSync(inHome("other"))).toBe(false);
});

test.each([
  "postgres://ada:hunter2@db.example.org/board",
  "sqlite://ada:hunter2@/srv/service.db",
  "sqlite://ada:hunter2@host/srv/service.db",
  "ada:hunter2@host/srv/service.db",
  "sqlite://host/srv/service.db",
  "sqlite:srv/service.db",
  "sqlite:///srv/hunter2.db",
  "sqlite:///srv/service.db?key=hunter2",
  "sqlite:///srv/service.db?shared=1&key=hunter2",
  "sqlite:///srv/service.db#hunter2",
  "sqlite:///srv/%00/service.db",
  "sqlite:///srv/%zz/service.db",
  "disk:///srv/service.db",
  "/srv/service.db",
])("%s is no database that this program has, and is not printed", async (db) => {
  for (const ran of [
    await serve(["--db", db]),
    await serve([...team, "--db", db]),
    await serve(team, { SERVICE_DB: db }),
  ]) {
    expect(ran.stderr).toMatch(/^Error \(storage_unsupported\): (--db|SERVICE_DB) names storage/);
    expect(ran.stderr).toContain("\nHint: ");
    expect([ran.code, ran.stdout]).toEqual([1, ""]);
    expect(ran.stderr).not.toMatch(/hunter2|ada/);
  }
});

test("a database that another program reads is a team's, and the server makes no backups of it", async () => {
  const db = ["--db", `sqlite://${inHome("team")}/service.db?shared=1`];
  expect(await dataOf([...team, ...db])).toBe(inHome("team"));
  const own = await serve(["--db", `sqlite://${inHome("data")}/service.db?shared=1`]);
  expect([own.code, own.stderr]).toEqual([2, expect.stringContaining("--public-url")]);
  const saved = await serve([...team, ...db, "--backup-every", "24h"]);
  expect([saved.code, saved.stderr]).toEqual([1, expect.stringContaining("Litestream")]);
  expect(saved.stderr).toStartWith("Error (storage_unsupported): ");
});

test.each([
  ["s3://key:hunter2@bucket/files", "names storage that this program does not have"],
  ["disk://ada:hunter2@host/srv/files", "names storage that this program does not have"],
  ["disk:///srv/files?hunter2", "names storage that this program does not have"],
  ["disk:///srv/elsewhere", "names another folder than"],
])("%s is no place for files", async (files, said) => {
  for (const words of [[], team]) {
    const { code, stderr } = await serve([...words, "--files", files]);
    expect(stderr).toStartWith(`Error (storage_unsupported): --files ${said}`);
    expect([code, stderr]).toEqual([1, expect.not.stringContaining("hunter2")]);
  }
});

test("a password in --public-url is refused and not printed", async () => {
  const { code, stdout, stderr } = await serve(["--public-url", "https://me:hidden@board.test"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("--public-url is not an https address without a path.");
  expect(stderr).not.toContain("hidden");
});

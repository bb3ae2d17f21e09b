import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startOn } from "../../support/backups/backed-up-server.ts";
import { startBucket } from "../../support/backups/bucket.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const executable = join(import.meta.dir, "../../../dist/service");

test("a person backs up their own server while it runs and while it is down, verifies, restores and deletes", async () => {
  const machine = newMachine();
  const data = join(machine.home, "data");
  await machine.ok(["board", "new", "docs"]);
  const running = await machine.json(["backup", "--name", "running"]);
  expect(running.backup).toMatchObject({ name: "running", where: join(data, "saved"), boards: 1 });
  const elsewhere = temporaryFolder();
  const copied = await machine.json(["backup", "--name", "copied", "--to", elsewhere]);
  expect(copied.backup.where).toBe(elsewhere);
  await machine.ok(["down"]);
  await machine.ok(["backup", "--name", "down", "--to", elsewhere, "--keep", "2"]);
  const { backups } = await machine.json(["backup", "list", "--to", elsewhere]);
  expect(backups.map(({ name }: { name: string }) => name)).toEqual(["down", "copied"]);
  expect(await machine.json(["backup", "verify", "copied", "--to", elsewhere])).toMatchObject({
    ok: true,
  });

  expect(await machine.refusal(["restore", elsewhere, "--keys", "keep"])).toBe("folder_not_empty");
  for (const name of readdirSync(data)) rmSync(join(data, name), { recursive: true });
  expect(await machine.refusal(["restore", elsewhere])).toBe("confirmation_required");
  expect(existsSync(join(data, "service.db"))).toBe(false);
  const { restore } = await machine.json(["restore", elsewhere, "--keys", "revoke"]);
  expect(restore).toMatchObject({ backup: "down", keys: "revoke", boards: 1 });
  const boards = await machine.json(["boards"]);
  expect(JSON.stringify(boards)).toContain("docs");
  const { restores } = await machine.json(["api", "listRestores"]);
  expect(restores).toHaveLength(1);

  truncateSync(join(elsewhere, "copied", "service.db"), 100);
  const damaged = await machine.run(["backup", "verify", "copied", "--to", elsewhere]);
  expect(damaged.code).toBe(3);
  await machine.ok(["backup", "delete", "copied", "--to", elsewhere, "--yes"]);
  expect(readdirSync(elsewhere)).toEqual(["down"]);
  expect(await machine.refusal(["backup", "verify", "copied", "--to", elsewhere])).toBe(
    "backup_not_found",
  );
});

test("the backup of a server with a place of its own is there, and is copied to where a person asks", async () => {
  const machine = newMachine();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["down"]);
  const [own, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const server = machine.start(["serve", "--backup-to", own]);
  await server.saying("Stop with");
  const { backup } = await machine.json(["backup", "--name", "here"]);
  expect(backup).toMatchObject({ name: "here", where: own, boards: 1 });
  const copied = await machine.json(["backup", "--name", "there", "--to", elsewhere]);
  expect(copied.backup).toMatchObject({ name: "there", where: elsewhere, boards: 1 });
  expect(readdirSync(own).sort()).toEqual(["here", "there"]);
  expect(readdirSync(elsewhere)).toEqual(["there"]);
  // Else its person would find out by a full disk.
  const { stdout } = await machine.ok(["backup", "--name", "told", "--to", elsewhere]);
  expect(stdout).toContain(`The server's own copy of it stays in ${own}: `);
  expect(stdout).toContain(`backup delete told --to ${own}`);
  await machine.ok(["backup", "delete", "told", "--to", own, "--yes"]);
  const { backups } = await machine.json(["api", "listBackups"]);
  expect(backups).toMatchObject([
    { name: "there", where: own },
    { name: "here", where: own },
  ]);
  server.kill("SIGTERM");
  await server.end();
});

test("a person who names the folder of one backup restores that one", async () => {
  const machine = newMachine();
  const place = temporaryFolder();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["down"]);
  for (const name of ["older", "newer"])
    await machine.ok(["backup", "--name", name, "--to", place]);
  const one = join(place, "older");
  const { restore } = await newMachine().json(["restore", one, "--keys", "revoke"]);
  expect(restore).toMatchObject({ backup: "older", boards: 1 });
  rmSync(join(one, "manifest.json"));
  const unusable = await newMachine().run(["restore", one, "--keys", "revoke"]);
  expect([unusable.code, unusable.stderr]).toEqual([
    2,
    expect.stringContaining(`There are no backups in ${one}.`),
  ]);
});

test("a place with backups of two servers says whose each is, and a restore does not choose one", async () => {
  const place = temporaryFolder();
  for (const name of ["one", "other"]) {
    const machine = newMachine();
    await machine.ok(["board", "new", name]);
    await machine.ok(["backup", "--name", name, "--to", place]);
  }
  const machine = newMachine();
  const { stdout } = await machine.ok(["backup", "list", "--to", place]);
  expect(stdout.match(/ srv_\w{26}$/gm)).toHaveLength(2);
  const { code, stderr } = await machine.run(["restore", place, "--keys", "keep"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("The newest of each: other, one.")]);
  const { restore } = await machine.json(["restore", place, "one", "--keys", "keep"]);
  expect(restore).toMatchObject({ backup: "one" });
});

test("a person whose database is lost restores it from the backups beside it, and on a machine that was looked at", async () => {
  const machine = newMachine();
  const data = join(machine.home, "data");
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["backup", "--name", "one"]);
  await machine.ok(["down"]);
  const saved = join(data, "saved");
  const words = ["restore", saved, "--keys", "keep"];
  for (const name of ["service.db", "digest-key"]) {
    expect(await machine.refusal(words)).toBe("folder_not_empty");
    rmSync(join(data, name));
  }
  expect((await machine.json(words)).restore).toMatchObject({ backup: "one", boards: 1 });
  expect(JSON.stringify(await machine.json(["boards"]))).toContain("docs");

  const other = newMachine();
  await other.ok(["status"]);
  expect((await other.json(words)).restore).toMatchObject({ backup: "one" });
});

test("a place or a data folder that cannot be one is refused before anything happens", async () => {
  const machine = newMachine();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["down"]);
  const place = temporaryFolder();
  await machine.ok(["backup", "--name", "one", "--to", place]);
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const inFile = join(file, "folder");
  for (const to of [file, inFile]) {
    const started = await machine.run(["serve", "--backup-to", to]);
    expect([started.code, started.stderr]).toEqual([
      1,
      expect.stringContaining(`Error (storage_unsupported): No backup can be kept in ${to}: `),
    ]);
    expect(await machine.refusal(["backup", "--to", to])).toBe("storage_unsupported");
  }
  for (const words of [["restore", place, "--keys", "keep"], ["backup"], ["backup", "list"]]) {
    const { code, stderr } = await machine.run([...words, "--data", inFile]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${inFile} lies in a file`)]);
  }
});

test("a person backs up into a bucket and restores from it, encrypted with their key", async () => {
  const machine = newMachine();
  const { env: bucket, where } = await startBucket();
  const env = { ...bucket, SERVICE_BACKUP_KEY: Buffer.alloc(32, 7).toString("base64") };
  const to = ["--to", where];
  await machine.ok(["board", "new", "docs"]);
  const open = await machine.ok(["backup", "--name", "open", ...to], { env: bucket });
  expect(open.stderr).toContain("SERVICE_BACKUP_KEY");
  const sealed = await machine.ok(["backup", "--name", "sealed", ...to], { env });
  expect(sealed.stderr).not.toContain("SERVICE_BACKUP_KEY");
  await machine.ok(["down"]);
  const down = await machine.json(["backup", "--name", "down", ...to], { env });
  expect(down.backup).toMatchObject({ name: "down", where, boards: 1 });
  const { backups } = await machine.json(["backup", "list", ...to], { env });
  expect(backups.map(({ name }: { name: string }) => name)).toEqual(["down", "sealed", "open"]);
  expect(await machine.json(["backup", "verify", "sealed", ...to], { env })).toMatchObject({
    ok: true,
  });
  expect(await machine.refusal(["backup", "verify", "sealed", ...to], { env: bucket })).toBe(
    "backup_key_invalid",
  );
  expect(await machine.refusal(["backup", "list", ...to])).toBe("storage_unsupported");
  await machine.ok(["backup", "delete", "sealed", ...to, "--yes"], { env });
  const other = newMachine();
  const { restore } = await other.json(["restore", where, "--keys", "revoke"], { env });
  expect(restore).toMatchObject({ backup: "down", boards: 1 });
  expect(JSON.stringify(await other.json(["boards"]))).toContain("docs");
});

test.each([
  ["restore", (where: string) => ["restore", where, "one", "--keys", "keep"]],
  ["backup verify", (where: string) => ["backup", "verify", "one", "--to", where]],
] as const)("%s that is stopped leaves nothing of what it fetched", async (_what, words) => {
  const machine = newMachine();
  const { env: bucket, where, state } = await startBucket();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["backup", "--name", "one", "--to", where], { env: bucket });
  const other = newMachine();
  const fetched = () =>
    readdirSync(other.home).filter((name) => name.startsWith("service-backup-"));
  const asked = Promise.withResolvers<void>();
  state.fault = ({ method, url }) => {
    if (method !== "GET" || !url.includes("/service.db")) return undefined;
    asked.resolve();
    return new Promise(() => {});
  };
  const env = { ...bucket, TMPDIR: other.home };
  const stopped = other.asProcess.start(words(where), { env });
  await asked.promise;
  expect(fetched()).toHaveLength(1);
  stopped.kill("SIGINT");
  expect((await stopped.end()).code).toBe(130);
  expect(fetched()).toEqual([]);
});

test("backups that cannot be read are listed as such, and a restore says why", async () => {
  const machine = newMachine();
  const { env, where } = await startBucket();
  const sealed = { env: { ...env, SERVICE_BACKUP_KEY: Buffer.alloc(32, 7).toString("base64") } };
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["backup", "--name", "one", "--to", where], sealed);
  const { stdout } = await machine.ok(["backup", "list", "--to", where], { env });
  expect(stdout).toContain("There are no backups in s3://backups/team that can be read.");
  expect(stdout).toContain("Not readable: one.");
  const restoring = ["restore", where, "--keys", "keep"];
  const other = newMachine();
  expect(await other.refusal(restoring, { env })).toBe("backup_key_invalid");
  const wrong = { env: { ...env, SERVICE_BACKUP_KEY: Buffer.alloc(32, 8).toString("base64") } };
  const { error } = (await other.run([...restoring, "--json"], wrong)).json();
  expect(error.code).toBe("backup_damaged");
  expect(error.hint).toContain("the key with which it was made");
  await machine.ok(["backup", "delete", "one", "--to", where, "--yes"], { env });
  expect((await machine.json(["backup", "list", "--to", where], { env })).unreadable).toEqual([]);
});

test("a backup with a changed manifest is none that can be used, and goes when it is deleted", async () => {
  const machine = newMachine();
  await machine.ok(["board", "new", "docs"]);
  const place = temporaryFolder();
  for (const name of ["changed", "whole"])
    await machine.ok(["backup", "--name", name, "--to", place]);
  const manifest = join(place, "changed/manifest.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"at":"20', '"at":"19'));
  const { code, stdout } = await machine.run(["backup", "verify", "changed", "--to", place]);
  expect([code, stdout]).toEqual([3, expect.stringContaining("changed after it was written")]);
  const listed = await machine.json(["backup", "list", "--to", place]);
  expect(listed).toMatchObject({ backups: [{ name: "whole" }], unreadable: ["changed"] });
  // A folder without a manifest is no backup, damaged or not.
  mkdirSync(join(place, "photos"));
  expect((await machine.json(["backup", "list", "--to", place])).unreadable).toEqual(["changed"]);
  rmSync(join(place, "photos"), { recursive: true });
  await machine.ok(["backup", "delete", "changed", "--to", place, "--yes"]);
  expect(readdirSync(place)).toEqual(["whole"]);
});

/** A team's server that runs in this process, with its data in a folder and the key of its admin. */
async function runningTeam() {
  const home = temporaryFolder(() => server.stop());
  const [data, port] = [join(home, "data"), freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  const server = await startOn(data, home, { mode: "team", publicUrl, port });
  return { data, url: publicUrl, key: readFileSync(join(home, "key"), "utf8").trim() };
}

test("a backup is of the server whose data folder is meant, whichever server is the default", async () => {
  const [one, other] = [await runningTeam(), await runningTeam()];
  const machine = newMachine();
  for (const { url, key } of [one, other]) await machine.ok(["login", url], { stdin: key });
  await machine.ok(["servers", "use", one.url]);
  const elsewhere = temporaryFolder();
  const right = ["backup", "--data", other.data, "--server", other.url, "--to", elsewhere];
  const { backup } = await machine.json([...right, "--name", "right"]);
  const { server_id } = await machine.json(["api", "getInfo", "--server", other.url]);
  expect(backup.server_id).toBe(server_id);

  const wrong = await machine.run(["backup", "--data", other.data, "--to", elsewhere]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining(`and not the one of ${other.data}`),
  ]);
  expect(readdirSync(elsewhere)).toEqual(["right"]);

  await machine.ok(["up"]);
  const own = await machine.json(["backup", "--name", "own"]);
  expect(own.backup.where).toBe(join(machine.home, "data", "saved"));

  const unknown = newMachine();
  expect(await unknown.refusal(["backup", "--data", other.data])).toBe("login_required");
  expect(readdirSync(unknown.home)).toEqual([]);
});

test("a name that is none is refused, and nothing is written outside the place", async () => {
  const machine = newMachine();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["down"]);
  const place = join(temporaryFolder(), "saved");
  for (const name of ["../out", "Nightly", "a".repeat(41), "-x"])
    expect(await machine.refusal(["backup", `--name=${name}`, "--to", place])).toBe(
      "invalid_request",
    );
  expect(readdirSync(join(place, ".."))).toEqual([]);
});

// Only root can give a folder away.
test.skipIf(process.getuid!() !== 0)(
  "backups of another user are not said to be damaged",
  async () => {
    const machine = newMachine();
    const [place, home] = [temporaryFolder(), temporaryFolder()];
    await machine.ok(["board", "new", "docs"]);
    await machine.ok(["backup", "--name", "roots", "--to", place]);
    chmodSync(place, 0o755);
    chownSync(home, 54_321, 54_321);
    // The checkout may be where that user cannot look.
    const program = join(home, "service");
    copyFileSync(executable, program);
    chmodSync(program, 0o755);
    const asOther = async (...words: string[]) => {
      const { stdout } = Bun.spawnSync(
        ["setpriv", "--reuid=54321", "--clear-groups", program, ...words, "--json"],
        { env: { PATH: process.env["PATH"]!, SERVICE_HOME: home, HOME: home }, cwd: "/" },
      );
      return JSON.parse(stdout.toString()).error;
    };
    for (const words of [
      ["backup", "verify", "roots", "--to", place],
      ["restore", place, "roots", "--keys", "keep"],
    ])
      expect([words, await asOther(...words)]).toMatchObject([
        words,
        { code: "backup_place_failed", hint: expect.stringContaining("chown -R") },
      ]);
  },
);

test("who names no backup, or no place of backups, is told where to look", async () => {
  const machine = newMachine();
  const place = temporaryFolder();
  await machine.ok(["board", "new", "docs"]);
  await machine.ok(["backup", "--name", "one", "--to", place]);
  const other = newMachine();
  const restored = async (...where: string[]) =>
    (await other.run(["restore", ...where, "--keys", "keep", "--json"])).json().error;
  const none = { code: "backup_not_found", message: `There is no backup two in ${place}.` };
  const listed = expect.stringContaining(`backup list --to ${place}`);
  expect(await restored(place, "two")).toMatchObject({ ...none, hint: listed });
  const verified = await machine.run(["backup", "verify", "two", "--to", place, "--json"]);
  expect(verified.json().error).toMatchObject({ ...none, hint: listed });
  const { hint } = await restored("saved");
  expect(hint).toContain("an absolute folder, such as `/srv/backups`, or a bucket");
});

import { beforeEach, expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { newMachineOfProcesses, type Machine } from "../../support/commands/machine.ts";
import { serveTeam } from "../../support/commands/team-server.ts";

let machine: Machine;
beforeEach(() => {
  machine = newMachineOfProcesses();
});
const team = () => join(machine.home, "team");
const recover = (...words: string[]) => ["recover", "--data", team(), ...words];
/** The lines of a server's log about recovered keys. */
const logged = (stderr: string) =>
  stderr
    .split("\n")
    .filter((line) => line.includes("key.recovered"))
    .map((line) => JSON.parse(line));

test("a team's admin who lost their key gets another one, and the next start logs that once", async () => {
  const before = await serveTeam(machine);
  const lost = before.key();
  const keysBefore = (await before.as(lost).call("listKeys")).keys;
  expect(logged((await before.stop()).stderr)).toEqual([]);
  rmSync(before.keyFile);

  const made = await machine.json(recover());
  expect(made).toEqual({
    data: team(),
    person: { handle: "admin" },
    key: { id: expect.stringMatching(/^key_/), name: "recovered" },
    key_file: before.keyFile,
  });
  expect(statSync(before.keyFile).mode & 0o777).toBe(0o600);

  const after = await serveTeam(machine);
  expect(after.key()).not.toBe(lost);
  expect(after.welcome).toContain(before.keyFile);
  const { keys, person, current_key_id } = await after.as(after.key()).call("listKeys");
  expect(person).toMatchObject({ handle: "admin", server_role: "admin" });
  expect(current_key_id).toBe(made.key.id);
  expect(keys.map(({ id }) => id)).toEqual([...keysBefore.map(({ id }) => id), made.key.id]);
  expect(keys.at(-1)).toMatchObject({ name: "recovered", idle_expiry_seconds: 90 * 86_400 });
  // The lost key was not revoked.
  expect((await after.as(lost).call("getMe")).name).toBe("admin");
  const { stderr } = await after.stop();
  expect(logged(stderr)).toMatchObject([{ level: "warn", key: made.key.id, handle: "admin" }]);
  expect(stderr).not.toContain(after.key());

  expect(logged((await (await serveTeam(machine)).stop()).stderr)).toEqual([]);
});

test("nothing is made while a server runs on the folder, nor over a key that is there", async () => {
  const server = await serveTeam(machine);
  const { keyFile } = server;
  const key = server.key();
  rmSync(keyFile);
  expect(await machine.refusal(recover())).toBe("server_already_running");
  expect(existsSync(keyFile)).toBe(false);
  const { keys } = await server.as(key).call("listKeys");
  expect(keys).toHaveLength(1);
  await server.stop();

  await machine.ok(recover());
  const first = readFileSync(keyFile, "utf8");
  const again = await machine.run(recover());
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(keyFile)]);
  expect(again.stderr).toStartWith("Error (key_file_exists)");
  expect(readFileSync(keyFile, "utf8")).toBe(first);
  // A second key of the same person has a name of its own, and both are logged.
  rmSync(keyFile);
  expect((await machine.json(recover())).key.name).toBe("recovered-2");
  const { stderr } = await (await serveTeam(machine)).stop();
  expect(logged(stderr)).toHaveLength(2);
});

test("--handle names an admin; anybody else is refused with the admins' names, and no file is left", async () => {
  const server = await serveTeam(machine);
  const admin = server.as(server.key());
  for (const handle of ["bea", "carl"]) {
    const { invite } = await admin.call("createServerInvite");
    await server.as().call("connect", { body: { invite, handle, key_name: "laptop" } });
  }
  await admin.call("setServerRole", { params: { handle: "bea" }, body: { server_role: "admin" } });
  await server.stop();
  // A handle that cannot get a key is told before a key that is in the way.
  expect(await machine.refusal(recover("--handle", "nobody"))).toBe("server_admin_required");
  expect(await machine.refusal(recover("--handle", "bea"))).toBe("key_file_exists");
  rmSync(server.keyFile);
  for (const handle of ["carl", "nobody"]) {
    const { code, stderr } = await machine.run(recover("--handle", handle));
    expect(stderr).toStartWith(`Error (server_admin_required): @${handle} `);
    expect([code, stderr]).toEqual([1, expect.stringContaining("@admin, @bea")]);
  }
  expect(existsSync(server.keyFile)).toBe(false);
  expect((await machine.json(recover("--handle", "@bea"))).person.handle).toBe("bea");
  const again = await serveTeam(machine);
  expect((await again.as(again.key()).call("getMe")).name).toBe("bea");
  const { stderr } = await again.stop();
  expect(logged(stderr)).toHaveLength(1);
});

test("this machine's own server gets its owner's key back, which does not end", async () => {
  await machine.ok(["pair"]);
  const file = join(machine.home, "config/owner-token");
  await machine.ok(["down"]);
  expect(await machine.refusal(["recover"])).toBe("key_file_exists");
  rmSync(file);
  expect(await machine.json(["recover"])).toMatchObject({ key_file: file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { keys, current_key_id } = await machine.json(["keys"]);
  expect(keys.find(({ id }: any) => id === current_key_id)).toMatchObject({
    name: "recovered",
    expires_at: null,
  });
  expect(readFileSync(join(machine.home, "data/server.log"), "utf8")).toContain("key.recovered");
  expect(await machine.refusal(["recover", "--data", join(machine.home, "data")])).toBe(
    "server_already_running",
  );
});

test("a folder without a server's data, or of another kind of server, is left as it is", async () => {
  mkdirSync(team(), { mode: 0o700 });
  expect(await machine.refusal(recover())).toBe("data_unusable");
  expect(readdirSync(team())).toEqual([]);
  expect(await machine.refusal(["recover", "--data", join(team(), "none")])).toBe("data_unusable");
  expect((await machine.run(["recover", "--data", "team"])).code).toBe(2);

  const other = newMachineOfProcesses();
  await other.ok(["pair"]);
  await other.ok(["down"]);
  const local = join(other.home, "data");
  expect(await machine.refusal(["recover", "--data", local])).toBe("database_mode");
  expect(existsSync(join(local, "admin-key"))).toBe(false);
});

test("a folder of another user is refused with the line that runs the command as them", async () => {
  // Only root can give a folder away; anybody else finds one of root's.
  const isRoot = process.getuid!() === 0;
  const folder = isRoot ? team() : "/usr";
  if (isRoot) {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 54_321, 54_321);
  }
  const user = isRoot ? "'#54321'" : "root";
  for (const words of [
    ["recover", "--data", folder],
    ["serve", "--public-url", "https://board.example.org", "--data", folder],
  ]) {
    const { code, stderr } = await machine.run(words);
    expect(stderr).toMatch(/belongs to another user/);
    expect(stderr).toContain(`sudo -u ${user} `);
    expect(stderr).toContain(words.join(" "));
    expect(code).toBe(1);
  }
});

test("it is a person's command", async () => {
  const env = { CLAUDECODE: "1" };
  expect(await machine.refusal(recover(), { env })).toBe("human_command_in_session");
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readManifest } from "../../../src/backup/manifest.ts";
import { createClient, type Client } from "../../../src/client/client.ts";
import { restoreBackup } from "../../../src/server/offline/restore.ts";
import { takeBackup } from "../../../src/server/backup/take-backup.ts";
import { program, startOn } from "../../support/backups/backed-up-server.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A team's server with a credential of every kind, and how to restore its backup and start it again at the same address. */
async function backedUpTeam() {
  const home = temporaryFolder(() => server.stop());
  const [data, target, port] = [join(home, "data"), join(home, "restored"), freePort()];
  const publicUrl = `http://127.0.0.1:${port}`;
  const start = (folder: string) => startOn(folder, home, { mode: "team", publicUrl, port });
  let server = await start(data);
  const as = (token?: string) => createClient({ baseUrl: publicUrl, ...(token && { token }) });
  const key = readFileSync(join(home, "key"), "utf8").trim();
  const ana = as(key);
  await ana.call("createBoard", { body: { name: "docs" } });
  const params = { board: "docs" };
  const { code } = await ana.call("createJoinCode", { params, body: { role: "member" } });
  const seat = await ana.call("join", { body: { code, name: "scout" } as never });
  const { invite } = await ana.call("createServerInvite");
  const bo = await as().call("connect", {
    body: { invite, handle: "bo", key_name: "laptop" } as never,
  });
  const delegation = await ana.call("createDelegation", { body: { name: "phone" } });
  const browser = await as().call("createBrowserToken", {
    body: { code: (await ana.call("createLoginCode")).code },
  });
  const credentials: Record<string, Client> = {
    "an admin's key": ana,
    "a person's key": as((bo.key as { token?: string }).token),
    "an agent's token": as((seat as { token: string }).token),
    "a delegation": as(delegation.token),
    "a browser's token": as(browser.token),
  };
  const open = {
    invite: (await ana.call("createServerInvite")).invite,
    loginCode: (await ana.call("createLoginCode")).code,
    machine: await as().call("startMachineRequest", { body: { handle: "ana", label: "phone" } }),
    joinCode: (await ana.call("createJoinCode", { params, body: { role: "member" } })).code,
  };
  const source = { db: server.db, dataFolder: data, program, version: "0.0.0-test" };
  await takeBackup(source, join(home, "saved"), "one");
  async function restored(keys: "keep" | "revoke") {
    await server.stop();
    const from = join(home, "saved/one");
    await restoreBackup({
      mode: "team",
      from,
      manifest: readManifest(from),
      name: "one",
      keys,
      dataFolder: target,
      keyFile: join(target, "admin-key"),
    });
    server = await start(target);
  }
  return { as, ana, credentials, open, restored, target };
}

/** Whether each credential is one. What it may do is another matter. */
async function areKnown(credentials: Readonly<Record<string, Client>>) {
  const known: Record<string, boolean> = {};
  for (const [what, client] of Object.entries(credentials))
    known[what] = (await client.send("listBoards")).status !== 401;
  return known;
}

for (const keys of ["keep", "revoke"] as const)
  test(`after a restore with ${keys} ${keys === "keep" ? "keys and what hangs on them work" : "no credential of before works"}, and nothing that was open does`, async () => {
    const { as, ana, credentials, open, restored, target } = await backedUpTeam();
    const all = Object.keys(credentials);
    const every = (value: boolean) => Object.fromEntries(all.map((what) => [what, value]));
    expect(await areKnown(credentials)).toEqual(every(true));
    await restored(keys);
    expect(await areKnown(credentials)).toEqual({
      ...every(keys === "keep"),
      "a browser's token": false,
    });
    const asked = [
      ["connect", { invite: open.invite, handle: "cleo", key_name: "laptop" }],
      ["createBrowserToken", { code: open.loginCode }],
      ["collectMachineRequest", { secret: open.machine.secret }],
    ] as const;
    for (const [name, body] of asked)
      expect([name, (await as().send(name, { body } as never)).status]).toEqual([name, 404]);
    const admin =
      keys === "keep" ? ana : as(readFileSync(join(target, "admin-key"), "utf8").trim());
    const joining = await admin.send("join", {
      body: { code: open.joinCode, name: "late" },
    } as never);
    expect(joining.status).toBe(404);
    expect((await admin.call("listRestores")).restores).toMatchObject([{ backup: "one", keys }]);
  });

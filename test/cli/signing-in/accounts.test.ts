import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

// One person's machine with the server, and two machines that come to it from outside.
const host = newMachine();
const guest = newMachine("Grace");
const laptop = newMachine();

const url = (await host.json(["pair"])).server.url;

const serversOf = (home: string) =>
  JSON.parse(readFileSync(join(home, "config/servers.json"), "utf8"));

test("an invitation brings a person and puts them on its board", async () => {
  const { link, boards } = await host.json(["invite", "--person", "--board", "general"]);
  expect(link).toStartWith(`${url}/join#abi_`);
  expect(boards).toEqual(["general"]);
  const connected = await guest.json(["connect", link, "--display-name", "Grace H"]);
  expect(connected).toMatchObject({
    server: { name: url, url },
    person: { handle: "grace", display_name: "Grace H", server_role: "member" },
    default: true,
  });
  expect(connected.key.token).toBeUndefined();
  expect(statSync(join(guest.home, "config/servers.json")).mode & 0o777).toBe(0o600);
  expect((await guest.json(["boards"])).boards.map(({ name }: any) => name)).toEqual(["general"]);
  expect(await guest.refusal(["connect", link])).toBe("already_connected");
});

test("people are listed on the server and on a board", async () => {
  const { people } = await host.json(["people"]);
  expect(people.map(({ handle }: any) => handle)).toEqual(["ada-l", "grace"]);
  const board = await guest.json(["board", "people"]);
  expect(board).toMatchObject({ board: "general", visibility: "open" });
  expect(board.people.map(({ handle }: any) => handle)).toEqual(["ada-l", "grace"]);
});

test("a person joins an open board, once", async () => {
  await host.ok(["board", "new", "open-one"]);
  const first = await guest.json(["join", "--board", "open-one"]);
  expect(first).toMatchObject({ board: "open-one", added: true, person: { handle: "grace" } });
  const again = await guest.json(["join", "--board", "open-one"]);
  expect(again).toMatchObject({ added: false, person: { handle: "grace" } });
});

test("a hidden board stays hidden until somebody adds the person", async () => {
  await host.ok(["board", "new", "hidden", "--private"]);
  expect(await guest.refusal(["join", "--board", "hidden"])).toBe("board_not_found");
  const added = await host.json(["board", "add", "@grace", "--board", "hidden"]);
  expect(added).toMatchObject({ board: "hidden", person: { handle: "grace" } });
  expect(await guest.json(["join", "--board", "hidden"])).toMatchObject({ added: false });
});

test("a code is for its maker's agents only", async () => {
  const { join_line: line } = await host.json(["invite", "--board", "general"]);
  expect(await guest.refusal(["join", line])).toBe("join_code_not_yours");
  const own = await guest.json(["invite", "--board", "general"]);
  const { agent } = await guest.json(["join", own.join_line, "--name", "gus"]);
  expect(agent).toMatchObject({ name: "gus", owner: "grace" });
});

test("a key signs another machine in, and out when it is revoked", async () => {
  const { key } = await host.json(["keys", "create", "laptop", "--expires", "30d"]);
  const signedIn = await laptop.json(["login", url], { stdin: `${key.token}\n` });
  expect(signedIn).toMatchObject({
    person: { handle: "ada-l" },
    key: { name: "laptop" },
    previous_use: null,
    replaced: false,
  });
  const again = await laptop.json(["login", url], { stdin: key.token });
  expect(again).toMatchObject({ previous_use: expect.stringMatching(/Z$/), replaced: true });
  expect(serversOf(laptop.home)).toMatchObject({
    default: url,
    servers: [{ url, key: key.token }],
  });
  expect(await laptop.refusal(["keys", "revoke", "laptop"])).toBe("confirmation_required");
  expect(await host.json(["keys", "revoke", "laptop"])).toMatchObject({
    key: { state: "revoked" },
    this_machine: false,
  });
  expect((await laptop.run(["whoami", "--json"])).json().error).toMatchObject({
    code: "unauthorized",
    hint: expect.stringContaining(`\`service login ${url}\``),
  });
  const status = await laptop.run(["status"]);
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining(" (running, version ")]);
  expect(status.stdout).toContain(`was revoked or has ended. With another key: `);
  expect(status.stdout).toContain(`login ${url}`);
  expect((await laptop.json(["status"])).access_error).toMatchObject({ code: "unauthorized" });
  expect((await host.json(["status"])).access_error).toBeUndefined();
  const { keys, current_key_id } = await host.json(["keys"]);
  expect(keys.map(({ state }: any) => state)).toEqual(["working", "revoked"]);
  expect(current_key_id).toBe(keys[0].id);
});

test("a last key is revoked after a warning that says how to stay signed in", async () => {
  const alone = newMachine("Ivo");
  const { server, keys } = await alone.json(["keys"]);
  const revoke = ["keys", "revoke", keys[0].id];
  const { code, message, hint } = (await alone.run([...revoke, "--json"])).json().error;
  expect([code, hint]).toEqual(["confirmation_required", expect.stringContaining(" --yes`")]);
  expect(message).toContain("You have no other working key there");
  expect(message).toMatch(/ keys create NAME\) .+ login http:\S+\)/);
  // The way that it names.
  const { key } = await alone.json(["keys", "create", "next"]);
  await alone.ok(["login", server.url], { stdin: key.token });
  expect((await alone.json(revoke)).this_machine).toBe(false);
  const { stdout } = await alone.ok(["keys", "revoke", "next", "--yes"]);
  expect(stdout).toEndWith(" This machine is signed out; no other key of yours works there.\n");
  // Nobody could approve another key: the way out is on the server's machine, and that is this one.
  const { hint: out } = (await alone.run(["boards", "--json"])).json().error;
  const file = `${alone.home}/config/owner-token`;
  expect(out).toEndWith(`\`service down\`, then \`rm ${file}\`, then \`service recover\`.`);
  await alone.ok(["down"]);
  rmSync(file);
  await alone.ok(["recover"]);
  expect((await alone.ok(["whoami"])).stdout).toContain("@ivo");
});

test("what is no working key is refused and not kept", async () => {
  const before = serversOf(guest.home);
  for (const stdin of ["", "hello", `abh_${"x".repeat(43)}`])
    expect(await guest.refusal(["login", url], { stdin })).toBe("key_invalid");
  expect(serversOf(guest.home)).toEqual(before);
  const { choices } = JSON.parse((await host.run(["keys", "revoke", "nope", "--json"])).stdout)
    .error.details;
  expect(choices[0]).toMatch(/^.+ \(key_/);
});

test("a key that was typed where it does not belong is not printed", async () => {
  const key = `abh_${"x".repeat(43)}`;
  for (const words of [["login", key], ["servers", "use", key], ["keys", "revoke", key], [key]])
    for (const more of [[], ["--json"]]) {
      const { code, stdout, stderr } = await host.run([...words, ...more]);
      expect(code).toBeGreaterThan(0);
      expect(stdout + stderr).toContain("abh_…");
      expect(stdout + stderr).not.toContain(key);
    }
});

test("with several servers one is the default, and boards shows them all", async () => {
  const local = await guest.json(["boards", "--server", "local"]);
  expect(local).toMatchObject({ server: { name: "local" }, boards: [] });
  const all = await guest.json(["boards"]);
  expect(all.server.url).toBe(url);
  expect(all.servers.map(({ server }: any) => server.name)).toEqual([url, "local"]);
  // One server that was chosen is shown alone, unless all are asked for.
  expect((await guest.json(["boards", "--server", url])).servers).toBeUndefined();
  const chosen = await guest.json(["boards", "--all-servers"], {
    env: { SERVICE_SERVER: "local" },
  });
  expect(chosen.servers.map(({ server }: any) => server.name)).toEqual(["local", url]);
  for (const words of [
    ["--server", url],
    ["--as", "gus"],
  ])
    expect((await guest.run(["boards", "--all-servers", ...words])).code).toBe(2);
  expect(await guest.json(["servers", "use", "local"])).toMatchObject({
    server: { name: "local" },
    previous: { url },
  });
  expect((await guest.json(["servers"])).servers).toMatchObject([
    { name: "local", local: true, default: true },
    { name: url, local: false, default: false, handle: "grace" },
  ]);
  const env = { SERVICE_SERVER: url };
  expect((await guest.json(["whoami"], { env })).me.name).toBe("grace");
  expect((await guest.json(["whoami", "--server", "local"], { env })).server.name).toBe("local");
});

test("several servers of which none is chosen are all shown, and asked about otherwise", async () => {
  const other = newMachine("Ida");
  const far = (await other.json(["up"])).server.url;
  for (const [at, machine] of [
    [url, host],
    [far, other],
  ] as const) {
    const { key } = await machine.json(["keys", "create", "shared"]);
    await laptop.ok(["login", at], { stdin: key.token });
  }
  const kept = await laptop.ok(["login", far], {
    stdin: (await other.json(["keys", "create", "again"])).key.token,
  });
  expect(kept.stdout).toContain("\nThe key that was kept here before is replaced, and not revoked");
  expect(kept.stdout).toContain("revoking it signs both out");
  await laptop.ok(["servers", "use", far]);
  await laptop.ok(["servers", "remove", far, "--yes"]);
  await laptop.ok(["login", far], {
    stdin: (await other.json(["keys", "create", "third"])).key.token,
  });
  const file = serversOf(laptop.home);
  writeFileSync(
    join(laptop.home, "config/servers.json"),
    JSON.stringify({ ...file, default: null }),
  );
  const { server, servers } = await laptop.json(["boards"]);
  expect([server.url, servers.length]).toEqual([url, 2]);
  expect(await laptop.refusal(["people"])).toBe("server_not_selected");
});

test("a server that is forgotten takes its key and its agents' seats along, on this machine alone", async () => {
  const question = `This machine forgets its key for ${url}, and 1 agent there. The key itself still works until it is revoked. Forget it?`;
  const forget = ["servers", "remove", url];
  expect((await guest.run([...forget, "--json"])).json().error).toMatchObject({
    code: "confirmation_required",
    message: question,
  });
  expect(await guest.refusal(["servers", "remove", "https://example.org"])).toBe("server_unknown");
  expect((await guest.run(["servers", "remove", "local"])).code).toBe(2);
  const [{ key }] = serversOf(guest.home).servers;
  await guest.ok(["servers", "use", url]);
  expect((await guest.ok([...forget, "--yes"])).stdout).toMatch(
    /^This machine has forgotten \S+\. Commands go to \S+\.\n$/,
  );
  expect((await guest.json(["servers"])).servers.map(({ name }: any) => name)).toEqual(["local"]);
  expect(await guest.refusal(["whoami", "--as", "gus"])).toBe("agent_not_selected");
  const back = await guest.ok(["login", url], { stdin: key });
  expect(back.stdout).toStartWith(`Signed in to ${url} as @grace (member), key `);
});

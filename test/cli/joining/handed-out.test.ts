import { expect, test } from "bun:test";
import { newMachine, type Machine } from "../../support/commands/machine.ts";

// Ada's machine with a server, Grace's with another that Ada has a key for too, and Gil, who comes as a guest.
const ada = newMachine();
const grace = newMachine("Grace");
const gil = newMachine("Gil");
const docs = ["--board", "docs"];

const env = { SERVICE_RATE_SCALE: "0" };
const url = (await ada.json(["pair", ...docs], { env })).server.url;
const far = (await grace.json(["pair", "--board", "far"], { env })).server.url;
const { link } = await grace.json(["invite", "--person", "--board", "far"]);
await ada.ok(["connect", link]);
await ada.ok(["servers", "use", "local"]);

const errorOf = async (machine: Machine, words: string[]) => {
  const ran = await machine.run([...words, "--json"]);
  return { exit: ran.code, ...ran.json().error };
};
/** The ids of codes that are listed at this machine's own server. */
const codesOf = async (words: string[] = []): Promise<string[]> =>
  (await ada.json(["invite", "list", "--server", "local", ...words])).join_codes.map(
    ({ id }: { id: string }) => id,
  );

test("whatever is handed out names its id and the command that takes it back", async () => {
  for (const words of [["--person"], docs, ["--guest", "ida", ...docs]]) {
    const { id } = await ada.json(["invite", ...words]);
    expect(id).toMatch(/^(inv|jc)_/);
    const { stdout } = await ada.ok(["invite", ...words]);
    const command = /^Take it back: .+ (invite revoke (?:inv|jc)_\w{26})$/m.exec(stdout)?.[1];
    const revoked = await ada.json(command!.split(" "));
    expect(revoked).toMatchObject({ server: { url }, revoked: true });
    await ada.ok(["invite", "revoke", id]);
  }
  expect(await codesOf()).toHaveLength(1);
});

test("the list says for whom each is, by whom, how often it was used and when it ends, on every server", async () => {
  const person = await ada.json(["invite", "--person", ...docs]);
  const guest = await ada.json(["invite", "--guest", "gil", ...docs, "--ttl", "1h"]);
  const code = await ada.json(["invite", ...docs, "--ttl", "2h"]);
  const away = await ada.json(["invite", "--board", "far", "--server", far]);
  await ada.ok(["join", code.join_line, "--name", "scout"]);
  const listed = await ada.json(["invite", "list"]);
  expect(listed.server.url).toBe(url);
  expect(listed.servers.map(({ server }: any) => server.url)).toEqual([url, far]);
  expect(listed.servers[1].join_codes).toMatchObject([{ id: away.id, board: "far", uses: 0 }]);
  expect(listed.invites).toMatchObject([{ id: person.id, state: "active" }]);
  const { stdout } = await ada.ok(["invite", "list"]);
  const line = (id: string) => stdout.split("\n").find((one) => one.includes(id));
  const until = /until \d{4}-\d\d-\d\d \d\d:\d\d$/;
  expect(line(person.id)).toMatch(/for one person, onto docs +until /);
  expect(line(guest.id)).toMatch(/board docs +as member +for the guest @gil +by ada-l +unused /);
  expect(line(code.id)).toMatch(/for agents of @ada-l +by ada-l +used 1 time +until /);
  for (const id of [person.id, guest.id, code.id, away.id]) expect(line(id)).toMatch(until);
  expect(stdout).toMatch(/^Revoke one: .+ invite revoke ID$/m);
  expect(stdout).toContain(`invite revoke ID --server ${far}`);
  for (const secret of [person.link, guest.join_line, code.join_line, away.join_line])
    expect(stdout).not.toContain(/[^#\s]+$/.exec(secret)![0]);

  const alone = (await ada.ok(["invite", "list", "--board", "far"])).stdout;
  expect([alone.includes(away.id), alone.includes(code.id), alone.includes(url)]).toEqual([
    true,
    false,
    false,
  ]);

  // It is taken back by its id alone, whichever server it is at.
  for (const id of [person.id, guest.id, code.id, away.id])
    expect(await ada.json(["invite", "revoke", id])).toMatchObject({ id, revoked: true });
  expect(await gil.refusal(["join", guest.join_line])).toBe("join_code_invalid");
  expect(await ada.refusal(["join", away.join_line])).toBe("join_code_invalid");
  const { stdout: ended } = await ada.ok(["invite", "list", "--all", "--server", "local"]);
  expect(ended).toMatch(new RegExp(`${code.id}.* used 1 time +revoked$`, "m"));
  expect(ended).toMatch(new RegExp(`${person.id}.* revoked$`, "m"));
});

test("where nothing was handed out, the list says what would", async () => {
  const { stdout } = await ada.ok(["invite", "list", "--board", "nowhere", "--all"]);
  const [here, , there] = stdout.split("\n");
  expect(here).toMatch(/^No invitations or join codes for board nowhere at http\S+\. Make one: /);
  expect(there).toEndWith(` invite --board nowhere --server ${far}`);
  expect((await ada.ok(["invite", "list", "--board", "nowhere"])).stdout).toContain(
    " invite list --all --board nowhere",
  );
});

test("an id that nobody knows, and what is no id, lead to the list", async () => {
  for (const [id, code] of [
    [`jc_${"0".repeat(26)}`, "join_code_not_found"],
    [`inv_${"0".repeat(26)}`, "invite_not_found"],
  ] as const) {
    const error = await errorOf(ada, ["invite", "revoke", id]);
    expect(error).toMatchObject({ exit: 1, code });
    expect(error.message).toContain(`${id} at ${url}, ${far}.`);
    expect(error.hint).toContain("`service invite list --all`");
  }
  for (const text of ["7QK-M2X", `${url}/join#abi_x`]) {
    const error = await errorOf(ada, ["invite", "revoke", text]);
    expect(error).toMatchObject({ exit: 2, code: "invalid_request" });
    expect(error.hint).toContain("`service invite list`");
  }
});

test("a person's agent, a session and a guest hand nothing out and take nothing back", async () => {
  const { id, join_line } = await ada.json(["invite", "--guest", "gil", ...docs]);
  for (const words of [
    ["invite", "list"],
    ["invite", "revoke", id],
  ]) {
    const error = await ada.run([...words, "--json"], { env: { CLAUDECODE: "1" } });
    expect(error.json().error.code).toBe("human_command_in_session");
  }
  await gil.ok(["join", join_line]);
  expect(await gil.refusal(["invite", "list"])).toBe("guest_not_allowed");
  await gil.ok(["pair", "--server", "local"]);
  for (const list of [["invite", "list"], ["pairing"]])
    expect((await gil.ok(list)).stdout).not.toContain(url);
});

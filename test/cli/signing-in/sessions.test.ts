import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const ada = newMachine();
const grace = newMachine("Grace");
/** The secrets of Ada's two keys. */

const env = { SERVICE_RATE_SCALE: "0" };
const url = (await ada.json(["up"], { env })).server.url;
const own = readFileSync(join(ada.home, "config/owner-token"), "utf8").trim();
const laptop = (await ada.json(["keys", "create", "laptop"])).key.token;
const { link } = await ada.json(["invite", "--person"]);
await grace.ok(["connect", link]);

/** Signs a browser in with a key, as the server's own page does. */
async function browser(key: string) {
  const answer = await fetch(`${url}/v1/browser-sessions`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ key }),
  });
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  const cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
  const status = async () => (await fetch(`${url}/v1/me`, { headers: { cookie } })).status;
  return { id, status };
}
const idsOf = async (...words: string[]) =>
  (await ada.json(["keys", "sessions", ...words])).sessions.map(({ id }: any) => id);

test("browsers are listed newest first, with the key that started each, and by key", async () => {
  expect((await ada.ok(["keys", "sessions"])).stdout).toBe(
    `@ada-l is signed in to ${url} in no browser.\n`,
  );
  const [first, second] = [await browser(own), await browser(laptop)];
  const listed = await ada.json(["keys", "sessions"]);
  expect(listed).toEqual({
    server: { name: "local", url },
    person: expect.objectContaining({ handle: "ada-l" }),
    sessions: [
      expect.objectContaining({ id: second.id, started_with: "access_key" }),
      expect.objectContaining({ id: first.id, started_with: "access_key" }),
    ],
  });
  expect(listed.sessions[0].key.name).toBe("laptop");
  expect(await idsOf("laptop")).toEqual([second.id]);
  expect(await idsOf(listed.sessions[1].key.id)).toEqual([first.id]);
  const { stdout } = await ada.ok(["keys", "sessions", "laptop"]);
  expect(stdout).toStartWith(`Browsers where @ada-l is signed in to ${url}:\n  ${second.id}`);
  expect(stdout).toContain("key laptop  by a pasted key  since ");
  expect(stdout).toContain(" keys sessions end ID\n");
  const { keys } = await ada.json(["keys"]);
  expect(keys.map(({ browser_sessions }: any) => browser_sessions)).toEqual([1, 1]);
});

test("one browser is signed out, and the others stay", async () => {
  const [one, other] = [await browser(own), await browser(own)];
  const ended = await ada.json(["keys", "sessions", "end", one.id]);
  expect(ended).toMatchObject({ server: { name: "local" }, session: { id: one.id } });
  expect([await one.status(), await other.status()]).toEqual([401, 200]);
  expect(await ada.refusal(["keys", "sessions", "end", one.id])).toBe("browser_session_not_found");
  expect(await grace.refusal(["keys", "sessions", "end", other.id])).toBe(
    "browser_session_not_found",
  );
  for (const id of ["ses_1", "key_01JZ8V5R6C0N3W7Q2X9KD4MBTE", ""])
    expect((await ada.run(["keys", "sessions", "end", id])).code).toBe(2);
  expect((await ada.run(["keys", "sessions", "end"])).code).toBe(2);
  const text = await ada.ok(["keys", "sessions", "end", other.id]);
  expect(text.stdout).toStartWith(`Signed out of the browser ${other.id} (key `);
});

test("all browsers are signed out at once, and the key stays", async () => {
  const open = [await browser(own), await browser(laptop)];
  const count = (await idsOf()).length;
  const { code, stderr } = await ada.run(["logout"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Say what to sign out of.")]);
  expect((await ada.ok(["help", "logout"])).stdout).toContain("logout --browsers [flags]");
  expect(await ada.json(["logout", "--browsers"])).toEqual({
    server: { name: "local", url },
    server_started: false,
    ended: count,
  });
  for (const one of open) expect(await one.status()).toBe(401);
  expect((await ada.ok(["logout", "--browsers"])).stdout).toBe(
    `You were signed in to ${url} in no browser.\n`,
  );
  await browser(own);
  expect((await ada.ok(["logout", "--browsers"])).stdout).toBe(
    `Signed out of 1 browser at ${url}.\n`,
  );
});

test("a revoked key takes its browsers along", async () => {
  const { key } = await ada.json(["keys", "create", "short"]);
  const one = await browser(key.token);
  const other = await browser(own);
  await ada.ok(["keys", "revoke", "short"]);
  expect([await one.status(), await other.status()]).toEqual([401, 200]);
  expect(await idsOf("short")).toEqual([]);
  expect((await ada.ok(["keys", "sessions", "short"])).stdout).toBe(
    `@ada-l is signed in to ${url} in no browser by the key short.\n`,
  );
});

test("a key is named by its name or id, and one that is not there lists those that are", async () => {
  const ran = await ada.run(["keys", "sessions", "nope", "--json"]);
  expect(ran.json().error).toMatchObject({
    code: "key_not_selected",
    details: { choices: expect.arrayContaining([expect.stringMatching(/^laptop \(key_/)]) },
  });
});

test("revoking this machine's own key asks, and says when it is the only one", async () => {
  const { name } = (await grace.json(["keys"])).keys[0];
  const words = ["keys", "revoke", name];
  const question = `This machine uses the key ${name} for ${url}; revoking it signs this machine out and stops its agents.`;
  const messageOf = async () => (await grace.run([...words, "--json"])).json().error.message;
  const last = await messageOf();
  expect(last).toStartWith(`${question} You have no other working key there, so you could never`);
  expect(last).toMatch(/keys create NAME\b.*\blogin http.*, then revoke this one\. Revoke it\?$/);
  await grace.ok(["keys", "create", "spare"]);
  expect(await messageOf()).toBe(`${question} Revoke it?`);
  const { stdout } = await grace.ok([...words, "--yes"]);
  expect(stdout).toStartWith(
    `Key ${name} of @grace at ${url} is revoked. This machine is signed out; with another key: `,
  );
  expect(await grace.refusal(["whoami"])).toBe("unauthorized");
});

test("they are a person's commands", async () => {
  const env = { SERVICE_SESSION: "claude-code:1" };
  for (const words of [
    ["keys", "sessions"],
    ["logout", "--browsers"],
  ])
    expect(await ada.refusal(words, { env })).toBe("human_command_in_session");
});

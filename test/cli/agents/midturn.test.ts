import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const session = { env: { CLAUDECODE: "1" } };

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);

const midturn = (...words: string[]) => json(["delivery", "midturn", ...words]);

test("a person reads and sets the default for their agents", async () => {
  const first = await midturn();
  expect(Object.keys(first)).toEqual(["server", "policy", "source", "changed", "overrides"]);
  const unset = { policy: "my-agents", source: "person_default", changed: false, overrides: [] };
  expect(first).toMatchObject(unset);
  expect(await midturn("owner-only")).toMatchObject({ policy: "owner-only", changed: true });
  expect(await midturn("owner-only")).toMatchObject({ policy: "owner-only", changed: false });
  const { stdout } = await ok(["delivery", "midturn"]);
  expect(stdout).toMatch(/^Your agents at http:\S+\nMid-turn policy: owner-only\. While a turn/);
  const rex = { board: "demo", agent: "rex", policy: "owner-only", source: "person_default" };
  expect(await midturn(...as("rex"))).toEqual({ ...rex, changed: false });
});

test("one agent gets its own, and gives it back", async () => {
  const own = { board: "demo", agent: "rex", policy: "my-agents", source: "agent_override" };
  expect(await midturn("my-agents", ...as("rex"))).toEqual({ ...own, changed: true });
  expect(await midturn(...as("@rex"))).toEqual({ ...own, changed: false });
  const { overrides } = await midturn();
  expect(overrides).toEqual([
    { board: "demo", agent: "rex", member_id: expect.any(String), policy: "my-agents" },
  ]);
  const { stdout } = await ok(["delivery", "midturn"]);
  expect(stdout).toEndWith("With a policy of their own:\n  rex  demo  my-agents\n");
  const text = await ok(["delivery", "midturn", ...as("rex")]);
  expect(text.stdout).toStartWith("rex on demo\nMid-turn policy: my-agents, its own. While a turn");
  // Our daemon does not bring them during the turn, so nothing says that they come then.
  expect(text.stdout).toContain(
    "this program's names them in the turn, and brings them at its end",
  );
  const back = { ...own, policy: "owner-only", source: "person_default", changed: true };
  expect(await midturn("default", ...as("rex"))).toEqual(back);
  const env = { SERVICE_AGENT: "rex" };
  expect((await json(["delivery", "midturn", "my-agents"], { env })).source).toBe("agent_override");
  expect(await json(["delivery", "midturn", "clear"], { env })).toEqual(back);
  expect(await midturn("clear", ...as("rex"))).toEqual({ ...back, changed: false });
});

test("an agent reads what holds for itself, and sets nothing in a session", async () => {
  const shown = await json(["delivery", "midturn", ...as("rex")], session);
  expect(shown).toMatchObject({ agent: "rex", policy: "owner-only", source: "person_default" });
  expect(await refusal(["delivery", "midturn"], session)).toBe("agent_not_selected");
  for (const words of [["my-agents"], ["default", ...as("rex")]])
    expect(await refusal(["delivery", "midturn", ...words], session)).toBe(
      "human_command_in_session",
    );
});

test("what cannot be done is refused with what can", async () => {
  const nobody = await run(["delivery", "midturn", "default"]);
  expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining("--as NAME")]);
  const unknown = ["delivery", "midturn", "owner-only", ...as("nobody"), "--board", "demo"];
  expect(await refusal(unknown)).toBe("agent_not_found");
  expect(await refusal(["delivery", "midturn", "owner-only", ...as("nobody")])).toBe(
    "agent_not_selected",
  );
  const word = await run(["delivery", "midturn", "always"]);
  expect([word.code, word.stderr]).toEqual([2, expect.stringContaining("owner-only, my-agents")]);
  const server = ["delivery", "midturn", "my-agents", ...as("rex"), "--server", "local"];
  expect((await run(server)).code).toBe(2);
});

test("what a session may not do leads its person to the same agent, not to all of theirs", async () => {
  const session = { env: { CLAUDECODE: "1", SERVICE_AGENT: "rex" } };
  for (const words of [
    ["delivery", "midturn", "owner-only"],
    ["delivery", "all"],
  ]) {
    const { error } = (await run([...words, "--json"], session)).json();
    expect(error.hint).toContain(`\`service ${words.join(" ")} --as rex\``);
    const named = (await run([...words, ...as("writer"), "--json"], session)).json();
    expect(named.error.hint).toContain(`\`service ${words.join(" ")} --as writer\``);
  }
  // A person's own read position has no agent.
  const { error } = (await run(["read", "--mark-read", "--json"], session)).json();
  expect(error.hint).toContain("`service read --mark-read`");
});

test("`delivery` alone takes its modes as before, and names them for a word that is none", async () => {
  expect((await json(["delivery", "all", ...as("rex")])).mode).toBe("all");
  const { code, stderr } = await run(["delivery", "midtrun"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("focused, all, humans, off")]);
});

test("status shows what holds for the agent, and nothing of it for the person", async () => {
  const status = await json(["status", ...as("rex")]);
  expect(status.midturn).toEqual({ policy: "owner-only", source: "person_default" });
  const { stdout } = await ok(["status", ...as("rex")]);
  expect(stdout).toContain("Mid-turn policy: owner-only, its person's default.");
  expect((await json(["status"])).midturn).toBeNull();
});

test("receipts tell the sender what its urgent message may do, and everybody what waits", async () => {
  const say = ["say", "Stop", "--to", "@rex", "--urgent", ...as("writer")];
  const { message } = await json(say);
  const receipts = async (...words: string[]) =>
    (await ok(["read", "--receipts", `${message.seq}`, ...words])).stdout.split("\n")[1];
  const state = "  @rex  pending  disconnected";
  const hint = "only its person reaches it during a turn";
  expect(await receipts(...as("writer"))).toMatch(new RegExp(`^${state} +${hint}$`));
  expect(await receipts("--board", "demo")).toBe(state);
  await midturn("my-agents", ...as("rex"));
  expect(await receipts(...as("writer"))).toMatch(/ may reach it during a turn$/);
  const queue = (report: object) => {
    const body = JSON.stringify({ session: "codex:1", boot: "1", ...report });
    return ok(["api", "reportDeliveryQueue", "--body", body, ...as("rex")]);
  };
  await queue({ expected_epoch: 0 });
  const messages = [{ message_id: message.id, seq: message.seq }];
  await queue({ epoch: 1, revision: 1, messages });
  expect(await receipts("--board", "demo")).toBe(`${state}  waits for the end of its turn`);
  const { recipients } = await json(["read", "--receipts", `${message.seq}`, ...as("writer")]);
  expect(recipients).toMatchObject([
    { queued: { boundary: "turn_end" }, midturn_hint: "peer_if_supported" },
  ]);
});

import { expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { startSession, type PlayedSession } from "../../support/daemon/session-on-machine.ts";

const inboxOf = async (session: PlayedSession) =>
  (await session.json(["inbox", "--wait", "20"])).messages;

/** One agent asks the other and waits for the answer, which the other gives. */
async function asks(from: PlayedSession, to: PlayedSession, name: string): Promise<void> {
  const asking = from.start(["say", "Ready?", "--to", `@${name}`, "--wait-reply", "20", "--json"]);
  const [{ seq, from: sender }] = await inboxOf(to);
  await to.ok(["say", "Ready.", "--reply", `${seq}`, "--to", `@${sender.name}`]);
  expect((await asking.end()).json().outcome).toBe("reply");
}

test("two sessions on two machines are paired when each has asked the other and got an answer", async () => {
  const [ada, grace] = [newMachine(), newMachine("Grace")];
  await ada.ok(["pair", "--board", "demo", "--name", "rex"], { env: { SERVICE_RATE_SCALE: "0" } });
  await grace.ok(["connect", (await ada.json(["invite", "--person", "--board", "demo"])).link]);
  const one = await startSession(ada, "s-1");
  const two = await startSession(grace, "s-2");
  await one.ok(["resume", "rex"]);
  const { request } = await one.json(["pairing", "request", "@grace", "Review the draft"]);
  expect((await two.json(["pairing", "list"])).requests).toMatchObject([{ id: request.id }]);
  expect((await two.ok(["pairing", "list"])).stdout).toContain("from @ada-l");
  expect(await two.refusal(["pairing", "accept"])).toBe("agent_session_required");
  await two.ok(["join", "--board", "demo", "--name", "scout"]);
  const selected = await one.json(["pairing", "select", request.id, "--here"]);
  expect(selected).toMatchObject({ board: "demo", request: { awaiting: "recipient" } });
  const accepted = await two.json(["pairing", "accept", "--here"]);
  expect(accepted.request).toMatchObject({ id: request.id, state: "verifying" });
  // Her person's message asks the agent to accept.
  expect((await inboxOf(two)).at(-1).body).toContain("pairing accept");
  await asks(one, two, "scout");
  await asks(two, one, "rex");
  const stateNow = async () => (await one.json(["pairing", "show", request.id])).request.state;
  for (let tries = 0; tries < 100 && (await stateNow()) !== "ready"; tries++) await Bun.sleep(5);
  expect(await stateNow()).toBe("ready");
  expect((await two.ok(["pairing", "accept", request.id])).stdout).toContain(
    `${request.id} · ready`,
  );
});

test("in a terminal a person is told what a session does, and what they can do", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "demo", "--name", "rex"]);
  const { stdout } = await machine.run(["pairing", "accept", "prq_1", "--json"]);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "agent_session_required",
    hint: "The agent runs it in its session. Here `service pairing decline prq_1` declines it.",
  });
});

import { expect, test } from "bun:test";
import { newMachine } from "../support/commands/machine.ts";
import { startSession } from "../support/daemon/session-on-machine.ts";
import { overStdio } from "../support/mcp/tool-clients.ts";

/** A machine with the agents writer and scout on docs. */
async function startMachine() {
  const machine = newMachine();
  const { join } = await machine.json(["pair", "--board", "docs", "--name", "writer"]);
  await machine.ok(["join", join.line, "--name", "scout"]);
  const senders = async () => {
    const { messages } = await machine.json(["api", "listMessages", "board=docs"]);
    return messages.map(({ from }: { from: { name: string } }) => from.name);
  };
  return { machine, senders };
}

test("the tools act as the agent of the session that their process belongs to, also after it began anew", async () => {
  const { machine, senders } = await startMachine();
  const first = await startSession(machine, "s-1");
  await first.ok(["resume", "writer"]);
  // The environment keeps the id of the session in which the tools were started.
  const tools = await overStdio("new", { ...machine, env: { ...machine.env, ...first.env } });
  expect((await tools.use("say", { text: "one" })).isError).toBe(false);
  await first.ask({ op: "end" });
  const second = await startSession(machine, "s-2");
  const refused = await tools.use("say", { text: "as whom?" });
  expect(refused.data.error.code).toBe("agent_not_selected");
  expect(refused.text).toContain("service resume NAME");
  await second.ok(["resume", "scout"]);
  expect((await tools.use("say", { text: "two" })).isError).toBe(false);
  await tools.close();
  expect(await senders()).toEqual(["writer", "scout"]);
});

test("Codex says in each call of which session it is, and a subagent of one may only read", async () => {
  const { machine, senders } = await startMachine();
  const claude = await startSession(machine, "s-1");
  await claude.ok(["resume", "writer"]);
  const seat = (await claude.ask({ op: "agents" })).agents![0]!;
  const codex = { harness: "codex", session: "thread-1" };
  await claude.ask({ op: "register", ...codex });
  await claude.ask({ op: "bind", ...codex, agent: seat });
  const tools = await overStdio("new", machine);
  const root = { sessionId: "thread-1", threadId: "thread-1" };
  expect((await tools.use("say", { text: "root" }, root)).isError).toBe(false);
  const inner = { sessionId: "thread-1", threadId: "thread-2" };
  const refused = await tools.use("say", { text: "inner" }, inner);
  expect(refused.data.error.code).toBe("subagent_without_seat");
  expect((await tools.use("read", { do: "messages" }, inner)).text).toContain("root");
  const other = await tools.use("say", { text: "other" }, { sessionId: "thread-9" });
  expect(other.data.error.code).toBe("agent_not_selected");
  await tools.close();
  expect(await senders()).toEqual(["writer"]);
});

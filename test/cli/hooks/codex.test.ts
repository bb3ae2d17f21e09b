import { afterEach, expect, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";
import { contextOf, playCodex } from "../../support/commands/played-session.ts";
import { untilTrue } from "../../support/wait-until.ts";

const connects = spyOn(Bun, "connect");
afterEach(() => void connects.mockClear());

/** A machine with a board, and a session of its agent in the middle of a turn. */
async function startedSession() {
  const machine = newMachine();
  await machine.asProcess.ok(["daemon", "start"]);
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const [seat] = JSON.parse(readFileSync(join(machine.home, "config", "credentials.json"), "utf8"));
  const played = playCodex(machine);
  await played.hook("SessionStart", { source: "startup" });
  await machine.ok(["resume", seat.name], { env: played.env });
  await played.hook("UserPromptSubmit", { turn_id: "t1", prompt: "Hello." });
  const position = () => played.positionOf(seat.token);
  return { ...played, machine, board: seat.board, name: seat.name, position };
}

test("a session that starts again learns which agent it is, by context and by nothing else", async () => {
  const { hook } = await startedSession();
  const begun = await hook("SessionStart", { source: "resume" });
  expect(contextOf(begun, "SessionStart")).toContain("You are writer on the board docs.");
  expect(begun.code).toBe(0);
});

test("the owner's words come after a tool, and the end of the turn confirms them and prints nothing", async () => {
  const { hook, post, board, name, position } = await startedSession();
  const { seq } = await post(board, { body: "Stop that.", to: [`@${name}`] });
  const tool = () => hook("PostToolUse", { turn_id: "t1", tool_name: "exec_command" });
  let context = "";
  await untilTrue(async () => {
    const ran = await tool();
    if (ran.stdout !== "") context = contextOf(ran, "PostToolUse");
    return context !== "";
  }, "the owner's words");
  expect(context).toContain("Stop that.");
  // A tool of the same answer may begin after it: that proves nothing.
  expect(await hook("PreToolUse", { turn_id: "t1" })).toMatchObject({ code: 0, stdout: "" });
  expect(await position()).toBeLessThan(seq);
  expect(await hook("Stop", { turn_id: "t1" })).toMatchObject({ code: 0, stdout: "", stderr: "" });
  await untilTrue(async () => (await position()) >= seq, "the acknowledgement");
});

test("a subagent's hooks reach nobody", async () => {
  const { hook } = await startedSession();
  connects.mockClear();
  for (const event of ["SessionStart", "PreToolUse", "PostToolUse", "Stop"] as const)
    expect(await hook(event, { turn_id: "t1", agent_id: "child" })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
  expect(connects).not.toHaveBeenCalled();
});

test("a hook of a broken daemon ends with 0 and one line", async () => {
  const machine = newMachine();
  const { hook } = playCodex(machine);
  const ran = await hook("UserPromptSubmit", { turn_id: "t1" }, { SANDBOX_RUNTIME: "1" });
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(ran.stderr).toMatch(/^service hook: [^\n]+\n$/);
});

import { expect, test } from "bun:test";
import { planIn } from "../../../src/cli/hooks/plan-in.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { playClaudeCode } from "../../support/commands/played-session.ts";
import { untilTrue } from "../../support/wait-until.ts";

const todos = [
  { content: "Read", status: "completed", activeForm: "Reading" },
  { content: "Write", status: "in_progress", activeForm: "Writing the parser" },
  { content: "Test", status: "pending", activeForm: "Testing" },
];

test("a tool that changes the agent's list of work sets its status line", async () => {
  const machine = newMachine();
  await machine.ok(["pair", "--board", "docs", "--name", "writer"]);
  const { hook, env } = playClaudeCode(machine);
  await hook("SessionStart", { source: "startup" });
  await machine.ok(["resume", "writer"], { env });
  const tool_calls = [{ tool_name: "Bash" }, { tool_name: "TodoWrite", tool_input: { todos } }];
  const ran = await hook("PostToolBatch", { prompt_id: "p1", tool_calls });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const text = async () => (await machine.json(["status"], { env })).line?.text;
  await untilTrue(async () => (await text()) === "Writing the parser", "the line");
});

test("the lists of work of each harness are understood, and anything else is none", () => {
  const calls = (...tool_calls: object[]) => planIn({ tool_calls });
  expect(calls({ tool_name: "TodoWrite", tool_input: { todos } })).toEqual({
    text: "Writing the parser",
    done: 1,
    total: 3,
  });
  const update = { tool_name: "TaskUpdate", tool_input: { status: "in_progress", subject: "Fix" } };
  expect(calls(update, { tool_name: "Read" })).toMatchObject({ text: "Fix" });
  const steps = { plan: [{ step: "Parse", status: "in_progress" }] };
  expect(planIn({ tool_name: "update_plan", tool_input: steps })).toMatchObject({ text: "Parse" });
  for (const input of [
    {},
    { tool_calls: "x" },
    { tool_calls: [null, 1, { tool_name: "TodoWrite" }] },
    { tool_calls: [{ tool_name: "TodoWrite", tool_input: { todos: [{ status: 1 }, null] } }] },
    { tool_calls: [{ tool_name: "TaskUpdate", tool_input: { status: "completed" } }] },
    { tool_name: "Bash", tool_input: { command: "ls" } },
  ])
    expect(planIn(input)).toBeNull();
});

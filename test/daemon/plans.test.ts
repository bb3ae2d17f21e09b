import { expect, test } from "bun:test";
import { movableClock } from "../support/daemon/movable-clock.ts";
import { startDaemonOnDocs } from "../support/daemon/daemon-on-docs.ts";
import { untilTrue } from "../support/wait-until.ts";

type There = Awaited<ReturnType<typeof startDaemonOnDocs>>;

const lineOf = async ({ world }: There, name: string) => {
  const { members } = await world.admin.call("listMembers", { params: { board: "docs" } });
  return members.find((one) => one.name === name)!.line;
};
const plan = (text: string) => ({ op: "plan", plan: { text, done: 0, total: 2 } }) as const;

test("what a session's list of work says becomes its agent's line, at most every ten seconds", async () => {
  const clock = movableClock();
  const there = await startDaemonOnDocs({}, clock);
  const { ask } = there;
  await there.session();
  await ask(plan("  Writing\nthe parser "));
  await untilTrue(async () => (await lineOf(there, "writer")) !== null, "a line");
  expect(await lineOf(there, "writer")).toMatchObject({
    kind: "working",
    text: "Writing the parser",
    source: "plan",
  });
  await ask(plan("Testing"));
  await ask(plan("Reviewing"));
  await ask(plan(""));
  expect((await lineOf(there, "writer"))!.text).toBe("Writing the parser");
  clock.pass(10_000);
  const isReviewing = async () => (await lineOf(there, "writer"))!.text === "Reviewing";
  await untilTrue(isReviewing, "the last line");
  await ask(plan("x".repeat(300)));
  clock.pass(10_000);
  const isCut = async () => (await lineOf(there, "writer"))!.text === `${"x".repeat(119)}…`;
  await untilTrue(isCut, "a line that fits");
});

test("with several seats the plan is that of the agent with a task, and else of none", async () => {
  const there = await startDaemonOnDocs({}, movableClock());
  const { ask, world, saved } = there;
  await there.session();
  await world.admin.call("createBoard", { body: { name: "code" } });
  await ask({ op: "join", agent: { server: "local", board: "code", name: "coder" } });
  await there.connected();
  await ask(plan("Reading"));
  const refused = await ask({ ...plan("x"), subagent: "s" }).catch(({ code }) => code);
  expect(refused).toBe("subagent_without_seat");
  expect(await lineOf(there, "writer")).toBeNull();
  const coder = world.as(saved.at(-1)!.token);
  const params = { board: "code" };
  const task = await coder.call("createTask", { params, body: { title: "Parse" } });
  await coder.call("startTask", { params: { ...params, task: task.id } });
  await there.stop();
  await there.start();
  await there.connected();
  await ask(plan("Parsing"));
  const textOf = async () => (await coder.call("getInbox")).work.line?.text;
  await untilTrue(async () => (await textOf()) === "Parsing", "its line");
  expect(await lineOf(there, "writer")).toBeNull();
});

import { describe, expect, test } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { follow } from "../../support/follow-stream.ts";
import { docs, eventsOf, guestOn, headOf, setPolicy } from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";
import {
  openTask,
  startBoardWithTasks,
  task,
  taskEvents,
  worksOn,
} from "../../support/boards/board-with-tasks.ts";

type Team = Awaited<ReturnType<typeof startBoardWithTasks>>;

const onDocs = (member: string) => ({ params: { board: "docs", member } });
const refOf = ({ id, ref, title }: { id: string; ref: string; title: string }) => ({
  id,
  ref,
  title,
});

/** The team, each agent in a session, and what the others are shown of an agent's line. */
async function lineTeam() {
  const team = await startBoardWithTasks();
  const { bo, writer, second, scout } = team;
  for (const agent of [writer, second, scout])
    await agent.call("setPresence", { body: { presence: "idle" } });
  const lineOf = async (name: string, reader: Client = bo) => {
    const { members } = await reader.call("listMembers", docs);
    return members.find((member) => member.name === name)!.line;
  };
  /** What the line is about and says. */
  const said = async (name: string) => {
    const line = await lineOf(name);
    return line && [line.source, line.text, line.task?.ref ?? null];
  };
  return { ...team, lineOf, said };
}
const say = (agent: Client, text: string, ref?: string | number) =>
  agent.call("setLine", {
    body: { kind: "working", text, ...(ref !== undefined && { task: String(ref) }) },
  });
const pause = ({ world }: Team, agent: Client, text: string) => {
  const until = world.at(60);
  return agent.call("setLine", { body: { kind: "paused", text, until } });
};
const done = (by: Client, number: number, cancelled = false) =>
  by.call("finishTask", { ...task(number), body: { note: "Over.", cancelled } });

describe("starting a task", () => {
  test("makes an agent's line say that it works on it, for everybody on the board", async () => {
    const { world, ana, bo, scout, writer, lineOf } = await lineTeam();
    const opened = await openTask(ana, "Write the guide");
    await setPolicy(world, { visibility: "addressed" });
    await writer.call("startTask", task());
    const line = {
      kind: "working" as const,
      text: "Write the guide",
      until: null,
      task: refOf(opened),
      set_by: "writer",
      source: "task" as const,
      at: world.clock.now.toISOString(),
    };
    for (const reader of [ana, bo, scout, writer])
      expect(await lineOf("writer", reader)).toEqual(line);
    expect((await writer.call("getInbox")).work.line).toEqual(line);
    expect(await lineOf("scout")).toBeNull();
    const { members } = await bo.call("listMembers", docs);
    expect(members.find(({ name }) => name === "writer")).toMatchObject({
      state: "working",
      current_task: refOf(opened),
    });
  });

  test("does so when it is opened and started at once, and not when it is opened alone", async () => {
    const { writer, second, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    expect(await said("writer")).toEqual(["task", "One", "DOC-1"]);
    await openTask(second, "Two");
    expect(await said("second")).toBeNull();
    await openTask(writer, "x".repeat(120), { start: true });
    expect(await said("writer")).toEqual(["task", "x".repeat(120), "DOC-3"]);
  });

  test("replaces whatever the line was, and is replaced by what is set after it", async () => {
    const team = await lineTeam();
    const { ana, writer, said, lineOf } = team;
    await pause(team, writer, "Lunch");
    await openTask(writer, "One", { start: true });
    expect(await lineOf("writer")).toMatchObject({ kind: "working", until: null, source: "task" });
    await say(writer, "The first chapter");
    expect(await said("writer")).toEqual(["command", "The first chapter", "DOC-1"]);
    const body = { kind: "working" as const, text: "By hand", source: "plan" as const };
    await ana.call("setMemberLine", { ...onDocs("writer"), body });
    expect(await said("writer")).toEqual(["plan", "By hand", "DOC-1"]);
    await openTask(writer, "Two", { start: true });
    expect(await said("writer")).toEqual(["task", "Two", "DOC-2"]);
  });

  test("sets it again when another of one's own is taken up again, and leaves it for the current one", async () => {
    const { writer, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await openTask(writer, "Two", { start: true });
    await writer.call("startTask", task(1));
    expect(await said("writer")).toEqual(["task", "One", "DOC-1"]);
    await say(writer, "The last page");
    await writer.call("startTask", task(1));
    expect(await said("writer")).toEqual(["command", "The last page", "DOC-1"]);
    await writer.call("clearLine");
    await writer.call("startTask", task(1));
    expect(await said("writer")).toBeNull();
  });

  test("joining one sets no line, and neither does a person's start", async () => {
    const { ana, bo, writer, second, said, lineOf } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await second.call("joinTask", task(1));
    expect([await worksOn(second), await said("second")]).toEqual(["DOC-1", null]);
    await openTask(writer, "Two", { start: true });
    await writer.call("joinTask", task(1));
    expect([await worksOn(writer), await said("writer")]).toEqual([
      "DOC-1",
      ["task", "Two", "DOC-2"],
    ]);
    await openTask(ana, "Three", { start: true });
    expect([await lineOf("ana"), await lineOf("bo", bo)]).toEqual([null, null]);
  });

  test("keeps the words that it was set with, while the task is named by its title of now", async () => {
    const { ana, writer, lineOf } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await ana.call("updateTask", { ...task(1), body: { title: "Another" } });
    expect(await lineOf("writer")).toMatchObject({ text: "One", task: { title: "Another" } });
  });

  test("is seen in the log and the line is not", async () => {
    const { ana, writer, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    const [head, events] = [await headOf(ana), await eventsOf(ana)];
    await say(writer, "A part of it", "doc-1");
    await writer.call("clearLine");
    expect([await headOf(ana), await eventsOf(ana)]).toEqual([head, events]);
    expect((await taskEvents(ana)).map(([type]) => type)).toEqual(["task.created", "task.started"]);
    expect(await said("writer")).toBeNull();
  });

  test("that is refused leaves the line as it is", async () => {
    const team = await lineTeam();
    const { ana, writer, second, said } = team;
    await openTask(writer, "One", { start: true });
    await say(second, "Reading");
    const kept = ["command", "Reading", null];
    await openTask(ana, "Two");
    await done(ana, 2);
    for (const [attempt, verdict] of [
      [second.call("startTask", task(1)), "409 task_taken"],
      [second.call("startTask", task(2)), "409 task_closed"],
      [second.call("startTask", task(9)), "404 task_not_found"],
      [openTask(second, " ", { start: true }), "422 invalid_request"],
    ] as const) {
      expect(await verdictOf(attempt)).toBe(verdict);
      expect(await said("second")).toEqual(kept);
    }
    await openTask(ana, "Three");
    await ana.call("archiveBoard", docs);
    expect(await verdictOf(second.call("startTask", task(3)))).toBe("409 board_archived");
    expect(await verdictOf(openTask(second, "Four", { start: true }))).toBe("409 board_archived");
    expect(await said("second")).toEqual(kept);
  });

  test("with several starts at once, the line names the task that the agent works on in the end, and the losers keep their lines", async () => {
    const { ana, writer, second, scout, said } = await lineTeam();
    await openTask(ana, "One");
    await openTask(ana, "Two");
    await say(second, "Reading");
    await Promise.all([1, 2, 1, 2].map((number) => writer.send("startTask", task(number))));
    const current = await worksOn(writer);
    expect(await said("writer")).toEqual(["task", current === "DOC-1" ? "One" : "Two", current]);
    await openTask(ana, "Three");
    const racers = { second, scout };
    await Promise.all(Object.values(racers).map((racer) => racer.send("startTask", task(3))));
    const { owner } = await ana.call("getTask", task(3));
    const loser = owner!.name === "second" ? "scout" : "second";
    expect(await said(owner!.name)).toEqual(["task", "Three", "DOC-3"]);
    expect(await said(loser)).toEqual(loser === "second" ? ["command", "Reading", null] : null);
  });

  test("is repeated under one key without setting the line a second time", async () => {
    const { ana, writer, said } = await lineTeam();
    await openTask(ana, "One");
    const once = { idempotencyKey: "once" };
    const first = await writer.call("startTask", task(1), once);
    await say(writer, "The last page");
    expect(await writer.call("startTask", task(1), once)).toEqual(first);
    expect(await said("writer")).toEqual(["command", "The last page", "DOC-1"]);
  });
});

describe("a line about a task", () => {
  test("is about the agent's current one unless another is named, in any form", async () => {
    const { ana, bo, writer, second, said, lineOf } = await lineTeam();
    const one = await openTask(writer, "One", { start: true });
    const two = await openTask(second, "Two", { start: true });
    await say(writer, "First");
    expect(await said("writer")).toEqual(["command", "First", "DOC-1"]);
    for (const named of ["doc-2", "DOC-2", "2", two.id]) {
      await say(writer, `By ${named}`, named);
      expect(await lineOf("writer")).toMatchObject({ text: `By ${named}`, task: refOf(two) });
    }
    await ana.call("setMemberLine", {
      ...onDocs("writer"),
      body: { kind: "working", text: "Ana says" },
    });
    expect(await lineOf("writer")).toMatchObject({ set_by: "ana", task: refOf(one) });
    const scouts = { ...onDocs("scout"), body: { kind: "working" as const, text: "x" } };
    expect(await bo.call("setMemberLine", scouts)).toMatchObject({ line: { task: null } });
    const named = { ...scouts, body: { ...scouts.body, task: "1" } };
    expect(await bo.call("setMemberLine", named)).toMatchObject({ line: { task: refOf(one) } });
  });

  test("names a task of the agent's board: any other is 404, and nothing changes", async () => {
    const team = await lineTeam();
    const { ana, bo, writer, said } = team;
    await openTask(writer, "One", { start: true });
    const plans = { params: { board: "plans" } };
    await bo.call("createBoard", { body: { name: "plans" } });
    const other = await bo.call("createTask", { ...plans, body: { title: "Hidden" } });
    for (const selector of ["2", "DOC-2", other.ref, other.id, "99999999999999999999"])
      for (const attempt of [
        say(writer, "x", selector),
        ana.call("setMemberLine", {
          ...onDocs("writer"),
          body: { kind: "working", text: "x", task: selector },
        }),
      ])
        expect(await verdictOf(attempt)).toBe("404 task_not_found");
    for (const selector of ["", "0", "DOC", "DOC-0", "tsk_1"])
      expect(await verdictOf(say(writer, "x", selector))).toBe("400 invalid_request");
    const paused = { kind: "paused" as const, text: "x", task: "9" };
    expect(await verdictOf(writer.call("setLine", { body: paused }))).toBe("422 invalid_request");
    const stranger = {
      ...onDocs("scout"),
      body: { kind: "working" as const, text: "x", task: "9" },
    };
    expect(await verdictOf(ana.call("setMemberLine", stranger))).toBe("403 agent_owner_required");
    expect(await said("writer")).toEqual(["task", "One", "DOC-1"]);
  });

  test("may be about one that is closed, and is set on an archived board", async () => {
    const { ana, writer, said } = await lineTeam();
    await openTask(ana, "One");
    await done(ana, 1);
    await say(writer, "What is left of it", 1);
    expect(await said("writer")).toEqual(["command", "What is left of it", "DOC-1"]);
    await ana.call("archiveBoard", docs);
    await say(writer, "Packing", "DOC-1");
    expect(await said("writer")).toEqual(["command", "Packing", "DOC-1"]);
    expect(await verdictOf(say(writer, "Packing", "DOC-2"))).toBe("404 task_not_found");
  });

  test("is taken away from everyone when the task is closed, done or cancelled, however it was set", async () => {
    const team = await lineTeam();
    const { ana, bo, writer, second, scout, said } = team;
    for (const cancelled of [false, true]) {
      const { number } = await openTask(writer, "One", { start: true });
      await second.call("joinTask", task(number));
      await pause(team, second, "Lunch");
      await say(scout, "Looking at it", number);
      await done(cancelled ? bo : writer, number, cancelled);
      for (const name of ["writer", "second", "scout"]) expect(await said(name)).toBeNull();
      expect(await worksOn(second)).toBeNull();
    }
    const { members } = await ana.call("listMembers", docs);
    const states = members.filter(({ kind }) => kind === "agent").map(({ state }) => state);
    expect(states).toEqual(["idle", "idle", "idle"]);
  });

  test("stays when another task is closed or dropped", async () => {
    const { ana, writer, second, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await openTask(writer, "Two", { start: true });
    await done(writer, 1);
    await say(second, "Reading");
    expect(await said("writer")).toEqual(["task", "Two", "DOC-2"]);
    const { number } = await openTask(writer, "Three", { start: true });
    await say(writer, "Two again", 2);
    await writer.call("dropTask", task(number));
    expect([await said("writer"), await worksOn(writer)]).toEqual([
      ["command", "Two again", "DOC-2"],
      null,
    ]);
    await ana.call("finishTask", { ...task(number), body: { note: "Over." } });
    expect(await said("second")).toEqual(["command", "Reading", null]);
  });

  test("is cleared for the agent whose part is dropped, by itself or by a person, and for nobody else", async () => {
    const { bo, writer, second, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await second.call("joinTask", task(1));
    await say(second, "Helping");
    await writer.call("dropTask", task(1));
    expect([await said("writer"), await said("second")]).toEqual([
      null,
      ["command", "Helping", "DOC-1"],
    ]);
    await writer.call("startTask", task(1));
    await bo.call("dropTask", { ...task(1), body: { member: "second" } });
    expect([await said("writer"), await said("second")]).toEqual([["task", "One", "DOC-1"], null]);
  });

  test("stays when closing or dropping is refused", async () => {
    const { ana, bo, writer, second, said } = await lineTeam();
    await openTask(writer, "One", { start: true });
    await second.call("joinTask", task(1));
    const kept = ["task", "One", "DOC-1"];
    for (const [attempt, verdict] of [
      [done(second, 1), "403 not_on_task"],
      [second.call("dropTask", { ...task(1), body: { member: "writer" } }), "403 not_on_task"],
      [bo.call("dropTask", { ...task(1), body: { member: "scout" } }), "403 not_on_task"],
      [writer.call("finishTask", { ...task(1), body: { note: " " } }), "422 invalid_request"],
    ] as const)
      expect([await verdictOf(attempt), await said("writer")]).toEqual([verdict, kept]);
    await ana.call("archiveBoard", docs);
    for (const attempt of [done(writer, 1), writer.call("dropTask", task(1))])
      expect([await verdictOf(attempt), await said("writer")]).toEqual([
        "409 board_archived",
        kept,
      ]);
  });

  test("that is set while its task is closed or dropped is taken away, or is about none", async () => {
    const { ana, writer, said } = await lineTeam();
    const ends = [
      (number: number) => done(ana, number),
      (number: number) => ana.call("dropTask", { ...task(number), body: { member: "writer" } }),
    ];
    for (const end of ends)
      for (const lineFirst of [true, false]) {
        const { number } = await openTask(writer, "One", { start: true });
        const steps = [() => say(writer, "At it"), () => end(number)];
        await Promise.all((lineFirst ? steps : steps.toReversed()).map((step) => step()));
        expect(await said("writer")).toEqual(lineFirst ? null : ["command", "At it", null]);
      }
  });

  test("is a guest's agent's too, which starts none", async () => {
    const { world, ana, lineOf } = await lineTeam();
    const one = await openTask(ana, "One");
    const gus = await guestOn(world, "gus");
    await say(gus.agent, "Reading", 1);
    expect(await lineOf(gus.agent.name)).toMatchObject({ text: "Reading", task: refOf(one) });
    expect(await verdictOf(gus.agent.call("startTask", task(1)))).toBe("403 guest_not_allowed");
    expect(await lineOf(gus.agent.name)).toMatchObject({ text: "Reading" });
    await done(ana, 1);
    expect(await lineOf(gus.agent.name)).toBeNull();
  });

  test("goes with its seat, however that ends", async () => {
    const { world, ana, writer, second, scout } = await lineTeam();
    for (const agent of [writer, second, scout]) await openTask(agent, "One", { start: true });
    const lines = () => world.db.read((tx) => tx.all("SELECT * FROM agent_line").length);
    expect(lines()).toBe(3);
    await ana.call("removeAgent", onDocs("writer"));
    await second.call("leaveAsAgent");
    await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
    expect(lines()).toBe(0);
    const { members } = await ana.call("listMembers", { ...docs, query: { removed: true } });
    for (const name of ["writer", "second", "scout"])
      expect(members.find((member) => member.name === name)).toMatchObject({
        line: null,
        current_task: null,
        state: "disconnected",
      });
    for (const number of [1, 2, 3])
      expect(await ana.call("getTask", task(number))).toMatchObject({ state: "open" });
  });
});

describe("the stream", () => {
  test("tells of the lines that a start sets and that closing and dropping take away", async () => {
    const { bo, writer, second, scout } = await lineTeam();
    const stream = await follow(bo);
    await stream.next(2);
    const presences = async (number: number) =>
      (await stream.next(number)).flatMap((each) => {
        if (!("line" in each)) return [];
        const { agent, line, state } = each;
        return [[agent, line?.text ?? null, line?.task?.ref ?? null, state]];
      });
    await openTask(writer, "One", { start: true });
    expect(await presences(2)).toEqual([["writer", "One", "DOC-1", "working"]]);
    await second.call("joinTask", task(1));
    expect(await presences(1)).toEqual([]);
    await say(second, "Helping");
    expect(await presences(1)).toEqual([["second", "Helping", "DOC-1", "working"]]);
    await say(scout, "Reading");
    expect(await presences(1)).toEqual([["scout", "Reading", null, "working"]]);
    // The same words about another task are another line.
    await say(scout, "Reading", 1);
    expect(await presences(1)).toEqual([["scout", "Reading", "DOC-1", "working"]]);
    await bo.call("dropTask", { ...task(1), body: { member: "second" } });
    expect(await presences(2)).toEqual([["second", null, null, "idle"]]);
    await done(writer, 1);
    expect((await presences(3)).sort()).toEqual([
      ["scout", null, null, "idle"],
      ["writer", null, null, "idle"],
    ]);
  });
});

import { describe, expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import {
  docs,
  eventsOf,
  guestOn,
  post,
  setPolicy,
  setRole,
} from "../../support/boards/docs-board.ts";
import { statementsOf } from "../../support/statements.ts";
import { openTask, startBoardWithTasks, task } from "../../support/boards/board-with-tasks.ts";
import { verdictOf } from "../../support/raw-requests.ts";

/** The team of docs, with as many open tasks as asked for. */
async function teamWithTasks(count = 3) {
  const team = await startBoardWithTasks();
  for (let n = 1; n <= count; n++) await openTask(team.ana, `Task ${n}`);
  return team;
}

/** What a message is about, each as `reference how`. */
const about = async (by: Client, message: Parameters<typeof post>[1]) =>
  ((await post(by, message)).about ?? []).map(({ ref, how }) => `${ref} ${how}`);

describe("a message is about", () => {
  test("the tasks given by reference in any case, number or id, each once, in that order", async () => {
    const { ana } = await teamWithTasks();
    const { id } = await ana.call("getTask", task(3));
    const given = ["doc-2", id, "1", "DOC-2", "3"];
    expect(await about(ana, { body: "x", about: given })).toEqual([
      "DOC-2 given",
      "DOC-3 given",
      "DOC-1 given",
    ]);
  });

  test("those of the message that it answers, whatever they came from", async () => {
    const { ana, bo, writer } = await teamWithTasks();
    await writer.call("startTask", task(2));
    const { id } = await post(ana, { body: "also DOC-3", about: ["1"] });
    const reply = await post(bo, { body: "yes", reply_to: id });
    const expected = ["DOC-1 thread", "DOC-3 thread"];
    expect(reply.about?.map(({ ref, how }) => `${ref} ${how}`)).toEqual(expected);
    expect(await about(writer, { body: "no", reply_to: reply.id })).toEqual(expected);
  });

  test("an agent's current task, also in a reply to a message that is about none", async () => {
    const { ana, writer } = await teamWithTasks();
    const { id } = await post(ana, "hello");
    await ana.call("startTask", task(1));
    await writer.call("startTask", task(2));
    expect(await about(writer, "at it")).toEqual(["DOC-2 current"]);
    expect(await about(writer, { body: "hi", reply_to: id })).toEqual(["DOC-2 current"]);
    await writer.call("joinTask", task(1));
    expect(await about(writer, "helping")).toEqual(["DOC-1 current"]);
    await writer.call("dropTask", task(1));
    expect(await about(writer, "free")).toEqual([]);
    // People own tasks and have no current one.
    expect(await about(ana, "mine")).toEqual([]);
  });

  test("the tasks that its text names outside code and links, after the others", async () => {
    const { ana, writer } = await teamWithTasks();
    await writer.call("startTask", task(3));
    expect(await about(writer, "doc-2, DOC-3, DOC-2 and DOC-9, UTF-8, `DOC-1`")).toEqual([
      "DOC-3 current",
      "DOC-2 named",
    ]);
    const { id } = await post(ana, { body: "x", about: ["1"] });
    expect(await about(writer, { body: "DOC-2 DOC-1", reply_to: id })).toEqual([
      "DOC-1 thread",
      "DOC-2 named",
    ]);
    expect(await about(ana, { body: "DOC-2 DOC-1", about: ["2"] })).toEqual([
      "DOC-2 given",
      "DOC-1 named",
    ]);
  });

  test("none by an empty list, but those that its text names", async () => {
    const { ana, writer } = await teamWithTasks();
    await writer.call("startTask", task(3));
    const { id } = await post(ana, { body: "x", about: ["1"] });
    const message = await post(writer, { body: "aside", about: [], reply_to: id });
    expect("about" in message).toBe(false);
    expect(await about(writer, { body: "not DOC-2", about: [] })).toEqual(["DOC-2 named"]);
  });

  test("a closed task like any other", async () => {
    const { ana } = await teamWithTasks();
    await ana.call("finishTask", { ...task(1), body: { note: "Over." } });
    expect(await about(ana, { body: "and DOC-1", about: ["2"] })).toEqual([
      "DOC-2 given",
      "DOC-1 named",
    ]);
    expect((await ana.call("getTask", task(1))).message_count).toBe(1);
  });

  test("a task by the reference that it was opened with, after the prefix has changed", async () => {
    const { ana } = await teamWithTasks(2);
    await ana.call("updateBoard", { ...docs, body: { task_prefix: "NEW" } });
    await openTask(ana, "third");
    expect(await about(ana, "DOC-1 NEW-2 DOC-3 new-3")).toEqual(["DOC-1 named", "NEW-3 named"]);
  });

  test("nothing on a board that never had a task, and nothing of another board", async () => {
    const { ana, bo } = await startBoardWithTasks();
    await ana.call("createBoard", { body: { name: "other" } });
    const other = { params: { board: "other" } };
    await ana.call("createTask", { ...other, body: { title: "There" } });
    expect(await about(bo, "OTH-1 and DOC-1")).toEqual([]);
    await openTask(ana);
    expect(await about(bo, "OTH-1 and DOC-1")).toEqual(["DOC-1 named"]);
  });

  test("what a guest says it is about", async () => {
    const { world } = await teamWithTasks();
    const gus = await guestOn(world, "gus");
    expect(await about(gus, { body: "and DOC-2", about: ["1"] })).toEqual([
      "DOC-1 given",
      "DOC-2 named",
    ]);
    expect(await about(gus.agent, "DOC-3")).toEqual(["DOC-3 named"]);
  });
});

describe("a message is refused, and nothing is written,", () => {
  type Body = Omit<NonNullable<Given<"postMessage">["body"]>, "body">;
  const eight = ["1", "2", "3", "4", "5", "6", "7", "8"];
  test.each<[string, string, Body, string]>([
    ["for a task that the board does not have", "x", { about: ["1", "99"] }, "404 task_not_found"],
    ["for a reference under another prefix", "x", { about: ["OTH-1"] }, "404 task_not_found"],
    ["for nine tasks given", "x", { about: [...eight, "9"] }, "400 invalid_request"],
    ["for what is no selector", "x", { about: ["DOC"] }, "400 invalid_request"],
    ["for nine tasks in all", "and DOC-9", { about: eight }, "422 invalid_request"],
    [
      "for nine tasks named",
      "DOC-1 DOC-2 DOC-3 DOC-4 DOC-5 DOC-6 DOC-7 DOC-8 DOC-9",
      {},
      "422 invalid_request",
    ],
    [
      "for its targets before its tasks",
      "x",
      { about: ["99"], to: ["@nobody"] },
      "422 unknown_recipient",
    ],
  ])("%s", async (_, body, more, verdict) => {
    const { ana } = await teamWithTasks(9);
    expect(await verdictOf(post(ana, { body, ...more }))).toBe(verdict);
    expect(await about(ana, { body: "and DOC-8", about: eight })).toHaveLength(8);
  });

  test("for a task given on a board that has none", async () => {
    const { ana } = await startBoardWithTasks();
    expect(await verdictOf(post(ana, { body: "x", about: ["1"] }))).toBe("404 task_not_found");
    expect("about" in (await post(ana, { body: "x", about: [] }))).toBe(false);
  });

  test("for what the role does not grant and for the archive, before its tasks", async () => {
    const { world, ana, writer } = await teamWithTasks();
    await ana.call("archiveBoard", docs);
    const wrong = { body: "x", about: ["99"] };
    expect(await verdictOf(post(ana, wrong))).toBe("409 board_archived");
    await setRole(world, "member", []);
    expect(await verdictOf(post(writer, wrong))).toBe("403 forbidden");
  });
});

test("the event has what it is about, and none where it is about nothing", async () => {
  const { ana } = await teamWithTasks(1);
  const { id } = await ana.call("getTask", task(1));
  await post(ana, "DOC-1");
  await post(ana, "nothing");
  const posted = (await eventsOf(ana)).filter(({ type }) => type === "message.posted");
  expect(posted.map(({ data }) => data!["about"])).toEqual([
    [{ id, ref: "DOC-1", how: "named" }],
    undefined,
  ]);
  expect(posted.map(({ data }) => "about" in data!)).toEqual([true, false]);
});

test("a message says what it is about wherever it is read", async () => {
  const { ana, writer } = await teamWithTasks(1);
  const message = await post(ana, { body: "DOC-1", to: ["@writer"] });
  const { about: tags } = message;
  expect(tags).toHaveLength(1);
  const reads = [
    (await writer.call("getInbox")).messages[0],
    (await ana.call("listMessages", docs)).messages[0],
    (await writer.call("getMessage", { params: { message: message.id } })).message,
    (await ana.call("listReplies", { params: { message: message.id } })).root,
  ];
  expect(reads.map((read) => read?.about)).toEqual(Array(4).fill(tags));
});

const messagesAbout = async (reader: Client, selector: string, query = {}) =>
  (
    await reader.call("listMessages", { ...docs, query: { task: selector, ...query } })
  ).messages.map(({ body }) => body);

describe("a task's messages", () => {
  test("are read by any selector, and a search goes through them alone", async () => {
    const { ana, bo } = await teamWithTasks();
    for (const n of [1, 2, 1]) await post(n === 1 ? ana : bo, { body: `on ${n}`, about: [`${n}`] });
    const { id } = await ana.call("getTask", task(1));
    for (const selector of ["doc-1", "1", id])
      expect(await messagesAbout(bo, selector)).toEqual(["on 1", "on 1"]);
    expect(await messagesAbout(bo, "2", { from: "ana" })).toEqual([]);
    expect(await messagesAbout(bo, "3")).toEqual([]);
    const { hits } = await ana.call("searchBoard", { ...docs, query: { q: "on", task: "doc-2" } });
    expect(hits.map((hit) => hit.kind === "message" && hit.from.name)).toEqual(["bo"]);
  });

  test("of what the board does not have are refused, on whatever it is asked", async () => {
    const { ana } = await teamWithTasks();
    const query = { task: "99" };
    for (const attempt of [
      ana.call("listMessages", { ...docs, query }),
      ana.call("searchBoard", { ...docs, query: { q: "x", ...query } }),
    ])
      expect(await refusalOf(attempt)).toMatchObject({ status: 404, code: "task_not_found" });
  });

  test("are counted with their threads and since each text was written, as the reader may read them", async () => {
    const { world, ana, bo, writer, second } = await teamWithTasks(1);
    const counts = async (reader: Client) => {
      const { tasks } = await reader.call("listTasks", docs);
      const [{ message_count, thread_count, about, stands }] = tasks as [(typeof tasks)[0]];
      const since = [about?.messages_since ?? null, stands?.messages_since ?? null];
      expect(await reader.call("getTask", task(1))).toEqual(tasks[0]!);
      return [message_count, thread_count, ...since];
    };
    expect(await counts(ana)).toEqual([0, 0, null, null]);
    await setPolicy(world, { visibility: "addressed" });
    const { id } = await post(ana, { body: "DOC-1", to: ["@writer"] });
    await ana.call("updateTask", { ...task(1), body: { stands: "Begun." } });
    await post(bo, { body: "DOC-1", to: ["@second"] });
    await ana.call("updateTask", { ...task(1), body: { about: "Because." } });
    await post(writer, { body: "yes", to: ["@ana"], reply_to: id });
    expect(await counts(bo)).toEqual([3, 2, 1, 2]);
    expect(await counts(writer)).toEqual([2, 1, 1, 1]);
    expect(await counts(second)).toEqual([1, 1, 0, 1]);
    expect(await messagesAbout(second, "1")).toEqual(["DOC-1"]);
    await setPolicy(world, { visibility: "open" });
    expect(await counts(second)).toEqual([3, 2, 1, 2]);
    await ana.call("updateTask", { ...task(1), body: { stands: "Half." } });
    expect(await counts(second)).toEqual([3, 2, 1, 0]);
  });

  test("are counted for a whole list by one statement that reads no more rows than there are tasks", async () => {
    const { world, ana } = await teamWithTasks(20);
    for (let n = 0; n < 60; n++) await post(ana, { body: "x", about: [`${(n % 20) + 1}`, "1"] });
    const statements = await statementsOf(world, () => ana.call("listTasks", docs));
    const ofMessages = statements.filter(({ text }) => text.includes("message_task"));
    expect(ofMessages.map(({ rows }) => rows)).toEqual([20]);
  });
});

describe("the inbox tells an agent's work:", () => {
  const workOf = async (agent: Client) => (await agent.call("getInbox")).work;

  test("what it works on, as owner or helper, and where that stands", async () => {
    const { ana, writer, second } = await teamWithTasks(1);
    const { id } = await ana.call("getTask", task(1));
    await writer.call("startTask", task(1));
    await second.call("joinTask", task(1));
    const current = { id, ref: "DOC-1", title: "Task 1" };
    expect((await workOf(writer)).current_task).toEqual({ ...current, owner: true, stands: null });
    await second.call("updateTask", { ...task(1), body: { stands: "Half." } });
    await post(ana, "DOC-1");
    expect((await workOf(second)).current_task).toMatchObject({
      ...current,
      owner: false,
      stands: { text: "Half.", version: 1, messages_since: 1 },
    });
    await writer.call("finishTask", { ...task(1), body: { note: "Over." } });
    expect((await workOf(second)).current_task).toBeNull();
  });

  test("how many tasks nobody owns, and the oldest of them", async () => {
    const { writer } = await teamWithTasks(3);
    await writer.call("startTask", task(1));
    const { open_tasks, oldest_open } = await workOf(writer);
    expect([open_tasks, oldest_open?.ref, oldest_open?.title]).toEqual([2, "DOC-2", "Task 2"]);
  });

  test("how many messages in a row it posted about no task, since it was last on one", async () => {
    const { ana, writer, second } = await startBoardWithTasks();
    const posts = async () => (await workOf(writer)).posts_without_task;
    const say = async (times: number, more = {}) => {
      for (let n = 0; n < times; n++) await post(writer, { body: "x", ...more });
    };
    await say(2);
    await post(second, "not its own");
    expect([await posts(), (await workOf(second)).posts_without_task]).toEqual([2, 1]);
    await openTask(ana);
    await say(1);
    expect(await posts()).toBe(3);
    await say(1, { body: "DOC-1" });
    expect(await posts()).toBe(0);
    await say(2);
    expect(await posts()).toBe(2);
    await writer.call("startTask", task(1));
    await say(2, { about: [] });
    expect(await posts()).toBe(0);
    await writer.call("dropTask", task(1));
    expect(await posts()).toBe(0);
    await say(1);
    expect(await posts()).toBe(1);
    await writer.call("startTask", task(1));
    await say(1, { about: [] });
    await ana.call("finishTask", { ...task(1), body: { note: "Over." } });
    expect(await posts()).toBe(0);
  });

  test("its line, and whether the board has reminders", async () => {
    const { world, writer } = await startBoardWithTasks();
    expect(await workOf(writer)).toMatchObject({ line: null, brief: null, nudges: true });
    await writer.call("setLine", { body: { kind: "working", text: "Writing" } });
    await setPolicy(world, { nudges: "off" });
    expect(await workOf(writer)).toMatchObject({
      line: { kind: "working", text: "Writing" },
      nudges: false,
      asks_waiting: 0,
      asks_to_it: 0,
    });
  });
});

test("a post on a board without tasks asks nothing about tasks", async () => {
  const { world, ana, writer } = await startBoardWithTasks();
  const { write } = world.db;
  const asked: string[] = [];
  world.db.write = (work) =>
    write((tx) => {
      const noting =
        <T extends unknown[], R>(run: (text: string, ...values: T) => R) =>
        (text: string, ...values: T) => {
          asked.push(text);
          return run(text, ...values);
        };
      return work({
        ...tx,
        get: noting(tx.get),
        all: noting(tx.all),
        run: noting(tx.run),
      } as never);
    });
  const { id } = await post(writer, "DOC-1 and nothing more");
  await post(ana, { body: "DOC-1", reply_to: id });
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((text) => /task/.test(text.replaceAll("task_prefix", "")))).toEqual([]);
  world.db.write = write;
});

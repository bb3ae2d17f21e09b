import { expect, test } from "bun:test";
import type { Client, Given } from "../../../src/client/client.ts";
import {
  answerWith,
  askSeenBy,
  startBoardWithAsks,
  waitingFor,
  withdraw,
} from "../../support/boards/board-with-asks.ts";
import { file, fileEvents, put } from "../../support/boards/board-with-files.ts";
import {
  docs,
  eventsOf,
  guestOn,
  headOf,
  post,
  setPolicy,
} from "../../support/boards/docs-board.ts";
import { verdictOf } from "../../support/raw-requests.ts";

type Body = NonNullable<Given<"postMessage">["body"]>;
type Files = NonNullable<Body["files"]>;

/** Asks a member to approve versions of files, `a` unless others are named. */
const askApproval = (
  by: Client,
  to: string | undefined = "@ana",
  files: Files = [{ file: "a" }],
  more: Partial<Body> = {},
) =>
  post(by, {
    body: "Is it right?",
    files,
    ask: { options: ["Approve", "Not yet"], approval: true },
    ...(to && { to: [to] }),
    ...more,
  });

/** Who approves which version of a file now, the newest approval first. */
const approvers = async (by: Client, name = "a") =>
  (await by.call("getFile", file(name))).approvals.map(({ person, version }) => [
    person.name,
    version,
  ]);

/** Types of the events from a position on. */
const typesAfter = async (by: Client, seq: number) =>
  (await eventsOf(by)).slice(seq).map(({ type }) => type);

test("the first option, chosen by the person asked, approves every version that the ask cites", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  const one = await put(writer, "a");
  const two = await put(bo, "b");
  const ask = await askApproval(writer, "@bo", [{ file: "a" }, { file: "b", version: 1 }]);
  expect(ask.ask).toMatchObject({ approval: true, state: "open" });
  await put(writer, "a", { base: 1, text: "newer" });
  const answer = await answerWith(bo, ask, 1);
  const recorded = (await eventsOf(ana)).slice(answer.seq - 1);
  expect(recorded.map(({ type, data }) => [type, data?.["file_id"], data?.["version"]])).toEqual([
    ["message.posted", undefined, undefined],
    ["file.approved", one.id, 1],
    ["file.approved", two.id, 1],
  ]);
  expect(recorded[1]).toMatchObject({ at: answer.at, data: { digest: one.latest.digest } });
  for (const { actor } of recorded) expect(actor).toEqual(recorded[0]!.actor);
  expect(recorded[1]!.actor.name).toBe("bo");
  expect((await bo.call("getFile", file("a"))).mine).toMatchObject({
    version: 1,
    digest: one.latest.digest,
    changes_since: 1,
  });
  expect(await approvers(ana, "b")).toEqual([["bo", 1]]);
});

test("an agent that names nobody asks its own person to approve", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer, "", undefined);
  expect(await waitingFor(ana)).toEqual({
    needs_reply: 1,
    asks_to_me: { blocking: 1, going_with: 0 },
  });
  await answerWith(ana, ask, 1);
  expect(await waitingFor(ana)).toEqual({
    needs_reply: 0,
    asks_to_me: { blocking: 0, going_with: 0 },
  });
  expect(await approvers(ana)).toEqual([["ana", 1]]);
});

test("the asker's own person answers for the person asked, and approves nothing", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer, "@bo");
  const answer = await answerWith(ana, ask, 1);
  expect(await askSeenBy(bo, ask)).toMatchObject({ state: "answered", answer_option: 1 });
  expect(await headOf(ana)).toBe(answer.seq);
  expect(await approvers(ana)).toEqual([]);
  await answerWith(bo, ask, 1);
  expect(await approvers(ana)).toEqual([["bo", 1]]);
});

test("other answers approve nothing, and take nothing back that was approved", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer);
  await answerWith(ana, ask, 2);
  await answerWith(ana, ask);
  await post(ana, { body: "1", reply_to: ask.id });
  expect(await approvers(ana)).toEqual([]);
  await answerWith(ana, ask, 1);
  const answers = [await answerWith(ana, ask, 2), await withdraw(writer, ask)];
  expect(answers.map(({ answer }) => [answer!.option, answer!.withdrawn])).toEqual([
    [2, false],
    [null, true],
  ]);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
  expect(await fileEvents(ana)).toHaveLength(2);
  expect(await verdictOf(answerWith(ana, ask, 1))).toBe("409 ask_closed");
});

test("an approval replaces the same person's of another version, and the same version is not recorded again", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const old = await askApproval(writer);
  await put(writer, "a", { base: 1, text: "two" });
  await ana.call("approveFile", { ...file("a"), body: { version: 2 } });
  const first = await answerWith(ana, old, 1);
  expect(await typesAfter(ana, first.seq - 1)).toEqual(["message.posted", "file.approved"]);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
  const second = await answerWith(ana, old, 1);
  expect(await typesAfter(ana, second.seq - 1)).toEqual(["message.posted"]);
  await ana.call("removeFileApproval", file("a"));
  await answerWith(ana, old, 1);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
});

test("what was cited is approved under its new name, and after it left the list", async () => {
  const { ana, bo, writer } = await startBoardWithAsks();
  const { id } = await put(writer, "a");
  const ask = await askApproval(writer);
  const toBo = await askApproval(writer, "@bo");
  await writer.call("updateFile", { ...file("a"), body: { name: "renamed" } });
  await answerWith(ana, ask, 1);
  expect(await approvers(ana, "renamed")).toEqual([["ana", 1]]);
  await writer.call("removeFile", file("renamed"));
  const other = await put(writer, "a");
  await answerWith(bo, toBo, 1);
  expect(await approvers(ana, id)).toEqual([
    ["bo", 1],
    ["ana", 1],
  ]);
  expect(await approvers(ana, other.id)).toEqual([]);
});

test("of several versions of one file the last that is cited stays approved", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  await put(writer, "a", { base: 1, text: "two" });
  const ask = await askApproval(writer, "@ana", [{ file: "a", version: 1 }, { file: "a" }]);
  const { seq } = await answerWith(ana, ask, 1);
  expect(await typesAfter(ana, seq)).toEqual(["file.approved", "file.approved"]);
  expect(await approvers(ana)).toEqual([["ana", 2]]);
});

test("an ask that goes on with a choice approves nothing by itself, and can still be approved", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer, "@ana", undefined, {
    ask: { options: ["Approve"], approval: true, going_with: "publishing it" },
  });
  expect(await askSeenBy(ana, ask)).toMatchObject({ state: "went_with", approval: true });
  expect(await approvers(ana)).toEqual([]);
  await answerWith(ana, ask, 1);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
});

test("an ordinary ask with files approves nothing", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  for (const approval of [undefined, false]) {
    const ask = await askApproval(writer, "@ana", undefined, {
      ask: { options: ["Approve"], ...(approval === false && { approval }) },
    });
    expect(ask.ask).not.toHaveProperty("approval");
    await answerWith(ana, ask, 1);
  }
  expect(await approvers(ana)).toEqual([]);
});

test("an ask for an approval that nobody could give is refused, and writes nothing", async () => {
  const { world, ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const gus = await guestOn(world, "gus");
  const options = ["Approve"];
  const tried = [
    askApproval(writer, "@ana", []),
    askApproval(writer, "@ana", undefined, { ask: { approval: true } }),
    askApproval(writer, "@second"),
    askApproval(writer, "@gus"),
    askApproval(gus.agent, ""),
    askApproval(ana, "@ana"),
    askApproval(writer, "all"),
  ];
  for (const one of tried) expect(await verdictOf(one)).toBe("422 ask_invalid");
  const missing = askApproval(writer, "@ana", [{ file: "b" }], {
    ask: { options, approval: true },
  });
  expect(await verdictOf(missing)).toBe("404 file_not_found");
  const unknown = askApproval(writer, "@ana", [{ file: "a", version: 2 }]);
  expect(await verdictOf(unknown)).toBe("404 version_not_found");
});

test("an approving answer that is repeated with its key is recorded once", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer);
  const body = { body: "Yes.", reply_to: ask.id, answer: { option: 1 } };
  const send = () => ana.call("postMessage", { ...docs, body }, { idempotencyKey: "once" });
  const first = await send();
  await ana.call("removeFileApproval", file("a"));
  expect(await send()).toEqual(first);
  expect(await approvers(ana)).toEqual([]);
  expect(await typesAfter(ana, first.seq - 1)).toEqual([
    "message.posted",
    "file.approved",
    "file.approval_removed",
  ]);
});

test("of answers at the same time each is recorded, and the approval once, behind the first that approves", async () => {
  const { ana, writer } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer);
  await Promise.all([1, 1, 2, 1].map((option) => answerWith(ana, ask, option)));
  const log = (await eventsOf(ana)).slice(ask.seq);
  expect(log.map(({ type }) => type).toSorted()).toEqual([
    "file.approved",
    ...Array.from({ length: 4 }, () => "message.posted"),
  ]);
  const at = log.findIndex(({ type }) => type === "file.approved");
  expect(log[at - 1]!.data).toMatchObject({ answer: { ask_id: ask.id, option: 1 } });
  const earlier = log.slice(0, at - 1).map(({ data }) => data!["answer"] as { option: number });
  for (const { option } of earlier) expect(option).toBe(2);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
});

test("refused answers approve nothing", async () => {
  const { world, ana, bo, writer, scout } = await startBoardWithAsks();
  await put(writer, "a");
  const ask = await askApproval(writer);
  await setPolicy(world, { visibility: "addressed" });
  expect(await verdictOf(answerWith(ana, ask, 3))).toBe("422 ask_invalid");
  expect(await verdictOf(answerWith(bo, ask, 1))).toBe("403 not_asked");
  expect(await verdictOf(answerWith(scout, ask, 1))).toBe("404 message_not_found");
  expect(await verdictOf(answerWith(writer, ask, 1))).toBe("403 not_asked");
  await ana.call("archiveBoard", docs);
  expect(await verdictOf(answerWith(ana, ask, 1))).toBe("409 board_archived");
  await ana.call("restoreBoard", docs);
  expect(await approvers(ana)).toEqual([]);
  await answerWith(ana, ask, 1);
  expect(await approvers(ana)).toEqual([["ana", 1]]);
});

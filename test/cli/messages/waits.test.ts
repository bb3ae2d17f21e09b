import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { shortSleeps } from "../../support/commands/run-in-process.ts";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, run, start } = machine;
const as = (name: string) => ["--as", name];

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex"]);
await ok(["join", code.line, "--name", "bo"]);

/** Posts as an agent and gives the message. */
const post = async (name: string, ...words: string[]) =>
  (await json(["say", ...words, ...as(name)])).message;
/** Takes everything out of an agent's inbox. */
const drain = (name: string) => json(["inbox", "--limit", "200", ...as(name)]);
/** Posts as the person. */
const personSays = (...values: string[]) => json(["api", "postMessage", "board=demo", ...values]);

test("inbox waits for the next message", async () => {
  await drain("bo");
  const waiting = json(["inbox", "--wait", "30", ...as("bo")]);
  const { seq } = await post("writer", "Good morning");
  expect(await waiting).toMatchObject({ messages: [{ seq }], acked_up_to: seq });
});

test("replies waits for the first reply", async () => {
  const { seq } = await post("writer", "Later");
  const none = await ok(["replies", `${seq}`, ...as("writer")]);
  expect(none.stdout).toStartWith(`No replies to #${seq} yet.`);
  const marked = await ok(["replies", `#${seq}`, ...as("writer")]);
  expect(marked.stdout).toContain(`replies '#${seq}' --wait 60`);
  const waiting = json(["replies", `demo#${seq}`, "--wait", "30", ...as("writer")]);
  const reply = await post("rex", "Now", "--reply", `${seq}`);
  expect(await waiting).toMatchObject({ replies: [{ id: reply.id }], timed_out: false });
});

test("waits end in time also when the clock is set back a day meanwhile, and not before when it is set forward", async () => {
  await drain("bo");
  const { seq } = await post("bo", "Early or late", "--to", "@rex");
  for (const day of [-86_400_000, 86_400_000]) {
    const began = performance.now();
    const now = () => Date.now() + (performance.now() - began > 300 ? day : 0);
    const clock = { ...shortSleeps(1), now };
    const [inbox, replies, said] = await Promise.all([
      json(["inbox", "--wait", "2", ...as("bo")], { clock }),
      json(["replies", `${seq}`, "--wait", "2", ...as("bo")], { clock }),
      json(["say", "Well?", "--to", "@rex", "--wait-reply", "2", ...as("bo")], { clock }),
    ]);
    expect(inbox).toMatchObject({ messages: [] });
    expect(replies).toMatchObject({ timed_out: true });
    expect(said).toMatchObject({ timed_out: true });
    expect(performance.now() - began).toBeGreaterThan(1_400);
  }
}, 15_000);

test("a wait in which nothing comes ends in time, and is no error", async () => {
  await drain("bo");
  const { seq } = await post("bo", "Quiet", "--to", "@rex");
  const ask = ["say", "Anyone?", "--to", "@rex", "--wait-reply", "1", ...as("bo")];
  const [inbox, replies, said, text] = await Promise.all([
    json(["inbox", "--wait", "1", ...as("bo")]),
    json(["replies", `${seq}`, "--wait", "1", ...as("bo")]),
    json(ask),
    run(ask),
  ]);
  expect(inbox).toMatchObject({ messages: [], acked_up_to: null, bundle: null });
  expect(replies).toMatchObject({ replies: [], timed_out: true });
  const timeout = { outcome: "timeout", reply: null, owner_messages: [], timed_out: true };
  expect(said).toMatchObject(timeout);
  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^Sent #\d+ to @rex on demo\n/);
  expect(text.stdout).toMatch(
    / within 1 second\. .*do not send it again.*replies \d+ --wait 1 --as bo\n$/,
  );
});

describe("say --wait-reply", () => {
  /** Waits as the writer; gives the question once it is posted, and the answer of the command. */
  async function asking(...words: string[]) {
    const answer = json([
      "say",
      "Question?",
      "--to",
      "@rex",
      "--wait-reply",
      ...words,
      ...as("writer"),
    ]);
    const { messages } = await json(["inbox", "--wait", "30", ...as("rex")]);
    return { answer, question: messages.at(-1) };
  }

  test("gives the first reply, which is not delivered again", async () => {
    await drain("writer");
    await drain("rex");
    const { answer, question } = await asking("30");
    expect(question.expects_reply).toBe(true);
    const other = await post("rex", "Something else", "--to", "@bo");
    const reply = await post("rex", "Answer", "--reply", question.id);
    expect(await answer).toMatchObject({
      message: { id: question.id },
      recipients: [{ name: "rex" }],
      outcome: "reply",
      reply: { id: reply.id, body: "Answer" },
      owner_messages: [],
      timed_out: false,
    });
    expect(reply.seq).toBeGreaterThan(other.seq);
    expect((await drain("writer")).messages).toEqual([]);
  });

  test("leaves what waited before for its turn", async () => {
    await drain("rex");
    const before = await post("rex", "Earlier", "--to", "@writer");
    const { answer, question } = await asking("30");
    const reply = await post("rex", "Answer", "--reply", question.id);
    expect(await answer).toMatchObject({ outcome: "reply", unread: { seqs: [before.seq] } });
    const { messages } = await drain("writer");
    expect(messages.map(({ seq }: any) => seq)).toEqual([before.seq, reply.seq]);
  });

  test("ends when the agent's owner says something", async () => {
    await drain("rex");
    const { answer, question } = await asking("30");
    await post("bo", "Not the owner");
    const said = await personSays("body=Stop that");
    expect(await answer).toMatchObject({
      message: { id: question.id },
      outcome: "owner_message",
      reply: null,
      owner_messages: [{ id: said.id, sender: "owner" }],
    });
    const { messages } = await drain("writer");
    expect(messages.map(({ from }: any) => from.name)).toEqual(["bo", "ada-l"]);
  });

  test("an owner's reply is a reply", async () => {
    await drain("rex");
    const { answer, question } = await asking("30");
    const reply = await personSays("body=Yes", `reply_to=${question.id}`);
    expect(await answer).toMatchObject({
      outcome: "reply",
      reply: { id: reply.id },
      owner_messages: [],
    });
  });

  test("shows the reply as text after what was sent", async () => {
    await drain("rex");
    const ask = ["say", "Which?", "--to", "@rex", "--wait-reply", "30", ...as("writer")];
    const asked = ok(ask);
    const { messages } = await json(["inbox", "--wait", "30", ...as("rex")]);
    const { seq } = messages.at(-1);
    await post("rex", "This one", "--reply", `${seq}`);
    const { stdout } = await asked;
    expect(stdout).toMatch(new RegExp(`^Sent #${seq} to @rex on demo\n[^]*A reply to #${seq}:\n<`));
    expect(stdout).toEndWith(">\nThis one\n</service-message>\n");
  });
});

test("a wait goes on across a restart of the server, which it does not start itself", async () => {
  await drain("writer");
  const ask = ["say", "Still there?", "--to", "@rex", "--wait-reply", "30", ...as("writer")];
  const asking = start(ask, { clock: shortSleeps(10) });
  const seq = /#(\d+)/.exec(await asking.saying("Sent #"))![1]!;
  const { url } = (await json(["status"])).server;
  await ok(["down"]);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const stranger = Bun.serve({
    hostname: "127.0.0.1",
    port: new URL(url).port,
    fetch() {
      resolve();
      return Response.json({ error: { code: "internal", message: "", hint: "" } }, { status: 503 });
    },
  });
  await asked;
  await stranger.stop(true);
  expect(existsSync(join(machine.home, "data/server.pid"))).toBe(false);
  await ok(["say", "Back again", "--reply", seq, ...as("rex")]);
  const { code, stdout } = await asking.end();
  expect(stdout).toContain(`\nA reply to #${seq}:\n`);
  expect([code, stdout]).toEqual([0, expect.stringContaining("\nBack again\n")]);
});

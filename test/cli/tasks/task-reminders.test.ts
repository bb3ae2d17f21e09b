import { describe, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";
import { rexOnPlans } from "../../support/servers/server-on-port-with-clock.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const say = (name: string, ...words: string[]) => json(["say", ...words, ...as(name)]);
const aboutOf = async (name: string, ...words: string[]) =>
  ((await say(name, ...words)).message.about ?? []).map(
    ({ ref, how }: { ref: string; how: string }) => `${ref} ${how}`,
  );
const codes = ({ nudges }: { nudges: { code: string }[] }) => nudges.map(({ code }) => code);

const { join: code } = await json(["pair", "--board", "demo"]);
for (const name of ["rex", "bo", "cy"]) await ok(["join", code.line, "--name", name]);

/** A command of the agent as it is shown. */
const typed = (command: string, name: string) =>
  expect.stringMatching(new RegExp(`${command} --as ${name}$`));

describe("reminders:", () => {
  test("of three messages in a row about no task, once in half an hour", async () => {
    const all = [];
    for (let n = 0; n < 4; n++) all.push(codes(await say("cy", "x")));
    expect(all).toEqual([[], [], ["no_task_posts"], []]);
    await say("bo", "x");
    await say("bo", "x");
    const { nudges } = await say("bo", "x");
    expect(nudges[0].text).toStartWith("3 messages in a row are about no task. Open one: ");
    expect(nudges[0].text).toEqual(typed("task new TITLE", "bo"));
  });

  test("of tasks that nobody took, in the inbox of an agent that is on none", async () => {
    expect(codes(await json(["inbox", "--peek", ...as("bo")]))).toEqual([]);
    await ok(["task", "new", "First", "--board", "demo"]);
    await ok(["task", "new", "Second", "--board", "demo"]);
    const { stdout } = await ok(["inbox", "--peek", ...as("bo")]);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^2 tasks are not picked up\. The oldest: .*task start DEM-1 --as bo$/,
    );
    const again = await json(["inbox", "--peek", ...as("bo")]);
    expect(again).toMatchObject({
      nudges: [],
      work: { open_tasks: 2, oldest_open: { ref: "DEM-1" } },
    });
  });

  test("of where a task stands, after eight messages about it and each eight more", async () => {
    await ok(["task", "start", "1", ...as("rex")]);
    expect(codes(await json(["inbox", "--peek", ...as("rex")]))).toEqual([]);
    const shown: string[][] = [];
    for (let n = 1; n <= 16; n++) shown.push(codes(await say("rex", `${n}`)));
    expect(shown.flatMap((each, at) => each.map((code) => `${at + 1} ${code}`))).toEqual([
      "8 stands_stale",
      "16 stands_stale",
    ]);
    await ok(["task", "note", "Half of it", ...as("rex")]);
    // What was written just now is not stale yet, however much was said since.
    for (let n = 1; n <= 9; n++) expect(codes(await say("rex", `${n}`))).toEqual([]);
    await ok(["task", "drop", ...as("rex")]);
    await ok(["task", "start", "2", ...as("rex")]);
    for (let n = 1; n <= 7; n++) await say("rex", "x");
    const { stdout } = await ok(["say", "x", ...as("rex")]);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^Nobody wrote where DEM-2 stands, after 8 messages\. Say it: .*task note TEXT --as rex$/,
    );
    await ok(["task", "drop", ...as("rex")]);
  }, 30_000);

  test("none where the board has them off", async () => {
    await ok(["api", "updateBoard", "board=demo", 'policy={"nudges":"off"}']);
    for (let n = 0; n < 3; n++) expect(codes(await say("rex", "x", "--no-task"))).toEqual([]);
    expect(codes(await json(["inbox", "--peek", ...as("cy")]))).toEqual([]);
  });
});

test("what was written a while ago is stale after eight messages", async () => {
  const { other, server } = await rexOnPlans();
  await other.ok(["task", "new", "Plan", ...as("rex")]);
  await other.ok(["task", "note", "Begun", ...as("rex")]);
  const { admin } = server.world;
  for (let n = 1; n <= 7; n++)
    await admin.call("postMessage", { params: { board: "plans" }, body: { body: "PLA-1" } });
  const { nudges } = await other.json(["say", "x", ...as("rex")]);
  expect(nudges).toEqual([
    {
      code: "stands_stale",
      text: expect.stringMatching(/^Where PLA-1 stands is 8 messages behind\. /),
    },
  ]);
});

describe("a task is what is", () => {
  const [one, two] = ["DEM-1", "DEM-2"];

  test("said with --task, left out with --no-task, and named on the line of what was sent", async () => {
    await ok(["task", "start", "1", ...as("bo")]);
    expect(await aboutOf("bo", "x")).toEqual([`${one} current`]);
    expect(await aboutOf("bo", "also dem-1", "--task", "dem-2")).toEqual([
      `${two} given`,
      `${one} named`,
    ]);
    expect(await aboutOf("bo", "only DEM-2", "--no-task")).toEqual([`${two} named`]);
    const { stdout } = await ok(["say", "x", "--task", "2", "--to", "@rex", ...as("bo")]);
    expect(stdout).toMatch(/^Sent #\d+ to @rex on demo · about DEM-2\n/);
    const plain = await ok(["say", "x", "--no-task", ...as("bo")]);
    expect(plain.stdout).toMatch(/^Sent #\d+ to all on demo\n/);
    expect(await refusal(["say", "x", "--task", "9", ...as("bo")])).toBe("task_not_found");
    const both = await run(["say", "x", "--task", "1", "--no-task", ...as("bo")]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("do not go together")]);
  });

  test("read and searched for with --task", async () => {
    const bodies = ({ messages }: { messages: { body: string }[] }) =>
      messages.map(({ body }) => body);
    await say("cy", "about the flood", "--task", "2");
    const read = await json(["read", "--task", "dem-2", "--from", "cy", ...as("rex")]);
    expect(bodies(read)).toEqual(["about the flood"]);
    const page = await ok(["read", "--task", "2", "--limit", "1", ...as("rex")]);
    expect(page.stdout).toContain("@cy → all · about DEM-2\n");
    expect(page.stdout).toMatch(/Earlier: .*read --before \d+ --task 2 --limit 1 --as rex\n/);
    const found = await json(["search", "flood", "--task", "2", ...as("rex")]);
    expect(found.hits).toHaveLength(1);
    expect((await json(["search", "flood", "--task", "1", ...as("rex")])).hits).toEqual([]);
    expect((await ok(["read", "--task", "1", "--from", "cy", ...as("rex")])).stdout).toStartWith(
      "Nothing like that on demo.",
    );
    expect(await refusal(["read", "--task", "9", ...as("rex")])).toBe("task_not_found");
    const thread = await run(["read", "--thread", "1", "--task", "2", ...as("rex")]);
    expect([thread.code, thread.stderr]).toEqual([2, expect.stringContaining("--task")]);
  });

  test("handed to an agent with each message", async () => {
    await ok(["inbox", "--limit", "200", ...as("rex")]);
    await say("cy", "DEM-2 and DEM-1", "--no-task", "--to", "@rex");
    const { stdout } = await ok(["inbox", "--peek", ...as("rex")]);
    expect(stdout).toMatch(/<service-message [^>]* seq="\d+" about="DEM-2 DEM-1">/);
    await say("cy", "nothing", "--to", "@rex");
    const { wrapped } = await json(["inbox", ...as("rex")]);
    expect(wrapped[1]).not.toContain("about=");
  });

  test("shown with what was said about it last, and the threads of that", async () => {
    const { message } = await say("cy", "A question", "--task", "2");
    await say("bo", "An answer", "--reply", `${message.seq}`);
    const shown = await json(["task", "show", "2", ...as("rex")]);
    expect(shown.threads.map(({ root }: { root: { id: string } }) => root.id)).toEqual([
      message.id,
    ]);
    const { stdout } = await ok(["task", "show", "2", ...as("rex")]);
    const { message_count, thread_count } = shown.task;
    expect(stdout).toContain(
      `Conversation · ${message_count} messages in ${thread_count} threads\n`,
    );
    expect(stdout).toContain("    An answer\n");
    expect(stdout).toMatch(/All of it: .*read --task DEM-2 --as rex\n$/);
    const person = await ok(["task", "show", "2", "--board", "demo"]);
    expect(person.stdout).toEndWith("    An answer\n");
  });
});

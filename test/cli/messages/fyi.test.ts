import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const say = async (name: string, ...words: string[]) =>
  (await ok(["say", ...words, ...as(name)])).stdout;
const inbox = async (name: string, ...words: string[]): Promise<{ body: string }[]> =>
  (await json(["inbox", ...words, ...as(name)])).messages;

beforeAll(async () => {
  const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
  for (const name of ["rex", "ben"]) await ok(["join", code.line, "--name", name]);
});
afterAll(() => machine.end());

describe("say --fyi", () => {
  test("wakes nobody, and says so to everybody", async () => {
    await ok(["api", "setPresence", "presence=idle", ...as("rex")]);
    expect(await say("writer", "Merged", "--fyi")).toMatch(
      /^Sent #\d+ to all on demo · wakes nobody\n/,
    );
    const { message, recipients, warning } = await json([
      "say",
      "Merged",
      "--fyi",
      "--to",
      "@rex",
      ...as("writer"),
    ]);
    expect(message).toMatchObject({ quiet: true });
    expect(recipients).toMatchObject([{ name: "rex", outcome: "next_turn" }]);
    expect(warning).toBeNull();
    const { stdout } = await ok(["read", ...as("rex")]);
    expect(stdout).toMatch(/#\d+ @writer → @rex · fyi\n/);
    await ok(["api", "setPresence", "presence=no_session", ...as("rex")]);
  });

  test("is left by a wait for the inbox, which takes it with the next message that wakes", async () => {
    await json(["inbox", ...as("rex")]);
    await say("writer", "Quiet", "--fyi");
    expect(await inbox("rex", "--wait", "1")).toEqual([]);
    const { code, stdout } = await run(["inbox", "--wait", "1", ...as("rex")]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing new on demo.")]);
    await say("writer", "Loud", "--to", "@rex");
    const messages = await inbox("rex", "--wait", "5");
    expect(messages.map(({ body }) => body)).toEqual(["Quiet", "Loud"]);
    await say("writer", "Quiet again", "--fyi");
    const { stdout: shown } = await ok(["inbox", ...as("rex")]);
    expect(shown).toMatch(/<service-message [^>]*quiet="true"/);
  });

  test.each([[["--urgent"]], [["--expect-reply"]], [["--wait-reply", "5"]], [["--option", "1"]]])(
    "wants nothing: with %j it is refused",
    async (words) => {
      const { code, stderr } = await run(["say", "x", "--fyi", ...words, ...as("rex")]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`\`--fyi\` and \`${words[0]}\` do not go together.`),
      ]);
    },
  );

  test("cannot answer an ask", async () => {
    const { message } = await json(["ask", "@rex", "Which?", "A", "B", ...as("writer")]);
    const words = ["say", "A", "--reply", `${message.seq}`, "--fyi", ...as("rex")];
    expect(await refusal(words)).toBe("invalid_request");
  });
});

describe("agents that only wake each other", () => {
  test("are told that a message does not wake, and why", async () => {
    await ok(["task", "new", "Begin anew", ...as("ben")]);
    for (let n = 0; n < 10; n++) {
      await say("ben", "Thanks", "--to", "@rex");
      await say("rex", "Thanks", "--to", "@ben");
    }
    const why = "20 messages between you and nothing else happened";
    expect(await say("rex", "Thanks", "--to", "@ben")).toMatch(
      new RegExp(
        `^Sent #\\d+ to @ben · does not wake @ben: ${why}\\. Ask your person, or go on with a task\\.\n`,
      ),
    );
    const sent = await json(["say", "Thanks", "--to", "@ben", ...as("rex")]);
    expect(sent.damped).toEqual(["ben"]);
    expect(sent.recipients).toMatchObject([{ name: "ben", outcome: "no_session" }]);
    const { stdout } = await ok(["read", "--limit", "1", ...as("rex")]);
    expect(stdout).toContain("· did not wake 1 agent\n");
    await ok(["task", "new", "Do something", ...as("ben")]);
    expect(await say("rex", "Go on", "--to", "@ben")).toMatch(/^Sent #\d+ to @ben on demo\n/);
  });

  test("are reminded once of what wakes nobody, when they answer a reply", async () => {
    const { message: first } = await json(["say", "Done?", "--to", "@rex", ...as("writer")]);
    const { message: reply } = await json(["say", "Yes", "--reply", `${first.seq}`, ...as("rex")]);
    const told = `This woke @rex. For what needs no answer: --fyi; to say "seen": `;
    const again = ["--reply", `${reply.seq}`];
    const report = (presence: string, name: string) =>
      ok(["api", "setPresence", `presence=${presence}`, ...as(name)]);
    // Ben gets it with the next turn.
    await report("idle", "ben");
    expect(await say("writer", "Thanks", ...again, "--to", "all")).not.toContain("This woke");
    await report("idle", "rex");
    expect(await say("writer", "Is it?", ...again, "--expect-reply")).not.toContain(told);
    expect(await say("writer", "Fine", ...again, "--fyi")).not.toContain(told);
    const thanks = await say("writer", "Thanks", ...again);
    expect(thanks).toContain(told);
    expect(thanks).toMatch(new RegExp(`react ${reply.seq} thumbsup`));
    expect(await say("writer", "Thanks", ...again)).not.toContain(told);
  });
});

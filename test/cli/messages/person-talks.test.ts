import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everyCommand } from "../../../src/cli/commands.ts";
import { typedWith } from "../../../src/cli/frame/suggest.ts";
import { newMachine } from "../../support/commands/machine.ts";
import { until } from "../../support/wait-until.ts";
import { clockedServer } from "../../support/servers/server-on-port-with-clock.ts";

/** Ana and bo on the board api of a team's server. Neither machine has an agent. */
const server = await clockedServer();
const ana = newMachine("Ana");
const bo = newMachine("Bo");
const { world } = server;
const api = { params: { board: "api" } };
await world.admin.call("createBoard", { body: { name: "api" } });
const asBo = await world.person("bo");
await world.admin.call("addPerson", { ...api, body: { handle: "bo" } });
await ana.ok(["login", server.url], { stdin: world.admin.token });
await bo.ok(["login", server.url], { stdin: asBo.token });

/** A machine of a person with an agent of theirs, rex, on board demo of its own server. */
const home = newMachine("Cleo");
await home.ok(["pair", "--board", "demo", "--name", "rex"]);
const me = ["--me", "--board", "demo"];

const positionOf = async () => (await asBo.call("getBoard", api)).read_up_to;

describe("two people without an agent", () => {
  test("say hello, read once and reply, with nothing said about who speaks", async () => {
    const { stdout } = await ana.ok(["say", "Hello @bo"]);
    expect(stdout).toMatch(/^Sent #\d+ to all on api\n {2}people {2}@bo\n$/);
    const before = await positionOf();
    const page = await bo.ok(["read"]);
    expect(page.stdout).toMatch(
      /^api · \d+ messages?\n\n[^]*#\d+ @ana → all\n {2}another person · .*\n {4}Hello @bo\n$/,
    );
    const { messages } = await bo.json(["read", "--from", "ana"]);
    const { seq } = messages.at(-1);
    const answer = await bo.json(["say", "Hello, Ana", "--reply", `${seq}`]);
    expect(Object.keys(answer)).toEqual(["message", "unread", "recipients", "warning", "nudges"]);
    expect(answer).toMatchObject({
      message: { from: { name: "bo", kind: "human" }, to: ["@ana"], sender: "self" },
      unread: null,
      recipients: [{ name: "ana", outcome: "person" }],
      nudges: [],
    });
    expect((await ana.ok(["replies", `${seq}`])).stdout).toContain("    Hello, Ana\n");
    expect((await ana.ok(["message", `${seq}`])).stdout).toContain("\n  you · ");
    await bo.ok(["react", `${seq}`, "check"]);
    const thread = await ana.json(["read", "--thread", `api#${seq}`]);
    expect(thread.root.reactions).toMatchObject([{ name: "check", by: ["bo"] }]);
    expect((await ana.json(["read", "--threads"])).threads[0].participants).toEqual(["ana", "bo"]);
    const toMe = await ana.json(["read", "--to-me"]);
    expect(toMe.messages.at(-1).body).toBe("Hello, Ana");
    expect(await positionOf()).toBe(before);
  });

  test("a person on several boards names one, by itself or in a reference to a message", async () => {
    await world.admin.call("createBoard", { body: { name: "web" } });
    expect(await ana.refusal(["read"])).toBe("board_not_selected");
    const sent = await ana.json(["say", "On web", "--board", "web"]);
    expect(sent.message.board).toBe("web");
    const { seq } = sent.message;
    const reply = await ana.json(["say", "Still", "--reply", `web#${seq}`, "--to", "all"]);
    expect(reply.message).toMatchObject({ board: "web", reply_to_seq: seq });
    for (const words of [["message"], ["replies"], ["read", "--thread"]])
      await ana.ok([...words, `web#${seq}`]);
    await ana.ok(["react", `web#${seq}`, "eyes"]);
    for (const [reference, hint] of [
      [`wev#${seq}`, "You can see no board wev: `service boards` lists yours."],
      ["web/999", "`service read --board web --me` shows them."],
    ]) {
      const { error } = (await ana.run(["message", reference!, "--json"])).json();
      expect(error.code).toBe("message_ref_invalid");
      expect(error.hint).toEndWith(hint!);
    }
    const onApi = ["--board", "api"];
    expect((await ana.run(["message", `web#${seq}`, ...onApi])).code).toBe(2);
    const { id } = sent.message;
    expect((await ana.ok(["message", id, ...onApi])).stdout).toStartWith(`web · message #${seq}\n`);
    expect((await ana.ok(["replies", id, ...onApi])).stdout).toStartWith("web · 1 reply to ");
    expect((await ana.json(["read", "--thread", id, ...onApi])).board).toBe("web");
    expect((await ana.json(["react", id, "heart", ...onApi])).board).toBe("web");
    await world.admin.call("createTask", { params: { board: "web" }, body: { title: "Draw it" } });
    const about = await ana.json(["say", "It is drawn", "--task", "WEB-1"]);
    expect(about.message).toMatchObject({ board: "web", about: [{ ref: "WEB-1" }] });
  });

  test("a person waits for replies alone, and what is shown stays unread", async () => {
    const before = (await world.admin.call("getBoard", api)).read_up_to;
    const ask = ["say", "Ready?", "--to", "@bo", "--wait-reply", "30", "--board", "api"];
    /** Asks, says something else and replies, and gives the answer of the command that asked. */
    async function asked<T>(asking: Promise<T>): Promise<T> {
      await until(() => world.hub.waiting === 1, "the command waits");
      const question = (await bo.json(["read", "--limit", "1"])).messages[0];
      expect(question).toMatchObject({ body: "Ready?", expects_reply: true });
      await bo.ok(["say", "Something else", "--to", "@ana"]);
      await bo.ok(["say", "Yes", "--reply", `${question.seq}`]);
      return asking;
    }
    expect(await asked(ana.json(ask))).toMatchObject({
      message: { body: "Ready?" },
      unread: null,
      warning: null,
      nudges: [],
      outcome: "reply",
      reply: { body: "Yes" },
      owner_messages: [],
      timed_out: false,
    });
    const { stdout } = await asked(ana.ok(ask));
    expect(stdout).toMatch(
      /^Sent #\d+ to @bo on api\n.*\nA reply to #\d+:\n\n#\d+ @bo → @ana · reply to #\d+\n.*\n {4}Yes\n$/,
    );
    expect((await world.admin.call("getBoard", api)).read_up_to).toBe(before);
    const none = await ana.ok(["say", "Anyone?", "--wait-reply", "1", "--board", "api"]);
    expect(none.stdout).toMatch(/No reply .* replies \d+ --wait 1 --board api\n$/);
  });

  test("a guest talks too, on their board alone", async () => {
    const invited = await ana.json(["invite", "--guest", "gus", "--board", "api"]);
    const gus = newMachine("Gus");
    await gus.ok(["join", invited.join_line]);
    // Joining gave them a key of their own, and a seat for an agent.
    const asGus = ["--me", "--board", "api", "--server", server.url];
    const sent = await gus.json(["say", "I am Gus", ...asGus]);
    expect(sent.message.from.name).toBe("gus");
    const { messages } = await gus.json(["read", "--limit", "1", ...asGus]);
    expect(messages).toMatchObject([{ body: "I am Gus", sender: "self" }]);
  });
});

describe("a person with an agent on the board", () => {
  test("speaks with --me, and what is printed leads on as that person", async () => {
    const { stdout } = await home.ok(["say", "Hello @rex", ...me]);
    expect(stdout).toMatch(/^Sent #\d+ to all on demo\n {2}disconnected {2}@rex\n$/);
    for (const text of ["One", "Two"]) await home.ok(["say", text, "--as", "rex"]);
    const page = (await home.ok(["read", "--limit", "1", ...me])).stdout;
    expect(page).toContain("  member · your agent · ");
    const [, earlier] = /Earlier: .* -- (.*)\n/.exec(page)!;
    expect(earlier).toEndWith(" --board demo --me");
    expect((await home.ok(earlier!.split(" "))).stdout).toContain("    One\n");
    const { seq } = (await home.json(["read", "--limit", "1", ...me])).messages[0];
    const [, waits] = /: .* -- (.*) waits for one\.\n$|\. .* -- (.*) waits for one\.\n$/
      .exec((await home.ok(["replies", `${seq}`, ...me])).stdout)!
      .filter(Boolean);
    expect(waits).toBe(`replies ${seq} --wait 60 --board demo --me`);
  });

  test("is told what the message does at each agent", async () => {
    await home.ok(["api", "setPresence", "presence=idle", "--as", "rex"]);
    await home.ok(["delivery", "focused", "--as", "rex"]);
    const sent = await home.json(["say", "To whom it may concern", ...me]);
    expect(sent.recipients).toMatchObject([{ name: "rex", presence: "idle" }]);
    expect([sent.recipients[0].outcome, sent.warning]).toEqual(["now", null]);
    expect((await home.ok(["say", "Again", ...me])).stdout).toContain("\n  woken now  @rex\n");
    const { message } = await home.json(["say", "You", "--to", "@rex", "--urgent", ...me]);
    expect(message).toMatchObject({ urgent: true, to: ["@rex"] });
    const fyi = await home.json(["say", "By the way", "--to", "@rex", "--fyi", ...me]);
    expect(fyi).toMatchObject({ message: { quiet: true }, recipients: [{ outcome: "next_turn" }] });
  });

  test("answers with an option, and attaches files that they fetch again", async () => {
    const ask = ["ask", "@cleo", "Which?", "MIT", "Apache 2.0", "--as", "rex"];
    const { seq } = (await home.json(ask)).message;
    const answer = await home.json(["say", "--reply", `${seq}`, "--option", "2", ...me]);
    expect(answer.message).toMatchObject({
      body: "Apache 2.0",
      from: { name: "cleo" },
      answer: { ask_seq: seq, option: 2 },
    });
    writeFileSync(join(home.home, "plan.md"), "the plan\n");
    const sent = await home.ok(["say", "The plan", "--attach", "plan.md", ...me]);
    expect(sent.stdout).toContain(" · with plan.md v1\n");
    const shown = (await home.ok(["read", "--limit", "1", ...me])).stdout;
    expect(shown).toMatch(/Fetch a file: .* file get ID --version N --board demo\n/);
    await home.ok(["file", "get", "plan.md", "copy.md", "--board", "demo"]);
    expect(readFileSync(join(home.home, "copy.md"), "utf8")).toBe("the plan\n");
  });

  test("does not speak by mistake: without --me they are asked which agent they mean", async () => {
    for (const words of [
      ["say", "x"],
      ["say", "x", "--board", "demo"],
      ["say", "x", "--server", "local"],
      ["read", "--board", "demo"],
      ["replies", "demo#1"],
      ["message", "1"],
      ["react", "1", "check"],
    ]) {
      const { code, stderr } = await home.run(words);
      expect([code, stderr], words.join(" ")).toEqual([
        1,
        expect.stringMatching(
          /^Error \(agent_not_selected\)[^]* rex[^]*As yourself, add `--me`\.\n$/,
        ),
      ]);
    }
    expect(await home.refusal(["say", "x", "--as", "nobody"])).toBe("agent_not_selected");
    const named = await home.run(["say", "x", "--as", "nobody"]);
    expect(named.stderr).not.toContain("--me");
  });

  test("speaks on another board, where none of their agents is, without --me", async () => {
    await home.ok(["board", "new", "quiet"]);
    const sent = await home.json(["say", "Just me", "--board", "quiet"]);
    expect(sent.message).toMatchObject({ board: "quiet", from: { name: "cleo", kind: "human" } });
    const env = { SERVICE_BOARD: "quiet" };
    const { messages } = await home.json(["read", "--limit", "1"], { env });
    expect(messages).toMatchObject([{ body: "Just me", sender: "self" }]);
    const receipts = await home.json(["read", "--receipts", `quiet#${sent.message.seq}`, "--me"]);
    expect(receipts).toMatchObject({ board: "quiet", to_everyone: true });
    expect((await home.json(["read", "--mark-read", "--me", "--board", "quiet"])).unread).toBe(0);
  });

  test("is told how to get a seat on a board that is there", async () => {
    const { stderr } = await home.run(["inbox", "--board", "web"]);
    expect(stderr).toContain(" invite --board web` prints a join line for that board, ");
    expect(stderr).not.toContain(" pair");
  });
});

describe("--me", () => {
  const session = { CLAUDECODE: "1" };
  const talking = [
    ["say", "x"],
    ["read"],
    ["read", "--threads"],
    ["read", "--receipts", "1"],
    ["replies", "1"],
    ["message", "1"],
    ["react", "1", "check"],
  ];

  test.each(talking.map((words) => [words]))("%p is a person's command with it", async (words) => {
    const mine = [...words, ...me];
    expect(await home.refusal(mine, { env: session })).toBe("human_command_in_session");
    const { stderr } = await home.run(mine, { env: session });
    expect(stderr).toContain(` ${mine.join(" ")}\``);
    expect(await home.refusal(mine, { env: { SERVICE_AGENT: "rex" } })).toBe(
      "human_command_in_session",
    );
    expect(await home.refusal(mine, { env: { SERVICE_SUBAGENT: "1" } })).toBe(
      "subagent_without_seat",
    );
    const both = await home.run([...mine, "--as", "rex"]);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("`--me` and `--as`")]);
  });

  test("no session and no subagent speaks as the person, whatever seats the machine has", async () => {
    for (const env of [session, { SERVICE_SUBAGENT: "1" }]) {
      for (const machine of [home, bo])
        expect(await machine.refusal(["read", "--board", "api"], { env })).toBe(
          "agent_not_selected",
        );
    }
    expect(await bo.refusal(["say", "x"], { env: session })).toBe("agent_not_selected");
    const env = { SERVICE_AGENT: "rex" };
    expect(await bo.refusal(["say", "x", "--board", "api"], { env })).toBe("agent_not_selected");
    expect(existsSync(join(bo.home, "config", "owner-token"))).toBe(false);
  });

  test("an agent's command takes no server", async () => {
    for (const words of talking) {
      const { code } = await home.run([...words, "--as", "rex", "--server", "local"]);
      expect(code).toBe(2);
    }
  });

  test("is suggested for just the commands that take it", async () => {
    const cli = { typed: (line: string) => line } as Parameters<typeof typedWith>[0];
    const typed = typedWith(cli, { me: true });
    for (const { name, load } of everyCommand()) {
      const { args = {} } = (await load()).default;
      expect(typed(name), name).toBe("me" in args ? `${name} --me` : name);
    }
  });
});

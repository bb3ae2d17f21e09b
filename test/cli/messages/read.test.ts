import { beforeAll, describe, expect, test } from "bun:test";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const seqs: number[] = [];
let thread: { root: any; replies: any[] };

const post = async (name: string, ...words: string[]) =>
  (await json(["say", ...words, ...as(name)])).message;
const read = (...words: string[]) => json(["read", ...words, ...as("rex")]);
const seqsOf = ({ messages }: any) => messages.map(({ seq }: any) => seq);
const textOf = async (...words: string[]) => (await ok(["read", ...words, ...as("rex")])).stdout;

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex", "--harness", "codex"]);

test("an empty board says what to do first", async () => {
  expect(await textOf()).toMatch(
    /^No messages on demo yet\. .*say "Hello" --as rex posts the first\.\n$/,
  );
  expect(await textOf("--threads")).toStartWith("No threads on demo yet.");
  expect((await ok(["read", "--mark-read"])).stdout).toStartWith("Nothing unread on demo.");
});

describe("a page", () => {
  beforeAll(async () => {
    for (let i = 1; i <= 9; i++) seqs.push((await post("writer", `Message ${i}`)).seq);
  });

  test("is the newest, or what a window says, always oldest first", async () => {
    expect(seqsOf(await read())).toEqual(seqs);
    const [, , , four, five, six] = seqs as [number, number, number, number, number, number];
    const newest = await read("--limit", "2");
    expect(newest).toMatchObject({
      board: "demo",
      visibility: "open",
      next_after: null,
      prev_before: seqs[7],
    });
    expect(seqsOf(newest)).toEqual(seqs.slice(7));
    const after = await read("--after", `${four}`, "--limit", "2");
    expect([seqsOf(after), after.next_after]).toEqual([[five, six], six]);
    const before = await read("--before", `#${six}`, "--limit", "2");
    expect([seqsOf(before), before.prev_before]).toEqual([[four, five], four]);
    expect(seqsOf(await read("--after", "0", "--limit", "1"))).toEqual([seqs[0]]);
  });

  test("around a message has as many before it", async () => {
    const middle = seqs[4]!;
    const around = await read("--around", `${middle}`, "--limit", "4");
    expect(seqsOf(around)).toEqual(seqs.slice(2, 6));
    expect([around.prev_before, around.next_after]).toEqual([seqs[2], seqs[5]]);
    expect(seqsOf(await read("--around", `${middle}`, "--limit", "1"))).toEqual([middle]);
  });

  test("ends with the commands that go on", async () => {
    const text = await textOf("--around", `${seqs[4]}`, "--limit", "4");
    expect(text).toContain("\n\nEarlier: ");
    const lines = text.trimEnd().split("\n").slice(-2);
    const [earlier, later] = lines.map((line) => line.slice(line.indexOf("read ")).split(" "));
    expect(seqsOf(await json(earlier!))).toEqual(seqs.slice(0, 2));
    expect(seqsOf(await json(later!))).toEqual(seqs.slice(6));
  });

  test("is shown in blocks", async () => {
    await ok(["react", `${seqs[8]}`, "eyes", ...as("rex")]);
    const [head, ...blocks] = (await textOf("--limit", "1")).split("\n\n");
    expect(head).toBe("demo · 1 message");
    expect(blocks[0]).toMatch(
      new RegExp(
        `^#${seqs[8]} @writer → all · 👀 1\n  writer · your owner's agent · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\n    Message 9$`,
      ),
    );
    const markdown = await textOf("--limit", "1", "--markdown");
    expect(markdown).toStartWith(`# demo\n\n**#${seqs[8]} @writer → all**`);
    expect(markdown).toEndWith("\n\n> Message 9\n");
  });

  test("is filtered by sender, role and addressee", async () => {
    const own = await post("rex", "To you", "--to", "@writer");
    const said = await json(["api", "postMessage", "board=demo", "body=Hi", 'to=["@rex"]']);
    expect(seqsOf(await read("--from", "@rex"))).toEqual([own.seq]);
    expect(seqsOf(await read("--from", "rex", "--role", "reviewer"))).toEqual([own.seq]);
    expect(seqsOf(await read("--role", "writer", "--limit", "1"))).toEqual([seqs[8]]);
    expect(seqsOf(await read("--to-me", "--from", "ada-l"))).toEqual([said.seq]);
    expect(await textOf("--from", "rex", "--after", `${own.seq}`)).toStartWith("Nothing like that");
    expect(await refusal(["read", "--from", "eve", ...as("rex")])).toBe("member_not_found");
    const text = await textOf("--role", "writer", "--limit", "1");
    expect(text).toMatch(/Earlier: .*read --before \d+ --role writer --limit 1 --as rex\n$/);
  });
});

describe("threads", () => {
  beforeAll(async () => {
    const root = await post("writer", "Shall we?\n\n\tIndented", "--expect-reply");
    const replies = [await post("rex", "Yes", "--reply", `${root.seq}`)];
    replies.push(await post("writer", "Good", "--reply", `${replies[0].seq}`));
    thread = { root, replies };
  });

  test("one is read by any of its messages", async () => {
    const { root, replies } = thread;
    for (const reference of [`${root.seq}`, replies[1].id]) {
      const found = await read("--thread", reference);
      expect(found).toMatchObject({ board: "demo", visibility: "open", thread_root_seq: root.seq });
      expect([found.root.id, ...found.replies.map(({ id }: any) => id)]).toEqual([
        root.id,
        ...replies.map(({ id }) => id),
      ]);
    }
    const text = await textOf("--thread", `${root.seq}`);
    expect(text).toStartWith(`demo · thread of #${root.seq} · 2 replies\n\n#${root.seq} @writer`);
    expect(text).toContain("asks for a reply · 2 replies");
    expect(text).toContain("\n    Shall we?\n\n    \tIndented\n");
    expect(text).toContain(` → @writer · reply to #${root.seq}\n  reviewer · codex · you · `);
    expect(await refusal(["read", "--thread", "4000000", ...as("rex")])).toBe(
      "message_ref_invalid",
    );
  });

  test("all of them are listed with those who take part", async () => {
    expect(await read("--threads")).toMatchObject({
      board: "demo",
      visibility: "open",
      threads: [{ root: { id: thread.root.id }, participants: ["writer", "rex"] }],
      more: false,
    });
    const text = await textOf("--threads");
    expect(text).toContain("\n  between @writer, @rex, last reply ");
    expect(text).toMatch(new RegExp(`read --thread ${thread.root.seq} --as rex\n$`));
  });
});

test("receipts say whom a message has reached, to an agent and to a person", async () => {
  const { seq, id } = await post("writer", "For you", "--to", "@rex,@ada-l");
  const pending = await read("--receipts", `${seq}`);
  expect(pending).toMatchObject({
    board: "demo",
    seq,
    message_id: id,
    to: ["@rex", "@ada-l"],
    to_everyone: false,
    available: true,
    recipients: [
      { member: { name: "rex" }, state: "pending", presence: "no_session" },
      { member: { name: "ada-l" }, state: "pending", presence: null },
    ],
  });
  await ok(["inbox", ...as("rex")]);
  const { stdout } = await ok(["read", "--receipts", `${seq}`]);
  expect(stdout).toBe(
    `demo · #${seq} · 2 recipients\n  @rex    received  disconnected\n  @ada-l  pending\n`,
  );
  for (const reference of [id, `demo#${seq}`])
    expect(await json(["read", "--receipts", reference])).toMatchObject({ seq });
  expect(await textOf("--receipts", `${seqs[0]}`)).toContain("went to everyone");
  expect(await refusal(["read", "--receipts", "1"])).toBe("message_ref_invalid");
});

test("a person reads what is unread, and marks just that as read", async () => {
  const first = await json(["read", "--mark-read", "--limit", "2", "--board", "demo"]);
  expect(first).toMatchObject({ board: "demo", read_up_to: seqs[1] });
  expect(seqsOf(first)).toEqual(seqs.slice(0, 2));
  const { stdout } = await ok(["read", "--mark-read", "--limit", "2"]);
  expect(stdout).toStartWith(
    `demo · 2 unread\n\n#${seqs[2]} @writer → all\n  writer · your agent ·`,
  );
  expect(stdout).toMatch(/Read up to #\d+\. 10 more are unread: .*read --mark-read\n$/);
  const rest = await json(["read", "--mark-read"]);
  expect(rest.unread).toBe(0);
  expect(rest.messages.every(({ sender }: any) => sender !== "self")).toBe(true);
  expect((await ok(["read", "--mark-read"])).stdout).toStartWith("Nothing unread on demo.");
});

test("forms that do not go together are refused", async () => {
  for (const words of [
    ["--after", "1", "--before", "9"],
    ["--thread", "6", "--limit", "3"],
    ["--threads", "--from", "rex"],
    ["--receipts", "6", "--markdown"],
    ["--markdown", "--json"],
    ["--after", "six"],
    ["--before", "0"],
    ["--limit", "201"],
    ["--server", "local"],
    ["--mark-read"],
  ]) {
    const { code, stdout, stderr } = await run(["read", ...words, ...as("rex")]);
    expect([code, stdout + stderr], words.join(" ")).toEqual([
      2,
      expect.stringContaining("invalid_request"),
    ]);
  }
  const env = { SERVICE_AGENT: "rex" };
  expect(await refusal(["read", "--mark-read"], { env })).toBe("human_command_in_session");
  const session = { CLAUDECODE: "1" };
  expect(await refusal(["read", "--mark-read"], { env: session })).toBe("human_command_in_session");
});

test("reading is for subagents too, and a person is told how to read as themselves", async () => {
  const env = { SERVICE_SUBAGENT: "1", SERVICE_AGENT: "rex" };
  expect(seqsOf(await json(["read", "--after", "0", "--limit", "1"], { env }))).toEqual([seqs[0]]);
  const { stderr } = await run(["read"]);
  expect(stderr).toStartWith("Error (agent_not_selected)");
  expect(stderr).toContain(" As yourself, add `--me`.\n");
});

test("on a board that shows agents only what is addressed to them, the rest does not exist", async () => {
  await ok(["board", "policy", "recommended", "--board", "demo"]);
  const hidden = await post("writer", "Between us", "--to", "@ada-l");
  const page = await read("--after", `${hidden.seq - 1}`);
  expect(page).toMatchObject({ visibility: "addressed", messages: [] });
  for (const words of [["read", "--thread"], ["message"], ["replies"]])
    expect(await refusal([...words, `${hidden.seq}`, ...as("rex")])).toBe("message_ref_invalid");
  expect(await refusal(["message", hidden.id, ...as("rex")])).toBe("message_ref_invalid");
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mentionsIn } from "../../../src/contract/mentions.ts";
import { boardAt } from "../../../src/db/boards.ts";
import { memberAt } from "../../../src/db/members.ts";
import { resolveMentions } from "../../../src/server/messages/resolve-mentions.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post, seatOnDocs, setPolicy } from "../../support/boards/docs-board.ts";
import { mentionsByTheRules } from "../../support/mention-rules.ts";
import { tries } from "../../support/tries.ts";

const texts = (body: string) => mentionsIn(body).map(({ text }) => text);
const tick = "`";

describe("where a mention is one", () => {
  test.each([
    ["at the start", "@bo hello", ["@bo"]],
    ["after a space, bracket, quote or line break", '(@bo) "@al"\n@cy', ["@bo", "@al", "@cy"]],
    ["before punctuation", "@bo, @al. @cy! @di's @ed_x", ["@bo", "@al", "@cy", "@di", "@ed"]],
    ["of a name that ends in a dash, which is part of it", "@bo-", ["@bo-"]],
    ["of a name of digits", "@1", ["@1"]],
    ["of a name of 40 characters", `@${"a".repeat(40)}`, [`@${"a".repeat(40)}`]],
    ["of a role", "@role:writer.", ["@role:writer"]],
    ["of a role of 32 characters", `@role:${"r".repeat(32)}`, [`@role:${"r".repeat(32)}`]],
    ["of the member `role`, where no role's name follows", "@role: @role:X", ["@role", "@role"]],
    ["after code that has ended", `${tick}x${tick} @bo\n\n~~~\n@al\n~~~\n@cy`, ["@bo", "@cy"]],
    ["right after code", `${tick}x${tick}@bo`, ["@bo"]],
    ["after a URL and white space", "see https://x.org/a @bo", ["@bo"]],
    ["after a backtick without a partner", `${tick}@bo and ${tick}${tick}@al`, ["@bo", "@al"]],
    ["on a line indented by four", `    ${tick.repeat(3)}\n@bo`, ["@bo"]],
    ["repeatedly", "@bo @bo", ["@bo", "@bo"]],
  ])("%s", (_, body, expected) => expect(texts(body)).toEqual(expected));
});

describe("where a mention is none", () => {
  const fence = tick.repeat(3);
  test.each([
    ["in an e-mail address", "write to al@bo.org or andré@bo or x_@bo or 1@bo"],
    ["in a path, after a dot, dash or another @", "/@bo a/@bo .@bo -@bo @@bo"],
    ["after a backslash", "\\@bo"],
    ["in capitals", "@Bo @BO @bO"],
    ["before a letter of another alphabet or a capital", "@boé @boX @bo二"],
    ["of a name of 41 characters", `@${"a".repeat(41)}`],
    ["of a role of 33 characters", `@role:${"r".repeat(33)}`],
    ["in inline code", `${tick}@bo${tick} and ${tick}${tick}a ${tick} @bo${tick}${tick}`],
    ["in inline code over lines", `${tick}a\n@bo${tick}`],
    ["in a fence of backticks", `${fence}\n@bo\n${fence}`],
    ["in a fence of tildes with a name", "~~~ts\n@bo\n~~~"],
    ["on a fence's own line", `${fence} @bo\n${fence}`],
    ["in an indented fence", `   ${fence}\n@bo\n  ${fence}  `],
    ["in a fence that a shorter one does not close", `${fence}${tick}\n@bo\n${fence}\n@bo`],
    ["in a fence that another kind does not close", `${fence}\n~~~\n@bo\n~~~`],
    ["in a fence closed by nothing but its own line", `${fence}\n${fence} x\n@bo`],
    ["in a fence with lines that end in CR LF", `${fence}\r\n@bo\r\n${fence}`],
    ["in a fence without an end", `${fence}\n@bo`],
    ["in a URL", "https://x.org/@bo?a=@bo git+ssh://@bo (x://y)@bo"],
    ["that is the scheme of a URL", "@bo://x"],
    ["of nothing", "@ @, @-bo @_"],
  ])("%s", (_, body) => expect(texts(body)).toEqual([]));
});

const noise = fc.string({
  unit: fc.constantFrom(
    ..."`~@/\\:. \n\r-_1aBér".split(""),
    "@bo",
    "://",
    "```",
    "@role:r",
    "\n~~~",
  ),
  maxLength: 60,
});

test("any text at all is read as the rules say", () => {
  fc.assert(
    fc.property(noise, (body) => expect(texts(body)).toEqual(mentionsByTheRules(body))),
    tries(1500),
  );
});

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,39}$/);
const planted = fc.oneof(
  name.map((text) => ({ piece: `@${text}`, mention: `@${text}` })),
  fc
    .stringMatching(/^[a-z][a-z0-9-]{0,31}$/)
    .map((text) => ({ piece: `(@role:${text})`, mention: `@role:${text}` })),
);
const quoted = fc
  .tuple(name, fc.integer({ min: 1, max: 5 }))
  .chain(([text, length]) =>
    fc
      .constantFrom(
        `see ${tick.repeat(length)}@${text}${tick.repeat(length)}`,
        `\n${tick.repeat(length + 2)}\n@${text}\n${tick.repeat(length + 2)}\n`,
        `\n~~~~ x\n@${text} ~~~\n~~~~~\n`,
        `https://example.org/@${text}`,
        `mail@${text}`,
        `\\@${text}`,
      )
      .map((piece) => ({ piece, mention: null })),
  );
const plain = fc.lorem().map((piece) => ({ piece, mention: null }));

test("exactly the mentions planted outside code and links are found, in their order", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(planted, quoted, plain), { maxLength: 20 }), (pieces) => {
      const body = pieces.map(({ piece }) => piece).join(" ");
      const expected = pieces.flatMap(({ mention }) => mention ?? []);
      expect(texts(body)).toEqual(expected);
    }),
    tries(200),
  );
});

test("the worst texts of 32,768 characters take no longer than others", () => {
  const pieces =
    "`|@|@a |`@|a`|``@ `|@a-|a:/ @|http://@ |~~~\n|```\n@|@role:|@role:a |a.@|a|1|://|a+|`\n|@a:".split(
      "|",
    );
  for (const piece of pieces)
    for (const end of ["@", "@a", "A@", "://@"])
      for (let time = 0; time < 10; time++)
        mentionsIn(piece.repeat(32_768 / piece.length).slice(0, 32_768 - end.length) + end);
}, 6000);

/** `docs` with ana, bo, and ana's agents writer and reviewer of roles of the same names. */
const team = () =>
  startDocs(
    { writer: ["ana", "writer"], reviewer: ["ana", "reviewer"] },
    { template: "writer-reviewer" },
  );

test("each member is mentioned once, where first written; the sender, the gone and the unknown never", async () => {
  const { world, ana, bo } = await team();
  const second = await seatOnDocs(world, "second", "writer");
  const gone = await seatOnDocs(world, "gone", "writer");
  await gone.call("leaveAsAgent");
  const { mentions } = await post(
    bo,
    "@second @nobody @role:ghost @bo @gone @role:writer @writer @ana @second",
  );
  expect(mentions).toMatchObject([
    { id: second.id, kind: "agent", name: "second", text: "@second", wakes: true, reason: null },
    { name: "writer", text: "@role:writer", wakes: true, reason: null },
    { kind: "human", name: "ana", text: "@ana", wakes: false, reason: null },
  ]);
  expect(mentions).toHaveLength(3);
  expect((await post(second, "@role:writer @second")).mentions.map((m) => m.name)).toEqual([
    "writer",
  ]);
  const early = await post(ana, "@later will come");
  await seatOnDocs(world, "later", "writer");
  const { message } = await ana.call("getMessage", { params: { message: early.id } });
  expect(message.mentions).toEqual([]);
});

test("a mention changes neither targets nor recipients, and puts the message into the inbox of whom it wakes", async () => {
  const { ana, writer, reviewer } = await team();
  const message = await post(ana, { body: "@writer, see", to: ["@bo"] });
  expect(message.to).toEqual(["@bo"]);
  const { recipients } = await ana.call("getReceipts", {
    params: { board: "docs", seq: message.seq },
  });
  expect(recipients.map(({ member }) => member.name)).toEqual(["bo"]);
  const inbox = async (agent: typeof writer) => (await agent.call("getInbox")).messages;
  expect((await inbox(writer)).map(({ id }) => id)).toEqual([message.id]);
  expect(await inbox(reviewer)).toEqual([]);
});

test("at most the first eight mentioned agents that may read the message are woken", async () => {
  const { world, ana } = await team();
  await setPolicy(world, { visibility: "addressed" });
  for (let n = 1; n <= 10; n++) await seatOnDocs(world, `m${n}`, "member");
  const { mentions } = await post(ana, {
    body: "@reviewer @bo @role:member",
    to: ["role:member", "@writer"],
  });
  expect(mentions.map(({ name, wakes, reason }) => [name, wakes, reason])).toEqual([
    ["reviewer", false, "cannot_read"],
    ["bo", false, null],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => [`m${n}`, true, null]),
    ["m9", false, "limit"],
    ["m10", false, "limit"],
  ]);
});

test("a mention never lets an agent read what it may not", async () => {
  const { world, ana, reviewer } = await team();
  await setPolicy(world, { visibility: "addressed" });
  const { id } = await post(ana, { body: "@reviewer must not know", to: ["@writer"] });
  const read = reviewer.call("getMessage", { params: { message: id } });
  expect(await refusalOf(read)).toMatchObject({ status: 404, code: "message_not_found" });
  expect((await reviewer.call("getInbox")).messages).toEqual([]);
  expect((await reviewer.call("getBoard", docs)).unread).toBe(0);
});

test("a name or role that is written a thousand times is looked up once", async () => {
  const { world } = await team();
  const looks = world.db.read((tx) => {
    let count = 0;
    const counting = {
      ...tx,
      get: (...given: Parameters<typeof tx.get>) => (count++, tx.get(...given)),
      all: (...given: Parameters<typeof tx.all>) => (count++, tx.all(...given)),
    };
    const [board, ana] = [boardAt(tx, 1)!, memberAt(tx, 1)!];
    const body = "@role:writer @reviewer @nobody ".repeat(1000);
    const mentions = resolveMentions(counting as typeof tx, board, ana, body, () => true);
    expect(mentions.map(({ name }) => name)).toEqual(["writer", "reviewer"]);
    return count;
  });
  expect(looks).toBeLessThanOrEqual(3);
});

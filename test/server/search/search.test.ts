import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Client, Given } from "../../../src/client/client.ts";
import type { Operations } from "../../../src/contract/index.ts";
import type { Output } from "../../../src/contract/operation.ts";
import { boardAt } from "../../../src/db/boards.ts";
import { memberNamed } from "../../../src/db/members.ts";
import { seqOf } from "../../../src/db/log/log-place.ts";
import { messageSource } from "../../../src/db/search/search-sources.ts";
import {
  lookInRange,
  lookOneByOne,
  markedTexts,
  newestMatches,
} from "../../../src/db/search/search.ts";
import { readerOn } from "../../../src/server/access/readable-messages.ts";
import { sendersAsked } from "../../../src/server/messages/senders.ts";
import { termsOf } from "../../../src/server/search/terms.ts";
import { taskCalled } from "../../../src/server/tasks/find-task.ts";
import { refusalOf, type World } from "../../support/servers/server-in-process.ts";
import { startDocs } from "../../support/boards/docs-board-with-people.ts";
import { docs, post, setPolicy } from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";
import { openTask } from "../../support/boards/board-with-tasks.ts";
import { tries } from "../../support/tries.ts";

type Query = NonNullable<Given<"searchBoard">["query"]>;
type Hit = Output<Operations["searchBoard"]>["hits"][number];
type Filter = Pick<Query, "from" | "role" | "to_me" | "task" | "after" | "before">;

const search = (reader: Client, query: Query | string, board = "docs") =>
  reader.call("searchBoard", {
    params: { board },
    query: typeof query === "string" ? { q: query } : query,
  });
const seqsOf = ({ hits }: { hits: readonly Hit[] }) => hits.map(({ seq }) => seq);
const textOf = ({ excerpt }: Hit) => excerpt.parts.map(({ text }) => text).join("");
const found = async (reader: Client, query: Query | string) =>
  (await search(reader, query)).hits.map(textOf);

/** Every page of a search, one after the other. */
async function everyPage(reader: Client, query: Query): Promise<Hit[]> {
  const hits: Hit[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search(reader, {
      ...query,
      ...(cursor !== null && { cursor }),
    });
    expect([page.board, page.complete]).toEqual(["docs", true]);
    hits.push(...page.hits);
    cursor = page.next;
  } while (cursor !== null);
  return hits;
}

/** `docs` with the people ana and bo, ana's agents a and b, and bo's agent c. */
const team = () =>
  startDocs(
    { a: ["ana", "writer"], b: ["ana", "reviewer"], c: ["bo", "writer"] },
    { template: "writer-reviewer" },
  );

/** The words of a text, without case and accents. */
const wordsOf = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

interface Asked {
  readonly form: "word" | "phrase" | "beginning" | "phrase's beginning";
  readonly words: readonly string[];
}
const written = ({ form, words }: Asked): string => {
  const text = words.join(" ");
  if (form === "word") return words[0]!;
  if (form === "beginning") return `${words[0]!.slice(0, 3)}*`;
  return form === "phrase" ? `"${text}"` : `"${text}"*`;
};
/** Whether a text has what is asked for, by reading it from end to end. */
function has(text: string, asked: Asked): boolean {
  const there = wordsOf(text);
  const wanted = wordsOf(written(asked));
  const begins = asked.form.includes("beginning");
  return there.some((_, start) =>
    wanted.every((word, index) => {
      const other = there[start + index];
      if (other === undefined) return false;
      return begins && index === wanted.length - 1 ? other.startsWith(word) : other === word;
    }),
  );
}

/** Seqs of the newest two that are found: so few that every way to them is gone, on a board of any size. */
const newest = ({ db }: World, name: string, q: string, filter: Filter): number[] =>
  db.read((tx) => {
    const board = boardAt(tx, 1)!;
    const { after = 0, before = 100, to_me: toReader = false } = filter;
    const [terms, senders] = [termsOf(q), sendersAsked(tx, board, filter)];
    const reader = readerOn(board, memberNamed(tx, 1, name)!);
    const task = filter.task === undefined ? null : taskCalled(tx, board, filter.task).row;
    const search = { terms, after, before, senders, toReader, task, without: null };
    const enough = { matches: 2, bytes: Infinity };
    const { matches } = newestMatches(tx, messageSource, 1, reader, search, enough);
    const places = matches.map(({ place }) => place);
    const [inRange, oneByOne] = [lookInRange, lookOneByOne].map((look) =>
      [...look(tx, messageSource, places, terms)].map(({ t0 }) => [t0]),
    );
    const texts = [...markedTexts(tx, messageSource, matches, terms)];
    expect(inRange).toEqual(oneByOne!);
    expect(inRange).toEqual(texts.map(({ texts }) => [...texts]));
    expect(texts.map(({ place }) => place)).toEqual(places);
    return matches.map(({ place }) => seqOf(place));
  });

const vocabulary = [
  "alpha",
  "Alpha",
  "ALPHABET",
  "café",
  "CAFE",
  "v1.2",
  "foo-bar",
  "日本語",
  "Ошибка",
  "ошибка",
];
const word = fc.constantFrom(...vocabulary);
const body = fc
  .array(fc.tuple(word, fc.constantFrom(" ", "\n", ", ", "-", " 😀 ", ". ", '"')), {
    minLength: 3,
    maxLength: 9,
  })
  .map((pairs) => pairs.flat().join(""));
const asked: fc.Arbitrary<Asked> = fc
  .record({
    form: fc.constantFrom<Asked["form"]>("word", "phrase", "beginning", "phrase's beginning"),
    words: fc.array(word, { minLength: 1, maxLength: 2 }),
  })
  .filter((each) => !each.form.includes("beginning") || wordsOf(written(each)).at(-1)!.length > 2);

test("a search finds what a scan of everything that its reader may read finds, for every reader and filter", async () => {
  const names = ["ana", "bo", "a", "b", "c"] as const;
  const targets = ["all", "@ana", "@bo", "@a", "@b", "@c", "role:writer", "role:member"];
  const board = fc.record({
    open: fc.boolean(),
    messages: fc.array(
      fc.record({
        sender: fc.constantFrom(...names),
        to: fc.uniqueArray(fc.constantFrom(...targets), { minLength: 1, maxLength: 2 }),
        body,
        about: fc.subarray(["1", "2"]),
      }),
      { minLength: 20, maxLength: 40, size: "max" },
    ),
    questions: fc.array(
      fc.record({
        reader: fc.constantFrom(...names),
        asked: fc.array(asked, { minLength: 1, maxLength: 2 }),
        from: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 }),
        role: fc.option(fc.constantFrom("writer", "reviewer"), { nil: undefined, freq: 2 }),
        toMe: fc.boolean(),
        task: fc.option(fc.constantFrom("1", "2"), { nil: undefined, freq: 2 }),
        after: fc.nat({ max: 20 }),
        before: fc.integer({ min: 15, max: 60 }),
        limit: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 10, maxLength: 10 },
    ),
  });
  let hitsSeen = 0;
  const check = fc.asyncProperty(board, async (given) => {
    const { world, ...members } = await team();
    const [before, after] = [given.messages.slice(0, 10), given.messages.slice(10)];
    const say = async (messages: typeof before) => {
      for (const { sender, to, body, about } of messages)
        await post(members[sender], { body, to: to.includes("all") ? ["all"] : to, about });
    };
    for (const title of ["one", "two"]) await openTask(members.ana, title);
    await say(before);
    // What comes later comes into an index that is there.
    await world.indexing.fill();
    await say(after);
    await setPolicy(world, { visibility: given.open ? "open" : "addressed" });
    for (const question of given.questions) {
      const reader = members[question.reader];
      const { from, role, toMe, task, after, before, limit } = question;
      const filter: Filter = {
        ...(from !== undefined && { from }),
        ...(role !== undefined && { role }),
        ...(toMe && { to_me: true }),
        ...(task !== undefined && { task }),
        after,
        before,
      };
      const { messages } = await reader.call("listMessages", {
        ...docs,
        query: { ...filter, limit: 200 },
      });
      const expected = messages.filter(({ body }) =>
        question.asked.every((each) => has(body, each)),
      );
      const q = question.asked.map(written).join(" ");
      const hits = await everyPage(reader, { q, ...filter, limit });
      expect(seqsOf({ hits }).toSorted((x, y) => x - y)).toEqual(expected.map(({ seq }) => seq));
      expect(await everyPage(reader, { q, ...filter, limit: 200 })).toEqual(hits);
      expect(newest(world, question.reader, q, filter)).toEqual(
        expected
          .map(({ seq }) => seq)
          .slice(-2)
          .toReversed(),
      );
      for (const hit of hits) {
        const message = expected.find(({ seq }) => seq === hit.seq)!;
        const { id, at, from, to, thread_root_seq } = message;
        expect(hit).toMatchObject({ kind: "message", id, at, from, to, thread_root_seq });
        expect(textOf(hit)).toBe(message.body);
        const marked = hit.excerpt.parts.filter(({ match }) => match).map(({ text }) => text);
        expect(marked.length).toBeGreaterThan(0);
      }
      hitsSeen += hits.length;
    }
    world.check();
    world.stop();
  });
  await fc.assert(check, tries(12));
  expect(hitsSeen).toBeGreaterThan(80);
}, 300_000);

describe("what is typed", () => {
  /** docs with one message for each text, and what a query finds of them, oldest first. */
  async function withTexts(...texts: string[]) {
    const { world, ana } = await team();
    for (const text of texts) await post(ana, text);
    const finds = async (q: string) => {
      const hits = await found(ana, q);
      return texts.filter((text) => hits.includes(text));
    };
    return { world, ana, finds };
  }

  test("is words that must all be there, phrases, and beginnings; the language of the index is text", async () => {
    const texts = [
      "alpha or beta",
      "alpha and not beta near",
      "text: gamma",
      "alphabet",
      "beta alpha",
    ];
    const [orBeta, andNot, column, alphabet, reversed] = texts as [
      string,
      string,
      string,
      string,
      string,
    ];
    const { finds } = await withTexts(...texts);
    expect(await finds("alpha beta")).toEqual([orBeta, andNot, reversed]);
    expect(await finds("alpha OR beta")).toEqual([orBeta]);
    expect(await finds("alpha AND NOT beta")).toEqual([andNot]);
    expect(await finds("NEAR(alpha beta)")).toEqual([]);
    expect(await finds("(alpha NEAR beta)")).toEqual([andNot]);
    expect(await finds("text:gamma")).toEqual([column]);
    expect(await finds("nothing:gamma")).toEqual([]);
    expect(await finds("-alpha")).toEqual([orBeta, andNot, reversed]);
    expect(await finds("^beta")).toEqual([orBeta, andNot, reversed]);
    expect(await finds('"beta alpha"')).toEqual([reversed]);
    expect(await finds('"beta alpha')).toEqual([reversed]);
    expect(await finds("beta-alpha")).toEqual([reversed]);
    expect(await finds('"alpha" - "beta"')).toEqual([orBeta, andNot, reversed]);
    expect(await finds("alphab*")).toEqual([alphabet]);
    expect(await finds("alp*")).toEqual([orBeta, andNot, alphabet, reversed]);
    expect(await finds('"beta alp"*')).toEqual([reversed]);
    expect(await finds('"alphab*"')).toEqual([]);
    expect(await finds("al\u0000or")).toEqual([]);
    expect(await finds("alpha\u0000or")).toEqual([orBeta]);
  });

  test("finds words in any case, with or without accents, in any script", async () => {
    const { finds } = await withTexts("Déjà vu", "ОШИБКА сборки", "会議の議事録", "½ x²");
    expect(await finds("DEJA")).toEqual(["Déjà vu"]);
    expect(await finds("déjà")).toEqual(["Déjà vu"]);
    expect(await finds("ошибка")).toEqual(["ОШИБКА сборки"]);
    expect(await finds("会議*")).toEqual(["会議の議事録"]);
  });

  test("without a word, with too many, or with too short a beginning is 400", async () => {
    const { ana } = await withTexts("alpha");
    const many = (count: number, text: string) => Array.from({ length: count }, () => text);
    for (const q of [
      "",
      " ",
      "*",
      '"',
      '""',
      '" "',
      "—",
      "😀",
      "!?",
      "\u0000",
      "\u0301",
      "\ufffd",
      "\ud800",
      "al*",
      '"alpha al"*',
      "alpha be*",
      "ée*",
      "alpha-al*",
      "日*",
      many(33, "a").join(" "),
      `"${many(33, "a").join(" ")}"`,
      `alpha "${many(16, "a").join(" ")}" ${many(16, "b").join(" ")}`,
      many(33, "a").join("."),
      "कि".repeat(33),
      many(3, "alp*").join(" "),
      "é".repeat(201),
    ])
      expect(`${q} ${await verdictOf(search(ana, q))}`).toBe(`${q} 400 invalid_request`);
    for (const q of [
      many(32, "a").join(" "),
      `"${many(32, "a").join(" ")}"`,
      `"${many(16, "a").join(" ")}" ${many(16, "e\u0301").join(" — ")}`,
      many(32, "a").join("."),
      "कि".repeat(32),
      many(2, "alp*").join(" "),
      "😀".repeat(199) + "a",
    ])
      expect((await search(ana, q)).complete).toBe(true);
    expect(await verdictOf(ana.call("searchBoard", docs as never))).toBe("400 invalid_request");
    for (const cursor of [
      "",
      "x",
      "0-0",
      "0",
      "-5",
      "5-0",
      "5-1",
      "12345678901",
      "5-1-0",
      "5-1-12345678-1",
      "5 OR 1",
    ])
      expect(await verdictOf(search(ana, { q: "alpha", cursor }))).toBe("400 invalid_request");
  });

  test("never ends in a fault", async () => {
    const { world, ana } = await withTexts("alpha beta");
    const bits = ['"', '""', "*", "(", ")", "{", "}", ":", "^", "+", "-", "'", ";", "\\", "\u0000"];
    const words = [
      "alpha",
      "AND",
      "OR",
      "NOT",
      "NEAR",
      "text",
      "search_text",
      "--",
      "?1",
      "%",
      " ",
    ];
    const typed = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.array(fc.constantFrom(...bits, ...words), { maxLength: 12 }).map((all) => all.join("")),
    );
    const check = fc.asyncProperty(typed, async (q) => {
      const { status } = await ana.send("searchBoard", { ...docs, query: { q } });
      expect([200, 400]).toContain(status);
    });
    await fc.assert(check, tries(150));
    for (const q of ["%FF", "%00", "%22%00", "%C3%28", "alpha%00%22", "%ED%A0%80"]) {
      const { status } = await ask(world, `GET /v1/boards/docs/search?q=${q}`, ana);
      expect([200, 400]).toContain(status);
    }
  }, 300_000);

  test("is looked for behind a zero character, and inside very long words", async () => {
    const { ana } = await team();
    await post(ana, "before\u0000behind the zero");
    await post(ana, `${"a".repeat(32_000)} tail`);
    const [zero] = (await search(ana, "behind zero")).hits;
    expect(zero!.excerpt.parts.filter(({ match }) => match)).toEqual([
      { text: "behind", match: true },
      { text: "zero", match: true },
    ]);
    expect((await search(ana, "tail")).hits).toHaveLength(1);
    expect((await search(ana, `${"a".repeat(190)}*`)).hits).toHaveLength(1);
  });
});

describe("what is found", () => {
  test("comes in order: the words more often, the shorter text, the newer", async () => {
    const { ana } = await team();
    const often = await post(ana, "red red red and so on");
    const long = await post(ana, `red ${"and so on ".repeat(20)}`);
    const first = await post(ana, "red and blue and so on");
    const second = await post(ana, "red and blue and so on");
    expect(seqsOf(await search(ana, "red"))).toEqual(
      [often, second, first, long].map(({ seq }) => seq),
    );
  });

  test("is shown by the part around the first finding, in plain text", async () => {
    const { ana, a } = await team();
    const start = `${"lorem ipsum ".repeat(30)}see `;
    const { id, seq } = await post(ana, `${start}<b>Deploy</b> & more ${"dolor ".repeat(60)}`);
    const { seq: replied } = await post(a, { body: "deploy: done 😀", reply_to: id });
    const { hits } = await search(ana, "deploy");
    expect(hits.map((hit) => [hit.seq, hit.kind === "message" && hit.thread_root_seq])).toEqual([
      [replied, seq],
      [seq, null],
    ]);
    const [short, long] = hits.map(({ excerpt }) => excerpt);
    expect(short).toEqual({
      parts: [
        { text: "deploy", match: true },
        { text: ": done 😀", match: false },
      ],
      more_before: false,
      more_after: false,
    });
    expect([long!.more_before, long!.more_after]).toEqual([true, true]);
    expect(long!.parts[0]!.text).toMatch(/^(lorem|ipsum) .*see <b>$/);
    expect(long!.parts[1]).toEqual({ text: "Deploy", match: true });
    expect(long!.parts.map(({ text }) => text).join("")).toHaveLength(240);
  });

  test("is shown as it was written, whatever stands in it", async () => {
    const { ana } = await team();
    const bodies = [
      "\u0002red\u0003 and \u0001 red",
      "þ red ÿ red\ufffe\uffff",
      "\ufeffred \ufffd red",
      `${"é😀日".repeat(300)} red ${"日é😀".repeat(300)}`,
    ];
    for (const body of bodies) await post(ana, body);
    const { hits } = await search(ana, "red");
    expect(hits).toHaveLength(bodies.length);
    for (const hit of hits) {
      expect(bodies.some((body) => body.includes(textOf(hit)))).toBe(true);
      const matches = hit.excerpt.parts.filter(({ match }) => match).map(({ text }) => text);
      expect(matches).toEqual(textOf(hit).match(/red/g)!);
    }
    expect(
      hits
        .filter(({ excerpt }) => !excerpt.more_after)
        .map(textOf)
        .toSorted(),
    ).toEqual(bodies.slice(0, 3).toSorted());
  });

  test("is cut between characters, wherever an excerpt begins and ends", async () => {
    const { ana } = await team();
    for (let shift = 0; shift < 2; shift++)
      await post(ana, `${"x".repeat(shift)}${"😀".repeat(200)}word${"😀".repeat(200)}`);
    for (const hit of (await search(ana, "word")).hits) {
      expect(textOf(hit).isWellFormed()).toBe(true);
      expect(hit.excerpt.parts.filter(({ match }) => match)).toEqual([
        { text: "word", match: true },
      ]);
    }
  });

  test("is all of a board whose every message has the word, page by page, the newest 500 first", async () => {
    const { ana } = await team();
    const seqs: number[] = [];
    for (let i = 0; i < 620; i++) seqs.push((await post(ana, i % 7 ? "word" : "word word")).seq);
    const first = await search(ana, { q: "word", limit: 200 });
    const later = await post(ana, "word word word");
    const rest = await everyPage(ana, { q: "word", limit: 200, cursor: first.next! });
    const second = await search(ana, { q: "word", limit: 200, cursor: first.next! });
    expect(seqsOf(second)).toEqual(seqsOf({ hits: rest }).slice(0, 200));
    const all = [...seqsOf(first), ...seqsOf({ hits: rest })];
    expect(all.slice(0, 500).toSorted((x, y) => x - y)).toEqual(seqs.slice(-500));
    expect(all.toSorted((x, y) => x - y)).toEqual(seqs);
    expect(seqsOf(await search(ana, "word"))[0]).toBe(later.seq);
  }, 20_000);

  test("is ranked in smaller blocks where texts are long", async () => {
    const { ana } = await team();
    const seqs: number[] = [];
    for (let i = 0; i < 20; i++) seqs.push((await post(ana, `word ${"x ".repeat(16_000)}`)).seq);
    const first = await search(ana, "word");
    expect(seqsOf(first)).toEqual(seqs.slice(-first.hits.length).reverse());
    expect(first.hits.length).toBeGreaterThan(10);
    expect(first.hits.length).toBeLessThan(20);
    const rest = await everyPage(ana, { q: "word", cursor: first.next! });
    expect([...seqsOf(first), ...seqsOf({ hits: rest })]).toEqual(seqs.toReversed());
  });

  test("is of the board that was asked, whatever the cursor says", async () => {
    const { ana } = await team();
    await ana.call("createBoard", { body: { name: "other" } });
    await ana.call("postMessage", { params: { board: "other" }, body: { body: "word" } });
    const { seq } = await post(ana, "word");
    for (const cursor of ["9999999999", "4294967296", "4294967295", `${seq}`, `${seq}-1-9999999-1`])
      expect(seqsOf(await search(ana, { q: "word", cursor }))).toEqual([seq]);
    for (const cursor of ["1", "9999999999-1-0-1"])
      expect(await search(ana, { q: "word", cursor })).toMatchObject({ hits: [], next: null });
  });
});

test("what a reader may not read changes nothing of what they are answered", async () => {
  const { world, ana, b } = await team();
  await setPolicy(world, { visibility: "addressed" });
  for (const body of ["red red blue", "red blue blue", "blue red red red", "red blue or so"])
    await post(ana, { body, to: ["@b"] });
  const answer = async () => [
    await search(b, "red blue"),
    await search(b, "blue"),
    await found(b, "blu*"),
  ];
  const before = await answer();
  expect(await found(b, "red blue")).toHaveLength(4);
  await ana.call("createBoard", { body: { name: "hidden", visibility: "private" } });
  for (let i = 0; i < 40; i++) {
    await post(ana, { body: "red secret", to: ["@a"] });
    const body = { body: `red ${"long ".repeat(50)}` };
    await ana.call("postMessage", { params: { board: "hidden" }, body });
  }
  expect(await answer()).toEqual(before);
  expect(await found(b, "secret")).toEqual([]);
  expect(await found(ana, "secret")).toHaveLength(40);
});

test("filters by what the board does not have are refused as they are for messages", async () => {
  const { ana, c } = await team();
  await post(c, "last words");
  await c.call("leaveAsAgent");
  expect(await found(ana, { q: "words", from: "c" })).toEqual(["last words"]);
  expect(await refusalOf(search(ana, { q: "words", from: "nobody" }))).toMatchObject({
    code: "member_not_found",
  });
  expect(await refusalOf(search(ana, { q: "words", role: "ghost" }))).toMatchObject({
    status: 404,
    code: "role_not_found",
  });
  for (const query of [{ limit: 0 }, { limit: 201 }, { before: 0 }, { after: -1 }, { x: 1 }])
    expect(await verdictOf(search(ana, { q: "words", ...query } as Query))).toBe(
      "400 invalid_request",
    );
});

test("an archived board is searched, a deleted one never", async () => {
  const { ana, bo } = await team();
  await post(ana, "for the record");
  await ana.call("archiveBoard", docs);
  expect(await found(bo, "record")).toEqual(["for the record"]);
  await ana.call("deleteBoard", docs);
  for (const reader of [ana, bo])
    expect(await verdictOf(search(reader, "record"))).toBe("404 board_not_found");
});

import { describe, expect, test } from "bun:test";
import {
  fileEvents,
  file,
  listed,
  put,
  refused,
  startBoardWithTasks,
  textOf,
} from "../../support/boards/board-with-files.ts";
import type { Client } from "../../../src/client/client.ts";
import {
  docs,
  headOf,
  post,
  seatOnDocs,
  setPolicy,
  setRole,
} from "../../support/boards/docs-board.ts";
import { ask, verdictOf } from "../../support/raw-requests.ts";
import { openTask, task } from "../../support/boards/board-with-tasks.ts";
import { refusalOf } from "../../support/servers/server-in-process.ts";

const sha256 = (text: string) => `sha256:${Bun.CryptoHasher.hash("sha256", text, "hex")}`;

describe("writing", () => {
  test("the newest version's bytes again writes nothing, unless it says something new", async () => {
    const { ana, writer } = await startBoardWithTasks();
    const { ref: task } = await ana.call("createTask", { ...docs, body: { title: "A task" } });
    const { id, latest } = await put(ana, "plan.md", { text: "one" });
    const before = await headOf(ana);
    const again = (more = {}) => put(writer, "plan.md", { text: "one", base: 1, ...more });
    expect(await again()).toMatchObject({ id, changed: false, latest });
    expect(await again({ maintained: false, media_type: "text/markdown" })).toMatchObject({
      changed: false,
    });
    expect(await headOf(ana)).toBe(before);
    expect(await again({ maintained: true })).toMatchObject({ changed: true });
    expect(await put(ana, "plan.md", { text: "one", base: 2, about: [task] })).toMatchObject({
      changed: true,
      latest: { version: 3 },
    });
    const brief = { brief: true, text: "The brief" };
    const first = await put(ana, "brief.md", brief);
    expect(await put(ana, "brief.md", { ...brief, base: 1, file_id: first.id })).toMatchObject({
      changed: false,
      latest: { version: 1 },
    });
  });

  test("makes a file, and a version on the one that it names", async () => {
    const { world, ana, writer } = await startBoardWithTasks();
    const first = await put(ana, "notes/plan.md", { text: "one" });
    expect(first).toEqual({
      id: expect.stringMatching(/^fil_/),
      name: "notes/plan.md",
      board: "docs",
      maintained: false,
      about: [],
      latest: {
        version: 1,
        digest: sha256("one"),
        size: 3,
        media_type: "text/markdown",
        by: { name: "ana", kind: "human", role: null, owner: null },
        at: world.clock.now.toISOString(),
        seq: await headOf(ana),
        base: 0,
      },
      approvals: [],
      mine: null,
      freshness: { messages_since: 0, tasks_done_since: 0, answers_since: 0 },
      changed: true,
    });
    world.pass(5);
    const second = await put(writer, "notes/plan.md", { base: 1, text: "two" });
    expect(second.id).toBe(first.id);
    expect(second.latest).toMatchObject({
      version: 2,
      base: 1,
      digest: sha256("two"),
      at: world.clock.now.toISOString(),
      by: { name: "writer", kind: "agent", role: "member", owner: "ana" },
    });
    expect(await textOf(ana, "notes/plan.md", 1)).toBe("one");
    expect(await textOf(ana, first.id)).toBe("two");
    const { versions } = await ana.call("getFile", file("notes/plan.md"));
    expect(versions).toEqual([second.latest, first.latest]);
    const about = { name: "notes/plan.md", maintained: false, about: [] };
    expect(await fileEvents(ana)).toEqual([
      ["file.version_added", { ...about, version: 1, base_version: 0 }],
      ["file.version_added", { ...about, version: 2, base_version: 1 }],
    ]);
  });

  test("that does not know what is there is refused, and told of it", async () => {
    const { ana, bo } = await startBoardWithTasks();
    const { id, latest } = await put(bo, "plan.md");
    await put(bo, "other.md");
    const { by, at } = latest;
    for (const base of [undefined, 0])
      expect(
        await refusalOf(put(ana, "plan.md", base === undefined ? {} : { base })),
      ).toMatchObject({
        status: 409,
        code: "file_exists",
        details: { version: 1, by, at },
        message: "Board docs has a file plan.md already, version 1.",
      });
    for (const more of [
      { base: 2 },
      { base: 1, file_id: `fil_${"0".repeat(26)}` },
      { base: 1, file_id: (await ana.call("getFile", file("other.md"))).id },
    ])
      expect(await refusalOf(put(ana, "plan.md", more))).toMatchObject({
        status: 409,
        code: "file_changed",
        details: { version: 1, by, at },
      });
    const gone = await refusalOf(put(ana, "new.md", { base: 1 }));
    expect(gone).toMatchObject({ status: 409, code: "file_changed", details: undefined });
    expect(await refused(ana, "new.md", { file_id: id })).toBe("409 file_changed");
    expect(await listed(ana)).toEqual(["other.md", "plan.md"]);
    await put(ana, "plan.md", { base: 1, file_id: id });
  });

  test("of a file that was replaced under its name is refused, though the number fits", async () => {
    const { ana } = await startBoardWithTasks();
    const { id } = await put(ana, "plan.md", { text: "old" });
    await ana.call("removeFile", file("plan.md"));
    const { id: other, latest } = await put(ana, "plan.md", { text: "new" });
    expect([other === id, latest.version]).toEqual([false, 1]);
    expect(await refused(ana, "plan.md", { base: 1, file_id: id })).toBe("409 file_changed");
    expect(await textOf(ana, id)).toBe("old");
    expect(await textOf(ana, "plan.md")).toBe("new");
  });

  test("of one version by several at once has one winner", async () => {
    const { ana, bo, writer, second, scout } = await startBoardWithTasks();
    await put(ana, "plan.md");
    const writing = [ana, bo, writer, second, scout].map((by, n) =>
      put(by, "plan.md", { base: 1, text: `of ${n}` }),
    );
    const ended = await Promise.allSettled(writing);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const codes = ended.flatMap((each) =>
      each.status === "rejected" ? [(each.reason as { code: string }).code] : [],
    );
    expect(codes).toEqual(Array(4).fill("file_changed"));
    const winner = ended.findIndex(({ status }) => status === "fulfilled");
    expect(await textOf(ana, "plan.md", 2)).toBe(`of ${winner}`);
    const making = [ana, bo, writer].map((by) => put(by, "new.md", { text: "same" }));
    const made = (await Promise.allSettled(making)).map(({ status }) => status);
    expect(made.sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  test("keeps what it does not say, and takes the media type from the name unless it is told", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana);
    await openTask(ana, "Another");
    const about = (given: Awaited<ReturnType<typeof put>>) => given.about.map(({ ref }) => ref);
    const first = await put(ana, "a.bin", { maintained: true, about: ["2", "doc-1", "DOC-2"] });
    expect([first.maintained, about(first)]).toEqual([true, ["DOC-2", "DOC-1"]]);
    const second = await put(ana, "a.bin", { base: 1, media_type: 'text/x-Own; charset="utf 8"' });
    expect([second.maintained, about(second)]).toEqual([true, ["DOC-2", "DOC-1"]]);
    expect(second.latest.media_type).toBe('text/x-Own; charset="utf 8"');
    const third = await put(ana, "a.bin", { base: 2, maintained: false, about: ["1"] });
    expect([third.maintained, about(third)]).toEqual([false, ["DOC-1"]]);
    expect(third.latest.media_type).toBe("application/octet-stream");
    const types = { "a.HTML": "text/html", "b.svg": "image/svg+xml", "c.constructor": null };
    for (const [name, type] of Object.entries(types))
      expect((await put(ana, name)).latest.media_type).toBe(type ?? "application/octet-stream");
    expect(await refused(ana, "d.md", { about: ["9"] })).toBe("404 task_not_found");
    expect(await listed(ana, { task: "2" })).toEqual([]);
    expect(await listed(ana, { task: task().params.task })).toEqual(["a.bin"]);
  });

  test("takes any name of the form, and nothing else", async () => {
    const { ana } = await startBoardWithTasks();
    const long = `${"a".repeat(99)}/${"b".repeat(100)}`;
    for (const name of [
      "a",
      "A.B_c-d/9",
      "x..",
      "1/2/3",
      long,
      `fil_${"0".repeat(26)}`,
      "sub/brief.md",
    ])
      expect((await put(ana, name)).name).toBe(name);
    for (const name of [
      "",
      "/a",
      "a/",
      "a//b",
      ".",
      "..",
      "a/../b",
      "./a",
      "a/.b",
      ".env",
      "-a",
      "_a",
      "a b",
      "ä",
      "a\\b",
      "a\nb",
      `${long}c`,
      "a\0",
      "a%2Fb",
    ])
      expect([name, await refused(ana, name)]).toEqual([name, "400 invalid_request"]);
    for (const media_type of ["text", "text/", "/x", "text/plain\r\nx: y", "text/plain;", "tëxt/x"])
      expect(await refused(ana, "b", { media_type })).toBe("400 invalid_request");
    expect(await refused(ana, "b", { about: Array<string>(9).fill("1") })).toBe(
      "400 invalid_request",
    );
  });

  test("is for agents whose role grants upload_files, and that is said before an archive is", async () => {
    const { world, ana, bo, writer } = await startBoardWithTasks();
    const { id } = await put(writer, "plan.md");
    await setRole(world, "reader", ["post"]);
    const reader = await seatOnDocs(world, "reader", "reader");
    const tried = async () => [
      await refused(reader, "new.md"),
      await verdictOf(reader.call("updateFile", { ...file(id), body: { maintained: true } })),
      await verdictOf(reader.call("removeFile", file(id))),
    ];
    expect(await tried()).toEqual(Array(3).fill("403 forbidden"));
    expect((await refusalOf(put(reader, "new.md"))).message).toContain("upload_files");
    await ana.call("archiveBoard", docs);
    expect(await tried()).toEqual(Array(3).fill("403 forbidden"));
    for (const by of [bo, writer]) expect(await refused(by, "new.md")).toBe("409 board_archived");
    expect(await textOf(reader, "plan.md")).toBe("plan.md");
  });

  test("with a key happens once; its bytes and its query belong to the request", async () => {
    const { ana } = await startBoardWithTasks();
    const key = { idempotencyKey: "once" };
    const say = (text: string, query: { name: string; maintained?: boolean }) =>
      ana.upload({ ...docs, query }, new Blob([text]), key);
    const first = await say("one", { name: "plan.md" });
    await ana.call("removeFile", file("plan.md"));
    const head = await headOf(ana);
    expect(await say("one", { name: "plan.md" })).toEqual(first);
    expect(await verdictOf(say("two", { name: "plan.md" }))).toBe("422 idempotency_conflict");
    expect(await verdictOf(say("one", { name: "plan.md", maintained: false }))).toBe(
      "422 idempotency_conflict",
    );
    await ana.call("archiveBoard", docs);
    expect(await say("one", { name: "plan.md" })).toEqual(first);
    expect(await headOf(ana)).toBe(head + 1);
  });

  test("a refusal with a key is kept, and given again when the request would succeed", async () => {
    const { ana, bo } = await startBoardWithTasks();
    await put(ana, "plan.md");
    const attempt = () =>
      verdictOf(
        bo.upload({ ...docs, query: { name: "plan.md" } }, new Blob(["b"]), {
          idempotencyKey: "k",
        }),
      );
    expect(await attempt()).toBe("409 file_exists");
    await ana.call("removeFile", file("plan.md"));
    expect(await attempt()).toBe("409 file_exists");
    await ana.call("removePerson", { params: { board: "docs", handle: "bo" } });
    expect(await attempt()).toBe("403 not_on_board");
  });

  test("takes bytes and no form of anything else", async () => {
    const { world, ana } = await startBoardWithTasks();
    const line = (name: string) => `POST /v1/boards/docs/files?name=${name}`;
    const sent = async (headers: Record<string, string>, name = "x") =>
      (await ask(world, line(name), { token: ana.token, body: "{}", headers })).verdict;
    for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain", ""])
      expect(await sent({ "content-type": type })).toBe("400 invalid_request");
    const bytes = { "content-type": "application/octet-stream" };
    expect(await sent({ ...bytes, "content-encoding": "gzip" })).toBe("400 invalid_request");
    expect(await sent({ ...bytes, "idempotency-key": "" })).toBe("400 invalid_request");
    expect(await sent({ ...bytes, "content-length": String(50 * 1024 * 1024 + 1) })).toBe(
      "413 file_too_large",
    );
    expect(await listed(ana)).toEqual([]);
    expect(await sent(bytes)).toBe("201");
    expect((await ask(world, line("none"), { token: ana.token })).verdict).toBe("201");
    expect((await ana.call("getFile", file("none"))).latest.size).toBe(0);
  });
});

describe("a list", () => {
  test("has maintained files first, then the newest version, and says whether there are more", async () => {
    const { ana, writer } = await startBoardWithTasks();
    for (const name of ["a", "b", "c"]) await put(ana, name);
    await put(writer, "kept", { maintained: true });
    await put(writer, "a", { base: 1 });
    expect(await listed(ana)).toEqual(["kept", "a", "c", "b"]);
    expect(await listed(writer, { mine: true })).toEqual(["kept", "a"]);
    expect(await listed(ana, { mine: true })).toEqual(["a", "c", "b"]);
    const page = await ana.call("listFiles", { ...docs, query: { limit: 3 } });
    expect([page.files.length, page.more]).toEqual([3, true]);
    const whole = await ana.call("listFiles", { ...docs, query: { limit: 4 } });
    expect([whole.files.length, whole.more]).toEqual([4, false]);
    expect(await verdictOf(ana.call("listFiles", { ...docs, query: { task: "7" } }))).toBe(
      "404 task_not_found",
    );
  });

  test("is gone through by pages, of the maintained files and then of the others, whatever filters it", async () => {
    const { ana, writer } = await startBoardWithTasks();
    for (const name of ["a", "b", "c"]) await put(ana, name);
    await put(writer, "kept", { maintained: true });
    await put(ana, "also-kept", { maintained: true });
    await put(writer, "a", { base: 1 });
    const page = async (query: object) =>
      (await ana.call("listFiles", { ...docs, query })).files.map(({ name, latest }) => ({
        name,
        before: latest.seq,
      }));
    const [first, last] = await page({ maintained: true });
    expect([first?.name, last?.name]).toEqual(["also-kept", "kept"]);
    expect(await listed(ana, { maintained: true, before: first!.before })).toEqual(["kept"]);
    const [a, c] = await page({ maintained: false, limit: 2 });
    expect([a?.name, c?.name]).toEqual(["a", "c"]);
    const rest = { maintained: false, before: c!.before };
    expect(await listed(ana, rest)).toEqual(["b"]);
    expect(await listed(ana, { ...rest, mine: true })).toEqual(["b"]);
    expect(await listed(writer, { ...rest, mine: true })).toEqual([]);
    expect(await listed(ana, { before: a!.before })).toEqual(["also-kept", "kept", "c", "b"]);
  });

  test("counts what happened since a version, as far as the reader may read it", async () => {
    const { world, ana, bo, writer, scout } = await startBoardWithTasks();
    await post(ana, "before");
    await put(ana, "old");
    await post(ana, "to all");
    await post(bo, { body: "to scout", to: ["@scout"] });
    await put(ana, "new");
    await post(writer, { body: "to ana", to: ["@ana"] });
    for (const number of [1, 2]) {
      await openTask(ana);
      const cancelled = number === 2;
      await ana.call("finishTask", { ...task(number), body: { note: "x", cancelled } });
    }
    const seen = async (by: typeof scout) =>
      (await by.call("listFiles", docs)).files.map(({ freshness }) => [
        freshness.messages_since,
        freshness.tasks_done_since,
        freshness.answers_since,
      ]);
    expect(await seen(scout)).toEqual([
      [1, 2, 0],
      [3, 2, 0],
    ]);
    await setPolicy(world, { visibility: "addressed" });
    expect(await seen(scout)).toEqual([
      [0, 2, 0],
      [2, 2, 0],
    ]);
    expect(await seen(writer)).toEqual([
      [1, 2, 0],
      [2, 2, 0],
    ]);
    expect((await ana.call("getFile", file("new"))).freshness.messages_since).toBe(1);
  });
});

test("the board says how many files its list has, for whoever is on it, and one board at a time", async () => {
  const { world, ana, writer } = await startBoardWithTasks();
  const counted = async (client: Client = ana) => (await client.call("getBoard", docs)).file_count;
  expect(await counted()).toBe(0);
  await put(ana, "plan.md");
  await put(ana, "notes.md");
  await put(ana, "notes.md", { text: "another version", base: 1 });
  expect([await counted(), await counted(writer)]).toEqual([2, 2]);
  await ana.call("removeFile", file("plan.md"));
  expect(await counted()).toBe(1);
  const [board] = (await ana.call("listBoards")).boards;
  expect(board).not.toHaveProperty("file_count");
  const passing = await world.person("pia");
  expect(await passing.call("getBoard", docs)).not.toHaveProperty("file_count");
});

describe("a file", () => {
  test("is found by name and by id, a removed one by its id alone, and never from another board", async () => {
    const { ana } = await startBoardWithTasks();
    await ana.call("createBoard", { body: { name: "plaza" } });
    const { id } = await put(ana, "notes/plan.md");
    const before = await ana.call("getFile", file("notes/plan.md"));
    expect(await ana.call("getFile", file(id))).toEqual(before);
    const { versions: _versions, posted_in, ...record } = before;
    expect(posted_in).toEqual([]);
    expect(await ana.call("removeFile", file(id))).toEqual(record);
    expect(await verdictOf(ana.call("getFile", file("notes/plan.md")))).toBe("404 file_not_found");
    expect(await ana.call("getFile", file(id))).toEqual(before);
    expect(await textOf(ana, id)).toBe("notes/plan.md");
    const elsewhere = { params: { board: "plaza", file: id } };
    expect(await verdictOf(ana.call("getFile", elsewhere))).toBe("404 file_not_found");
    const attempts = [
      ana.call("removeFile", file(id)),
      ana.call("updateFile", { ...file(id), body: { maintained: true } }),
      ana.call("approveFile", { ...file(id), body: { version: 1 } }),
      ana.call("removeFileApproval", file(id)),
    ];
    for (const attempt of attempts) expect(await verdictOf(attempt)).toBe("404 file_not_found");
    expect((await fileEvents(ana)).at(-1)).toEqual(["file.removed", { name: "notes/plan.md" }]);
    expect(await listed(ana)).toEqual([]);
  });

  test("whose name is another's id is found by its own id: the id wins", async () => {
    const { ana } = await startBoardWithTasks();
    const { id } = await put(ana, "plan.md");
    const { id: other } = await put(ana, id, { text: "named like an id" });
    expect(await textOf(ana, id)).toBe("plan.md");
    expect(await textOf(ana, other)).toBe("named like an id");
  });

  test("is renamed and said more of, without a version", async () => {
    const { ana } = await startBoardWithTasks();
    await openTask(ana);
    const { id } = await put(ana, "plan.md");
    await put(ana, "other.md");
    const update = (body: object, selector = id) =>
      ana.call("updateFile", { ...file(selector), body });
    const all = await update({ name: "b/plan.md", maintained: true, about: ["1"] });
    expect(all).toMatchObject({ id, name: "b/plan.md", maintained: true, latest: { version: 1 } });
    expect(all.about).toMatchObject([{ ref: "DOC-1", title: "A task" }]);
    const head = await headOf(ana);
    expect(await update({ name: "b/plan.md", maintained: true, about: ["doc-1"] })).toEqual(all);
    expect(await headOf(ana)).toBe(head);
    expect((await update({ about: [] })).about).toEqual([]);
    expect((await fileEvents(ana)).slice(2)).toEqual([
      ["file.renamed", { before: "plan.md", after: "b/plan.md" }],
      ["file.updated", { maintained: true, about: [expect.stringMatching(/^tsk_/)] }],
      ["file.updated", { about: [] }],
    ]);
    expect(await verdictOf(update({ name: "other.md" }))).toBe("409 file_name_taken");
    expect(await verdictOf(update({ name: "brief.html" }))).toBe("409 brief_path_reserved");
    expect(await verdictOf(update({ about: ["9"] }))).toBe("404 task_not_found");
    expect(await verdictOf(update({}))).toBe("400 invalid_request");
    expect(await verdictOf(update({ maintained: true }, "plan.md"))).toBe("404 file_not_found");
    // Refused whole: neither of the two changed.
    expect(await verdictOf(update({ maintained: false, about: ["9"] }))).toBe("404 task_not_found");
    expect((await ana.call("getFile", file(id))).maintained).toBe(true);
    await put(ana, "plan.md");
  });
});

describe("an approval", () => {
  test("is one for each person, of the version that they name, and later versions have none", async () => {
    const { world, ana, bo } = await startBoardWithTasks();
    const { latest } = await put(ana, "plan.md", { text: "one" });
    const approve = (by: typeof bo | typeof ana, number: number) =>
      by.call("approveFile", { ...file("plan.md"), body: { version: number } });
    const first = await approve(bo, 1);
    const ofBo = {
      person: { name: "bo", kind: "human", role: null, owner: null },
      version: 1,
      digest: latest.digest,
      at: world.clock.now.toISOString(),
      changes_since: 0,
    };
    expect([first.approvals, first.mine]).toEqual([[ofBo], ofBo] as never);
    const head = await headOf(ana);
    await approve(bo, 1);
    expect(await headOf(ana)).toBe(head);
    world.pass(5);
    const second = await put(ana, "plan.md", { base: 1, text: "two" });
    expect([second.approvals, second.mine]).toEqual([
      [{ ...ofBo, changes_since: 1 }],
      null,
    ] as never);
    const both = await approve(ana, 1);
    expect(both.approvals.map(({ person }) => person.name)).toEqual(["ana", "bo"]);
    expect((await approve(bo, 2)).approvals).toMatchObject([
      { person: { name: "bo" }, version: 2, digest: second.latest.digest, changes_since: 0 },
      { person: { name: "ana" }, version: 1, changes_since: 1 },
    ]);
    const removed = await bo.call("removeFileApproval", file("plan.md"));
    expect([removed.approvals.length, removed.mine]).toEqual([1, null]);
    const after = await headOf(ana);
    await bo.call("removeFileApproval", file("plan.md"));
    expect(await headOf(ana)).toBe(after);
    expect((await fileEvents(ana)).slice(-2)).toEqual([
      ["file.approved", { version: 2 }],
      ["file.approval_removed", { version: 2 }],
    ]);
    expect(await verdictOf(approve(bo, 3))).toBe("404 version_not_found");
  });

  test("is a person's alone", async () => {
    const { ana, writer } = await startBoardWithTasks();
    await put(ana, "plan.md");
    const body = { version: 1 };
    expect(await verdictOf(writer.call("approveFile", { ...file("plan.md"), body }))).toBe(
      "403 human_token_required",
    );
    expect(await verdictOf(writer.call("removeFileApproval", file("plan.md")))).toBe(
      "403 human_token_required",
    );
  });
});

test("opening a board tells how many files it shows", async () => {
  const { ana } = await startBoardWithTasks();
  await put(ana, "a");
  await put(ana, "b");
  await put(ana, "c");
  await ana.call("removeFile", file("a"));
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  const open = { ...docs, body: { visibility: "open", dry_run: true } } as const;
  expect((await ana.call("setVisibility", open)).reveals).toEqual({ messages: 0, files: 2 });
  expect((await ana.call("getInfo")).features).toContain("files");
});

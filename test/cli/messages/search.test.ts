import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newMachine } from "../../support/commands/machine.ts";

const machine = newMachine();
const { json, ok, refusal, run } = machine;
const as = (name: string) => ["--as", name];
const post = async (name: string, ...words: string[]) =>
  (await json(["say", ...words, ...as(name)])).message.seq as number;
const seqsOf = ({ hits }: any) => hits.map(({ seq }: any) => seq);

const { join: code } = await json(["pair", "writer-reviewer", "--board", "demo"]);
await ok(["join", code.line, "--name", "rex", "--harness", "codex"]);
const seqs = {
  deploy: await post("writer", "The deploy failed with an error"),
  error: await post("rex", "An error error\nin two lines"),
  secret: await post("writer", "Only for the owner: deploy", "--to", "@ada-l"),
};

test("a person and an agent search a board", async () => {
  const found = await json(["search", "error"]);
  expect(found).toMatchObject({ board: "demo", query: "error", next: null, complete: true });
  expect(seqsOf(found)).toEqual([seqs.error, seqs.deploy]);
  expect(seqsOf(await json(["search", "deploy", "ERROR", ...as("rex")]))).toEqual([seqs.deploy]);
  expect(seqsOf(await json(["search", '"an error"', "--from", "@rex"]))).toEqual([seqs.error]);
  expect(seqsOf(await json(["search", "dep*", "--after", `#${seqs.deploy}`]))).toEqual([
    seqs.secret,
  ]);
  expect(seqsOf(await json(["search", "error", "--before", `${seqs.error}`]))).toEqual([
    seqs.deploy,
  ]);
  expect(seqsOf(await json(["search", "error", "--role", "reviewer"]))).toEqual([seqs.error]);
  expect(seqsOf(await json(["search", "deploy", "--to-me"]))).toContain(seqs.secret);
});

test("what is found is shown on two lines, and the rest by the command that goes on", async () => {
  const { stdout } = await ok(["search", "error"]);
  expect(stdout).toStartWith(`demo · 2 messages\n\n#${seqs.error} @rex → all · `);
  expect(stdout).toContain("\n    An error error in two lines\n");
  const page = (await ok(["search", "error", "--limit", "1", "--board", "demo"])).stdout;
  const more = page.trimEnd().split("\n").at(-1)!;
  expect(more).toMatch(/^More: .* search error --limit 1 --cursor [\d-]+ --board demo$/);
  const words = more.slice(more.indexOf(" search error") + 1).split(" ");
  expect(seqsOf(await json(words))).toEqual([seqs.deploy]);
  expect((await ok(["search", "nothing"])).stdout).toStartWith(
    "Nothing like that on demo. Whole words",
  );
});

test("tasks are found among the messages, each on a line of its own form", async () => {
  const taskAbout = (title: string, ...words: string[]) =>
    ok(["task", "new", title, "--about", ...words, ...as("writer")]);
  await taskAbout("Make the timeout longer", "It ended, as we saw, with a timeout");
  await taskAbout("Look around", "After the timeout", "--no-start");
  const said = await post("rex", "The timeout is DEM-1");
  const stdout = async (...words: string[]) => (await ok(["search", ...words])).stdout;
  const all = await stdout("timeout");
  expect(all).toStartWith("demo · 2 tasks · 1 message\n");
  expect(all).toContain(`\n#${said} @rex → all · `);
  expect(all).toMatch(/\nDEM-1 Make the timeout longer · in progress · @writer · [^\n]+\n$/);
  expect(all).toMatch(
    /\nDEM-2 Look around · not picked up · [^\n@]+\n    About: After the timeout\n/,
  );
  const named = (await stdout("dem-1")).split("\n\n");
  expect(named).toEqual([
    "demo · 1 task · 1 message",
    expect.stringMatching(/^DEM-1 Make the timeout longer · in progress · @writer · [^\n]+$/),
    expect.stringMatching(/^#\d+ @rex → all/),
  ]);
  const { hits } = await json(["search", "timeout", "--kind", "task", "--from", "writer"]);
  expect(hits.map(({ kind, ref, found_in }: any) => [kind, ref, found_in]).toSorted()).toEqual([
    ["task", "DEM-1", "title"],
    ["task", "DEM-2", "about"],
  ]);
  expect(seqsOf(await json(["search", "timeout", "--kind", "message"]))).toEqual([said]);
  const more = await stdout("timeout", "--kind", "task", "--limit", "1");
  expect(more).toMatch(/\nMore: .* search timeout --kind task --limit 1 --cursor \d+/);
});

test("files are found by their names, each on one line", async () => {
  const token = readFileSync(join(machine.home, "config/owner-token"), "utf8").trim();
  const { server } = await json(["whoami"]);
  const put = async (query: string) => {
    const answer = await fetch(`${server.url}/v1/boards/demo/files?${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
      body: "x",
    });
    expect(answer.status).toBe(201);
  };
  await put("name=guides/release-notes.md");
  await put("name=guides/release-notes.md&base=1&maintained=true");
  const { stdout } = await ok(["search", "release", "--kind", "file"]);
  expect(stdout).toMatch(
    /^demo · 1 file\n\nguides\/release-notes\.md v2 · maintained · @ada-l · [^\n]+\n$/,
  );
  expect((await json(["search", "notes", ...as("rex")])).hits).toMatchObject([
    { kind: "file", name: "guides/release-notes.md", latest: { version: 2 } },
  ]);
});

test("what cannot be searched for is refused", async () => {
  expect((await run(["search"])).code).toBe(2);
  expect((await run(["search", " "])).code).toBe(2);
  expect((await run(["search", "x", "--limit", "0"])).code).toBe(2);
  expect((await run(["search", "x", "--kind", "tasks"])).code).toBe(2);
  expect((await run(["search", "x", "--as", "rex", "--server", "local"])).code).toBe(2);
  expect(await refusal(["search", "!"])).toBe("invalid_request");
  expect(await refusal(["search", "error", "--from", "eve"])).toBe("member_not_found");
});

import { expect, test } from "bun:test";
import type { Client, Given } from "../../src/client/client.ts";
import {
  docs,
  guestOn,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

type Query = NonNullable<Given<"putFile">["query"]>;
const put = (by: Client, name: string, text: BlobPart, more: Omit<Query, "name"> = {}) =>
  by.upload({ ...docs, query: { name, ...more } }, new Blob([text]));
/** What the browser says by itself of an answer that refuses. */
const refused = /^Failed to load resource: .* (404|409) /;
const open = (path = "", { as = world.admin, expected = /^$/ } = {}) =>
  browser.signedIn(url, as, `/b/docs/files${path}`, {}, expected);

test("a board without files says what belongs there, and takes the first ones", async () => {
  await world.admin.call("createBoard", { body: { name: "bare" } });
  const page = await browser.signedIn(url, world.admin, "/b/bare/files");
  await page.getByRole("heading", { name: "No files yet" }).waitFor();
  await page
    .getByLabel("Add the first file")
    .last()
    .setInputFiles([
      { name: "first notes.md", mimeType: "text/markdown", buffer: Buffer.from("# One\n") },
      { name: "second.txt", mimeType: "text/plain", buffer: Buffer.from("two\n") },
    ]);
  await page.getByRole("row", { name: /first-notes\.md/ }).waitFor();
  await page.getByRole("row", { name: /second\.txt/ }).waitFor();
  const { files } = await world.admin.call("listFiles", { params: { board: "bare" } });
  expect(files.map(({ name }) => name).sort()).toEqual(["first-notes.md", "second.txt"]);
});

test("the list has what is kept current first, says who approved what, and follows the board", async () => {
  await put(world.admin, "kept.md", "1", { maintained: true });
  await put(ben, "plan.md", "1");
  await world.admin.call("approveFile", {
    params: { board: "docs", file: "plan.md" },
    body: { version: 1 },
  });
  const page = await open();
  const row = page.getByRole("row", { name: /plan\.md/ });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/plan\.md.*v1.*ben.*you/);
  expect(await page.getByRole("rowgroup").nth(1).textContent()).toMatch(/Kept current.*kept\.md/);
  await put(scout, "plan.md", "2", { base: 1 });
  await page.getByRole("row", { name: /plan\.md.*v2.*scout.*you, version 1/ }).waitFor();
  await put(ben, "late.txt", "x");
  await page.getByRole("row", { name: /late\.txt/ }).waitFor();
});

test("files are added on a phone too, where the tabs have no room for that", async () => {
  await put(ben, "there.txt", "1");
  const page = await open();
  await page.setViewportSize({ width: 390, height: 844 });
  const button = page.getByRole("button", { name: "Add files" });
  await button.waitFor();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button.click()]);
  await chooser.setFiles([
    { name: "phone.txt", mimeType: "text/plain", buffer: Buffer.from("from a phone\n") },
  ]);
  await page.getByRole("row", { name: /phone\.txt/ }).waitFor();
});

test("a file is read as a document, as lines, or as what there is to save", async () => {
  await put(ben, "doc.md", "# Title\n\nSome *words* and `code`.\n\n```js\nconst a = 1;\n```\n");
  await put(ben, "data.csv", "a,b\n1,\u202e2\n");
  await put(ben, "archive.zip", new Uint8Array([80, 75, 3, 4]));
  await put(ben, "lies.txt", new Uint8Array([0, 1, 2, 255]));
  await put(ben, "large.log", "0123456789\n".repeat(100_000));
  await put(ben, "empty.txt", "");
  const page = await open("/doc.md");
  const text = page.getByRole("region", { name: "doc.md, version 1" });
  await text.getByRole("heading", { name: "Title", level: 1 }).waitFor();
  await text.locator(".code .kw", { hasText: "const" }).waitFor();
  await page.getByRole("button", { name: "Source" }).click();
  await page.getByRole("row", { name: "1 # Title" }).waitFor();
  expect(new URL(page.url()).search).toBe("?view=source");

  await page.goto(`${url}/b/docs/files/data.csv`);
  await page.getByRole("cell", { name: "1,[U+202E]2" }).waitFor();
  for (const [name, words] of [
    ["archive.zip", "This kind of file is not shown here. It has 4 bytes, as application/zip."],
    ["lies.txt", "This kind of file is not shown here. It has 4 bytes, as text/plain."],
    ["large.log", "This text is too large to show here. It has 1.1 MB, as text/plain."],
    ["empty.txt", "Version 1 is empty."],
  ] as const) {
    await page.goto(`${url}/b/docs/files/${name}`);
    await page.getByText(words).waitFor();
  }
  await page.goto(`${url}/b/docs/files/archive.zip`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save version 1" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("archive.zip");
});

test("versions are compared, stepped through, and chosen", async () => {
  await put(ben, "steps.md", "one\ntwo\n");
  await put(scout, "steps.md", "one\ntwo words\n", { base: 1 });
  await put(ben, "steps.md", "one\ntwo good words\n", { base: 2 });
  const page = await open("/steps.md");
  await page.getByRole("button", { name: "Changes" }).click();
  await page.getByRole("region", { name: "Changes from version 2 to version 3" }).waitFor();
  expect(new URL(page.url()).search).toBe("?v=2..3");
  expect(await page.locator(".diff ins").allTextContents()).toEqual(["good"]);
  await page.keyboard.press("[");
  await page.getByRole("region", { name: "Changes from version 1 to version 2" }).waitFor();
  await page.keyboard.press("]");
  await page.getByLabel("From", { exact: true }).selectOption("1");
  await page.getByRole("region", { name: "Changes from version 1 to version 3" }).waitFor();
  await put(scout, "steps.md", "four\n", { base: 3 });
  await page
    .getByRole("complementary", { name: "Versions" })
    .getByText("4", { exact: true })
    .first()
    .waitFor();
  expect(new URL(page.url()).search).toBe("?v=1..3");
  await page.goto(`${url}/b/docs/files/steps.md?v=2`);
  await page.getByText("This is version 2. The newest is version 4.").waitFor();
  await page.goto(`${url}/b/docs/files/steps.md?v=9`);
  await page.getByRole("heading", { name: "steps.md has no version 9" }).waitFor();
  await page.goto(`${url}/b/docs/files/steps.md?v=7..9`);
  await page.getByText("One of these versions is not there.").waitFor();
});

test("a version is approved and the approval taken back; a newer version leaves it with the older one", async () => {
  await put(ben, "sign.md", "1");
  const page = await open("/sign.md");
  const panel = page.getByRole("complementary", { name: "Versions" });
  await panel.getByRole("button", { name: "Approve version 1" }).click();
  await panel.getByText("Yours: version 1, the newest.").waitFor();
  const at = { params: { board: "docs", file: "sign.md" } };
  const approvals = async () => (await ben.call("getFile", at)).approvals;
  await untilStored(approvals, [{ version: 1 }]);
  await put(ben, "sign.md", "2", { base: 1 });
  await panel.getByText("Yours: version 1, 1 change since.").waitFor();
  await untilStored(approvals, [{ version: 1 }]);
  await panel.getByRole("button", { name: "Take it back" }).click();
  await panel.getByText("You have approved no version.").waitFor();
  await page.waitForFunction(() => !document.querySelector(".vers .ok"));
  await untilStored(approvals, []);
});

test("an approval that is asked for is given above the file, and says that a newer version is there", async () => {
  await put(scout, "ask.md", "one\n");
  const asked = await post(scout, {
    body: "May this go out?",
    files: [{ file: "ask.md" }],
    to: ["@ana"],
    ask: { options: ["Approve", "Not yet"], approval: true },
  });
  const page = await open();
  await page.getByRole("row", { name: /ask\.md approve it/ }).waitFor();
  await page.getByRole("link", { name: "ask.md" }).click();
  const bar = page.getByRole("group", { name: "scout asks you to approve version 1" });
  await bar.waitFor();
  // What is asked here needs no dock.
  await page.locator(".dock").waitFor({ state: "detached" });
  await put(scout, "ask.md", "one\ntwo\n", { base: 1 });
  await bar.getByText("A newer one is there").waitFor();
  await page.keyboard.press("1");
  await page
    .getByRole("complementary", { name: "Versions" })
    .getByText("Yours: version 1, 1 change since.")
    .waitFor();
  await bar.waitFor({ state: "detached" });
  const ask = async () =>
    (await scout.call("getMessage", { params: { message: asked.id } })).message.ask;
  await untilStored(ask, { state: "answered", answer_option: 1 });
});

test("a file is renamed, and its page follows whoever does it", async () => {
  await put(ben, "old.md", "1");
  await put(ben, "taken.md", "1");
  const page = await open("/old.md", { expected: refused });
  await page.getByRole("button", { name: "File menu" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  const dialog = page.getByRole("dialog", { name: "Rename old.md" });
  await dialog.getByLabel("Its new name").fill("taken.md");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await dialog.getByText("Another file of board docs is named taken.md.").waitFor();
  await dialog.getByLabel("Its new name").fill("new name.md");
  await dialog.getByText("It will be named new-name.md.").waitFor();
  await dialog.getByRole("button", { name: "Rename" }).click();
  await page.waitForURL("**/files/new-name.md");
  await page.getByRole("heading", { name: "new-name.md" }).waitFor();
  await ben.call("updateFile", {
    params: { board: "docs", file: "new-name.md" },
    body: { name: "bens.md" },
  });
  await page.waitForURL("**/files/bens.md");
});

test("a removed file is read by its id, and brought back as a new one", async () => {
  const { id } = await put(ben, "gone.md", "bytes of it\n");
  const page = await open("/gone.md", { expected: refused });
  await page.getByRole("button", { name: "File menu" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove gone.md?" });
  expect(await dialog.textContent()).toContain("its name is free");
  await dialog.getByRole("button", { name: "Remove it" }).click();
  await page.waitForURL("**/b/docs/files");
  await page.goto(`${url}/b/docs/files/gone.md`);
  await page.getByRole("heading", { name: "There is no file gone.md" }).waitFor();
  await page.goto(`${url}/b/docs/files/${id}`);
  await page.getByText("This file was removed.").waitFor();
  await page.getByText("bytes of it").waitFor();
  await page.getByRole("button", { name: "bring back version 1" }).click();
  await page
    .getByRole("dialog", { name: "Bring gone.md back?" })
    .getByRole("button", { name: "Bring it back" })
    .click();
  await page.getByRole("link", { name: "gone.md" }).waitFor();
  const back = await ben.call("getFile", { params: { board: "docs", file: "gone.md" } });
  expect([back.latest.version, back.id === id]).toEqual([1, false]);
});

test("a file that somebody else removes stays on the page, and says so", async () => {
  await put(ben, "taken-away.md", "still here\n");
  const page = await open("/taken-away.md");
  await page.getByText("still here").waitFor();
  await ben.call("removeFile", { params: { board: "docs", file: "taken-away.md" } });
  await page.getByText("This file was removed.").waitFor();
  await page.getByText("still here").waitFor();
});

test("a new version is chosen beside the file, and an earlier one is brought back", async () => {
  await put(ben, "mine.txt", "1\n");
  const page = await open("/mine.txt");
  const panel = page.getByRole("complementary", { name: "Versions" });
  await panel
    .getByLabel("Choose a file")
    .last()
    .setInputFiles({
      name: "whatever.bin",
      mimeType: "text/plain",
      buffer: Buffer.from("2\n"),
    });
  await page.getByText("is version 2").waitFor();
  await page.getByRole("cell", { name: "2", exact: true }).first().waitFor();
  await panel.getByRole("button", { name: "bring back version 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Bring version 1 back?" });
  expect(await dialog.textContent()).toContain("Version 3 will have the bytes of version 1.");
  await dialog.getByRole("button", { name: "Bring it back" }).click();
  await page.getByText("is version 3").waitFor();
  const { versions } = await ben.call("getFile", { params: { board: "docs", file: "mine.txt" } });
  expect(versions.map(({ version, size }) => [version, size])).toEqual([
    [3, 2],
    [2, 2],
    [1, 2],
  ]);
  expect(versions[0]!.digest).toBe(versions[2]!.digest);
});

const look = "look/deep/page.md";
await put(ben, look, "# Page\n\n- one\n- two\n");
await put(scout, look, "# Page\n\n- one\n- three\n", { base: 1 });

test.each([
  ["the list", "", "row"],
  ["a document", "?", "region"],
  ["what changed", "?v=1..2", "region"],
  ["the source", "?view=source", "region"],
  ["the versions alone on a phone", "?versions=on", "listitem"],
] as const)("%s has no axe finding and fits every window", async (what, query, role) => {
  const page = await open(query && `/${encodeURIComponent(look)}${query}`);
  await page.getByRole(role).first().waitFor();
  await holdsInEachLook(page, what);
});

test("a guest and a reader of an archived board read, and are offered nothing that is refused", async () => {
  await world.admin.call("createBoard", { body: { name: "old" } });
  const old = { params: { board: "old" } };
  await world.admin.upload({ ...old, query: { name: "kept.md" } }, new Blob(["# Kept\n"]));
  const guest = await guestOn(world, "gus", "old");
  const as = async (who: Client) => {
    const page = await browser.signedIn(url, who, "/b/old/files");
    await page.getByRole("link", { name: "kept.md" }).click();
    await page.getByRole("heading", { name: "Kept", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Since version 1" }).waitFor();
    await page.getByRole("button", { name: "File menu" }).click();
    expect(await page.getByRole("menuitem").allTextContents()).toEqual(["Copy its link"]);
    for (const name of [/Approve/, "Choose a file", "Add files"])
      expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  };
  await as(guest);
  await world.admin.call("archiveBoard", old);
  await as(world.admin);
});

test("a file that cannot be read says so, and is read when the person tries again", async () => {
  await put(ben, "again.txt", "it is here\n");
  const page = await open("", { expected: /^Failed to load resource: .* 500 / });
  await page.getByRole("link", { name: "again.txt" }).waitFor();
  await page.route("**/versions/1", (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: "internal", message: "It broke.", hint: "Try again." } },
    }),
  );
  await page.getByRole("link", { name: "again.txt" }).click();
  await page.getByText("The text could not be read.").waitFor();
  await page.unroute("**/versions/1");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("it is here").waitFor();
});

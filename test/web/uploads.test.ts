import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { put, textOf } from "../support/boards/board-with-files.ts";
import { docs, guestOn, makeDocs, personOnDocs } from "../support/boards/docs-board.ts";
import { badGateway, clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
/** What the console says of uploads that are refused or not answered. */
const refusals = /Failed to load resource|net::ERR/;
const waits = 20_000;

afterEach(() => {
  server.between = (_, answer) => answer();
});

const signedIn = () => browser.signedIn(url, ana, "/b/docs", {}, refusals);
const field = (page: Page) => page.getByLabel("Message", { exact: true });
const rows = (page: Page) => page.getByRole("group", { name: "Files of the message" });
const named = (name: string, text = name) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

const attach = (page: Page, ...files: ReturnType<typeof named>[]) =>
  page.getByLabel("Files to attach").setInputFiles(files);

/** Stands between the page and the server at each upload. */
function atUploads(answer: (request: Request, go: () => Promise<Response>) => Promise<Response>) {
  server.between = (request, go) =>
    request.method === "POST" && new URL(request.url).pathname.endsWith("/files")
      ? answer(request, go)
      : go();
}

/** Holds every upload until it is let go. */
function holdUploads() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = { now: 0, most: 0, letGo: resolve };
  atUploads(async (_, go) => {
    held.now += 1;
    held.most = Math.max(held.most, held.now);
    await promise;
    const answer = await go();
    held.now -= 1;
    return answer;
  });
  return held;
}

/** The newest message of docs, once it has these words. */
async function posted(words: string) {
  const newest = async () =>
    (await ana.call("listMessages", { ...docs, query: { newest: true, limit: 1 } })).messages.at(
      -1,
    );
  await untilTrue(async () => (await newest())?.body === words, `the message ${words}`, waits);
  return (await newest())!;
}

test("three files are uploaded at a time, and the message goes by itself once all of them are there", async () => {
  const page = await signedIn();
  const held = holdUploads();
  const names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
  await field(page).fill("Five files.");
  await attach(page, ...names.map((name) => named(name)));
  await rows(page).getByText("waits for its turn").nth(1).waitFor();
  await untilTrue(async () => held.now === 3, "three uploads", waits);
  expect(await rows(page).getByRole("progressbar").count()).toBe(5);
  await page.getByRole("button", { name: "Send when uploaded" }).click();
  await page.getByText("goes once it is uploaded").waitFor();
  held.letGo();
  const { files } = await posted("Five files.");
  expect(files!.map(({ name, version }) => [name, version])).toEqual(
    names.map((name) => [name, 1]),
  );
  expect(held.most).toBe(3);
  expect(await textOf(ana, "e.txt")).toBe("e.txt");
  await rows(page).waitFor({ state: "detached" });
});

test("a file alone is a message of its name, and a name that no board takes becomes one near to it", async () => {
  const page = await signedIn();
  await attach(page, named("Größe & Maß (final).txt"));
  await rows(page).getByText("version 1").waitFor();
  await field(page).press("Enter");
  const { files } = await posted("Gro-e-Ma-final.txt");
  expect(files).toHaveLength(1);
});

test("of a name that exists it asks: a new version of that file, or another name", async () => {
  await put(ben, "notes.md");
  const page = await signedIn();
  await attach(page, named("notes.md", "second"));
  await rows(page).getByText("The board has a file of this name: version 1 by ben.").waitFor();
  await rows(page).getByRole("button", { name: "New version of it" }).click();
  await rows(page).getByText("version 2").waitFor();
  await attach(page, named("notes.md", "another"));
  const other = rows(page).getByLabel("Another name");
  await other.waitFor();
  expect(await other.inputValue()).toBe("notes-2.md");
  await other.fill("other notes.md");
  await other.press("Enter");
  await rows(page).getByText("other-notes.md").waitFor();
  await rows(page).getByText("version 1").waitFor();
  await field(page).fill("Notes.");
  await field(page).press("Enter");
  const { files } = await posted("Notes.");
  expect(files!.map(({ name, version }) => [name, version])).toEqual([
    ["notes.md", 2],
    ["other-notes.md", 1],
  ]);
  expect(await textOf(ana, "notes.md", 2)).toBe("second");
  expect(await textOf(ana, "other-notes.md")).toBe("another");
});

test("a credential in a file is named on its row, and nothing is sent with it", async () => {
  const page = await signedIn();
  await field(page).fill("With a secret.");
  await attach(page, named("env.txt", `TOKEN=${ben.token}`));
  await rows(page)
    .getByText(/looks like a credential/)
    .waitFor();
  await field(page).press("Enter");
  await page.getByText("See to the file first.").waitFor();
  await rows(page).getByRole("button", { name: "Without env.txt" }).click();
  await rows(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  expect((await posted("With a secret.")).files ?? []).toEqual([]);
});

test("an upload that was stopped goes on under its key, and is stored once", async () => {
  const page = await signedIn();
  const keys: (string | null)[] = [];
  let isLost = true;
  atUploads(async (request, go) => {
    keys.push(request.headers.get("idempotency-key"));
    const answer = await go();
    return isLost ? badGateway() : answer;
  });
  await attach(page, named("lost.txt"));
  await rows(page).getByText("The connection was lost.").waitFor();
  isLost = false;
  await rows(page).getByRole("button", { name: "Go on" }).click();
  await rows(page).getByText("version 1").waitFor();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]!);
  await rows(page).getByRole("button", { name: "Without lost.txt" }).click();
});

test("an upload that runs can be stopped by taking the file out", async () => {
  const page = await signedIn();
  const held = holdUploads();
  await attach(page, named("stopped.txt"));
  await untilTrue(async () => held.now === 1, "the upload", waits);
  await rows(page).getByRole("button", { name: "Stop uploading stopped.txt" }).click();
  await rows(page).waitFor({ state: "detached" });
  held.letGo();
});

test("a page that is loaded anew in the middle of an upload goes on with it", async () => {
  const page = await signedIn();
  await field(page).fill("After a reload.");
  const held = holdUploads();
  await attach(page, named("reload.txt", "all of it"));
  await untilTrue(async () => held.now === 1, "the upload", waits);
  await page.reload();
  await rows(page).getByText("reload.txt").waitFor();
  server.between = (_, answer) => answer();
  held.letGo();
  await rows(page)
    .getByText(/^version \d/)
    .or(rows(page).getByRole("button", { name: "Go on" }))
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const { files } = await posted("After a reload.");
  expect(files!.map(({ name, version }) => [name, version])).toEqual([["reload.txt", 1]]);
  expect(await textOf(ana, "reload.txt")).toBe("all of it");
});

test("files are taken by drop on the talk and by paste into the message", async () => {
  const page = await signedIn();
  await field(page).waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["dropped"], "dropped.txt", { type: "text/plain" }));
    const at = { bubbles: true, cancelable: true, dataTransfer: data };
    const talk = document.querySelector(".feed")!;
    talk.dispatchEvent(new DragEvent("dragover", at));
    talk.dispatchEvent(new DragEvent("drop", at));
  });
  await rows(page).getByText("dropped.txt").waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["pasted"], "image.png", { type: "image/png" }));
    document
      .querySelector(".compose textarea")!
      .dispatchEvent(
        new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: data }),
      );
  });
  await rows(page)
    .getByText(/^pasted-[\d-]+\.png$/)
    .waitFor();
  await rows(page).getByText("version 1").nth(1).waitFor();
  await field(page).fill("Both.");
  await field(page).press("Enter");
  expect((await posted("Both.")).files).toHaveLength(2);
});

test("a guest, who may not add files, is offered none of it", async () => {
  const guest = await guestOn(world, "gus");
  const page = await browser.signedIn(url, guest, "/b/docs");
  await field(page).click();
  await page.getByRole("button", { name: "Urgent", exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Attach a file" }).count()).toBe(0);
});

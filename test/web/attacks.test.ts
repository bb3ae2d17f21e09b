import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { makeDocs, personOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { heavy, links, markup, names, pretences } from "../support/web/attacks.ts";
import { fits } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";
import { foreignTextFindings } from "../support/web/foreign-text.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
const ana = world.admin;
await makeDocs(world);
await personOnDocs(world, "mallory");

/** What a page did besides showing text. */
const deeds: string[] = [];
afterAll(() => expect(deeds).toEqual([]));

/** A page that is watched: no dialog, no other window, no request that leaves the server. */
async function watched(path: string): Promise<Page> {
  const page = await browser.signedIn(url, ana);
  page.on("dialog", (dialog) => {
    deeds.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on("page", (other) => deeds.push(`a window: ${other.url()}`));
  page.context().on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== url && !/^(data|blob):$/.test(asked.protocol))
      deeds.push(`a request: ${asked.href.slice(0, 200)}`);
  });
  await page.goto(url + path);
  return page;
}

/** Waits until nothing has changed on a page for half a second. */
const settled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 500);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 500);
        }).observe(document, { subtree: true, childList: true, characterData: true });
      }),
  );

/** A text with single spaces, as HTML shows it. */
const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** A board of its own with these messages, each as it was written. */
async function boardWith(name: string, texts: readonly string[], poster: Client = ana) {
  await ana.call("createBoard", { body: { name } });
  if (poster !== ana)
    await ana.call("addPerson", { params: { board: name }, body: { handle: "mallory" } });
  for (const body of texts)
    await poster.call("postMessage", { params: { board: name }, body: { body } });
}

/** Nothing of a page is more than text, and nothing is wider than its window. */
async function holds(page: Page) {
  expect(await foreignTextFindings(page)).toEqual([]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await fits(page, `${width} pixels`);
  }
}

/** Waits until so many messages of a board are shown, the first ones too. */
async function shown(page: Page, count: number) {
  await page.waitForFunction((count) => {
    const feed = document.querySelector("[role=feed]");
    feed?.querySelector("article")?.scrollIntoView();
    return feed !== null && feed.querySelectorAll("article[data-seq]").length >= count;
  }, count);
}

test("the corpus has at least 150 cases", () => {
  const texts = new Set([...markup, ...links, ...heavy, ...pretences]);
  expect(texts.size + new Set(names).size).toBeGreaterThanOrEqual(150);
});

const half = Math.ceil(markup.length / 2);
const third = Math.ceil(heavy.length / 3);
const boards = {
  "markup-1": markup.slice(0, half),
  "markup-2": markup.slice(half),
  links,
  pretences,
  "heavy-1": heavy.slice(0, third),
  "heavy-2": heavy.slice(third, 2 * third),
  "heavy-3": heavy.slice(2 * third),
};
for (const [what, texts] of Object.entries(boards))
  test(`messages of ${what} become text and nothing else`, async () => {
    await boardWith(what, texts);
    const page = await watched(`/b/${what}`);
    await shown(page, texts.length);
    await holds(page);
    // Of long ones that was the beginning.
    const more = page.getByRole("button", { name: /^Show all/ });
    while ((await more.count()) > 0) await more.first().click();
    await holds(page);
    expect(page.url()).toBe(`${url}/b/${what}`);
    // Markup is shown as it was written, and nothing is left out because it lies too deep.
    const asShown = (await page.locator(".msg .md").allTextContents()).map(words);
    if (what.startsWith("markup")) expect(asShown).toEqual(texts.map(words));
    for (const text of texts)
      if (text.endsWith("deep")) expect(asShown.some((one) => one.endsWith("deep"))).toBe(true);
  }, 120_000);

/** A board on which everything that has a name or a title of somebody's making has each of the names. */
async function boardOfNames() {
  const board = "constructor";
  const on = { params: { board } };
  await ana.call("createBoard", { body: { name: board } });
  await ana.call("addPerson", { ...on, body: { handle: "mallory" } });
  const agent = await world.seat(ana, board, { name: "constructor", harness: "constructor" });
  const asks = names.filter((_, at) => at % 4 === 0);
  for (const [at, name] of names.entries()) {
    await ana.call("createBoard", { body: { name: `name-${at}`, title: name } });
    const { invite } = await ana.call("createServerInvite");
    const body = { invite, handle: `p-${at}`, display_name: name, key_name: "key" };
    await world.as().call("connect", { body });
    await ana.call("addPerson", { ...on, body: { handle: `p-${at}` } });
    const task = await agent.call("createTask", { ...on, body: { title: name, about: name } });
    const of = { params: { board, task: task.ref } };
    await agent.call("startTask", of);
    await agent.call("updateTask", { ...of, body: { stands: name } });
    if (at % 2 === 0) await agent.call("finishTask", { ...of, body: { note: name } });
  }
  for (const [at, name] of asks.entries()) {
    const worker = await world.seat(ana, board, { name: `a-${at}` });
    await worker.call("setLine", { body: { kind: "working", text: name } });
    const options = names.slice(4 * at, 4 * at + 4);
    const ask = at % 2 === 0 ? { options } : { options, going_with: options[0]!, going_at: soon() };
    await worker.call("postMessage", { ...on, body: { body: name, to: ["@ana"], ask } });
  }
  const query = { name: "constructor", maintained: true, brief: false };
  await agent.upload({ ...on, query }, new Blob([names.join("\n\n")]));
  const brief = { name: "brief.md", brief: true };
  await ana.upload(
    { ...on, query: brief },
    new Blob([[...links, ...pretences, ...markup].join("\n\n")]),
  );
  const { tasks } = await ana.call("listTasks", { ...on, query: { state: "all" } });
  return { board, ref: tasks.find(({ title }) => title === names[3])!.ref };
}
const soon = () => new Date(world.clock.now.getTime() + 3_600_000).toISOString();

test("names of people, boards, tasks, files, options and lines stay names, on every screen", async () => {
  const { board, ref } = await boardOfNames();
  const page = await watched("/");
  const paths = ["/", "/account", `/b/${board}`];
  for (const part of ["tasks", "files", "brief", "people"]) paths.push(`/b/${board}/${part}`);
  paths.push(`/b/${board}/tasks/${ref}`, `/b/${board}/files/constructor`, `/b/name-3`);
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(url + path);
    await page.locator("main h1, main h2, main article").first().waitFor();
    await settled(page);
    // Where somebody gave names, they are there.
    if (/^\/$|constructor$|tasks|people$/.test(path) && !path.includes("files"))
      await page.getByText("[U+202E]ana").first().waitFor();
    found.push(...(await foreignTextFindings(page)).map((finding) => `${path} ${finding}`));
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await fits(page, `${path} at ${width} pixels`);
    }
  }
  expect(found).toEqual([]);
}, 200_000);

test("a letter under very many marks reaches over no line of another", async () => {
  await boardWith("marks", [
    "before",
    pretences.find((text) => text.startsWith("Z\u0301"))!,
    "after",
  ]);
  const page = await watched("/b/marks");
  const text = page.getByRole("article").filter({ hasText: "lgo" }).locator(".md");
  await text.waitFor();
  // Not every font sets marks above marks, so that what is drawn proves nothing.
  expect(await text.evaluate((element) => getComputedStyle(element).overflowY)).toBe("clip");
});

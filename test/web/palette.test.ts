import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { put } from "../support/boards/board-with-files.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";
import { fitOf } from "../../src/web/core/screen/fuzzy.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const writer = await seatOnDocs(world, "writer");
for (const name of ["release-1-4", "research-sync"]) {
  await ana.call("createBoard", { body: { name } });
  await ana.call("addPerson", { params: { board: name }, body: { handle: "ben" } });
}
await writer.call("createTask", { ...docs, body: { title: "Rotate the signing key" } });
await put(writer, "keys/signing.md");
await post(ana, "The **signing** key expires in December.");
await ana.call("postMessage", {
  params: { board: "release-1-4" },
  body: { body: "Who has the signing key?" },
});

const options = (page: Page) => page.getByRole("option");
const chosen = (page: Page) => page.getByRole("option", { selected: true });
const path = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
const typed = async (page: Page, text: string) => {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Jump, search or do" }).fill(text);
};

test("a board is found by some letters of its name, and Enter goes there", async () => {
  const page = await browser.signedIn(url, ben);
  await page.getByRole("link", { name: "research-sync" }).first().waitFor();
  await typed(page, "rsy");
  await chosen(page).getByText("research-sync").waitFor();
  expect(await chosen(page).locator("mark").allTextContents()).toEqual(["r", "sy"]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "research-sync" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("everywhere searches the boards; in a board / searches that one alone", async () => {
  const page = await browser.signedIn(url, ben);
  await page.getByRole("link", { name: "docs" }).first().waitFor();
  await typed(page, "signing");
  await page.getByRole("group", { name: "Messages" }).getByText("Who has the").waitFor();
  await page.getByRole("group", { name: "Tasks" }).getByText("Rotate the").waitFor();
  await page.getByRole("group", { name: "Files" }).getByText("keys").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByRole("link", { name: "docs" }).first().click();
  await page.getByText("expires in December").waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: "Search docs" }).fill("signing");
  const messages = page.getByRole("group", { name: "Messages" }).getByRole("option");
  await messages.first().waitFor();
  expect(await messages.count()).toBe(1);
  expect(await messages.locator("mark").allTextContents()).toEqual(["signing"]);
  await messages.click();
  await page.waitForFunction(() => /^\/b\/docs\/m\/\d+$/.test(location.pathname));
});

test("a word is found while it is typed, and as a whole in quotes", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.getByText("expires in December").waitFor();
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Search docs" });
  const found = (group: string) => page.getByRole("group", { name: group }).getByRole("option");
  await field.fill("signi");
  await found("Messages").getByText("expires in December").waitFor();
  await found("Tasks").getByText("Rotate the signing key").waitFor();
  await field.fill('"signi"');
  await found("Messages").waitFor({ state: "detached" });
});

test("what the server cannot search for is said", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs", {}, /Failed to load|401/);
  await page.getByText("expires in December").waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("a* b* c*");
  await page.getByRole("status").getByText(/star/).waitFor();
});

test("> finds commands and @ finds members", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.getByText("expires in December").waitFor();
  await typed(page, ">make");
  expect(await options(page).allInnerTexts()).toEqual(["Make a board"]);
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog", { name: "Make a board" })
    .getByLabel("Name", { exact: true })
    .fill("Brand New!");
  await page.getByRole("button", { name: "Make it" }).click();
  await page.getByRole("heading", { level: 1, name: "brand-new" }).waitFor();

  await page.goBack();
  await page.getByText("expires in December").waitFor();
  await typed(page, "@wri");
  await chosen(page).getByText("writer").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.search === "?from=writer");
  expect(path(page)).toBe("/b/docs?from=writer");
});

test("with nothing typed it shows where the reader was last, and gives the focus back", async () => {
  const page = await browser.signedIn(url, ben);
  await page.getByRole("link", { name: "research-sync" }).first().click();
  await page.getByRole("heading", { level: 1, name: "research-sync" }).waitFor();
  await page.getByRole("link", { name: "docs" }).first().click();
  await page.getByText("expires in December").waitFor();
  const find = page.getByRole("button", { name: /^Jump or search/ }).first();
  await find.click();
  await page.getByRole("group", { name: "Lately" }).getByText("research-sync").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await find.evaluate((one) => one === document.activeElement)).toBe(true);
});

test("letters at the start of words fit best", () => {
  const score = (text: string) => fitOf("rs", text)?.score ?? null;
  expect(score("research-sync")!).toBeGreaterThan(score("errors")!);
  expect(score("docs")).toBe(null);
  expect(fitOf("sync", "research-sync")!.at).toEqual([9, 10, 11, 12]);
});

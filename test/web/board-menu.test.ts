import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { put } from "../support/boards/board-with-files.ts";
import { docs, guestOn, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
await put(ana, "plan.md");

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of the board" }).getByRole("link", { name });
const openMenu = (page: Page) => page.getByRole("button", { name: "Menu of docs" }).click();
const labels = (page: Page) => page.getByRole("menuitem").allInnerTexts();

test("the tabs count what is there, as it comes and goes", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs");
  await tab(page, "Files 1").waitFor();
  await tab(page, "People 2").waitFor();
  await put(ana, "notes.md");
  await tab(page, "Files 2").waitFor();
  const { ref } = await ana.call("createTask", { ...docs, body: { title: "Write the notes" } });
  await tab(page, "Tasks 1").waitFor();
  await ana.call("startTask", { params: { board: "docs", task: ref } });
  await tab(page, "Tasks")
    .and(page.getByText("Tasks", { exact: true }))
    .waitFor();
  // A board that is shown would be read.
  await page.context().close();
});

test("the menu of a board marks it read on any tab, which can be undone", async () => {
  await post(ana, "Something new");
  const page = await browser.signedIn(url, ben, "/b/docs/files");
  await page.getByText("notes.md").first().waitFor();
  const unread = async () => (await ben.call("getBoard", docs)).unread;
  expect(await unread()).toBeGreaterThan(0);
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Mark it read" }).click();
  await page.getByText("Marked as read").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  // So does its key, wherever the focus is but in a field.
  await page.keyboard.press("m");
  await page.getByText("Marked as read").waitFor();
  await page.getByText("Marked as read").waitFor({ state: "detached" });
  expect(await unread()).toBe(0);
});

test("it copies the board's link, and leads to what the reader may do", async () => {
  const page = await browser.signedIn(url, ana, "/b/docs/brief", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Copy its link" }).click();
  await page.getByText("Copied the link of docs").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${url}/b/docs`);
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Archive it…" }).click();
  await page.getByRole("dialog", { name: "Archive docs?" }).waitFor();
  await page.keyboard.press("Escape");
  await openMenu(page);
  await page.getByRole("menuitem", { name: "Add an agent" }).click();
  await page.waitForFunction(() => location.pathname === "/b/docs/people/add-agent");
});

test("it offers nobody what would be refused", async () => {
  const member = await browser.signedIn(url, ben, "/b/docs/files");
  await openMenu(member);
  expect(await labels(member)).toEqual(["Copy its link", "Add an agent", "Add a person"]);
  const guest = await guestOn(world, "gil");
  const page = await browser.signedIn(url, guest, "/b/docs/files");
  await page.getByText("notes.md").first().waitFor();
  await openMenu(page);
  expect((await labels(page)).filter((label) => !label.startsWith("Mark it read"))).toEqual([
    "Copy its link",
  ]);
});

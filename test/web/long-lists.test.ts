import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import { docs, makeDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
const { admin: ana } = world;
await makeDocs(world);

const inOrder = async (count: number, run: (at: number) => Promise<unknown>) => {
  for (let at = 1; at <= count; at++) await run(at);
};
const closed = (page: Page) => page.getByRole("region", { name: "Closed" });
const rowsIn = (page: Page) => closed(page).getByRole("listitem").count();

test("every task that is not closed is listed, and closed ones are read on, the newest first", async () => {
  await openTask(ana, "The oldest of all");
  await inOrder(420, async (at) => {
    const { number } = await openTask(ana, `Closed ${at}`);
    await ana.call("finishTask", { ...task(number), body: { note: "Done." } });
  });
  const page = await browser.signedIn(url, ana, "/b/docs/tasks");
  await page.getByRole("region", { name: "Open" }).getByText("The oldest of all").waitFor();
  await closed(page).locator(".tt", { hasText: "Closed 420" }).waitFor();
  await page.getByRole("heading", { name: "Closed 420" }).waitFor();
  expect(await rowsIn(page)).toBe(20);
  await closed(page).getByRole("button", { name: "400 more" }).click();
  await closed(page).getByText("Closed 201", { exact: true }).waitFor();
  // News does not take away what the reader has asked for.
  const { ref } = await openTask(ana, "A new one");
  await page.getByRole("region", { name: "Open" }).getByText("A new one").waitFor();
  expect(await rowsIn(page)).toBe(220);
  await ana.call("finishTask", { ...task(ref), body: { note: "Done." } });
  await closed(page).getByText("A new one").waitFor();
  await page.getByRole("heading", { name: "Closed 421" }).waitFor();
  await closed(page).getByRole("button", { name: "201 more" }).click();
  await closed(page).getByText("Closed 2", { exact: true }).waitFor();
  await closed(page).getByRole("button", { name: "1 more" }).click();
  await closed(page).getByText("Closed 1", { exact: true }).waitFor();
  expect(await rowsIn(page)).toBe(421);
  expect(await closed(page).getByRole("button", { name: /more/ }).count()).toBe(0);
}, 60_000);

test("a list of files goes on after its first page, and stays that long when a file is added", async () => {
  const put = (name: string, maintained = false) =>
    ana.upload({ ...docs, query: { name, maintained } }, new Blob([name]));
  await inOrder(201, (at) => put(`kept-${at}.md`, true));
  await inOrder(4, (at) => put(`other-${at}.md`));
  const page = await browser.signedIn(url, ana, "/b/docs/files", {}, /50[02]/);
  await page.getByRole("link", { name: "kept-201.md" }).waitFor();
  expect(await page.getByRole("link", { name: /^other-/ }).count()).toBe(0);
  const more = page.getByRole("button", { name: "Show more" });
  server.between = async (request, answer) =>
    request.url.includes("before=") ? new Response(null, { status: 502 }) : answer();
  await more.click();
  await page.getByRole("alert").filter({ hasText: /./ }).waitFor();
  server.between = (_, answer) => answer();
  await more.click();
  await page.getByRole("link", { name: "kept-1.md", exact: true }).waitFor();
  await more.click();
  await page.getByRole("link", { name: "other-1.md" }).waitFor();
  await more.waitFor({ state: "detached" });
  await put("other-5.md");
  await page.getByRole("link", { name: "other-5.md" }).waitFor();
  expect(await page.getByRole("link", { name: /^(kept|other)-/ }).count()).toBe(206);
}, 60_000);

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import { makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

/** Lets those who wait go on once there are so many of them. */
function latch(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    count--;
    if (count <= 0) resolve();
    return promise;
  };
}

/** Where the rows of a state stand. */
const group = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const panelOf = (page: Page, ref: string) =>
  page.getByRole("complementary", { name: `Task ${ref}` });

test("the list follows what others do, and a task is opened by its address", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByRole("link", { name: "Tasks" }).click();
  await page.getByRole("heading", { name: "No task is open" }).waitFor();
  const scout = await seatOnDocs(world, "scout");
  const { ref } = await openTask(scout, "Draw the map", { about: "All of **it**." });
  const row = group(page, "Open").getByRole("link", { name: /Draw the map/ });
  await row.waitFor();
  await scout.call("startTask", task(ref));
  await group(page, "In progress")
    .getByRole("link", { name: /Draw the map.*scout/ })
    .waitFor();
  await scout.call("updateTask", { ...task(ref), body: { stands: "Half is drawn." } });
  await page.getByText("Half is drawn.").waitFor();

  await page.goto(`${url}/b/docs/tasks/${ref.toLowerCase()}`);
  const panel = panelOf(page, ref);
  await panel.getByRole("heading", { name: "Draw the map" }).waitFor();
  expect(await panel.getByText("All of it.").locator("b").textContent()).toBe("it");
  await post(ben, { body: `How is ${ref} going?` });
  await panel.getByText("1 message in 1 thread").waitFor();
  await panel.getByText("1 message since").waitFor();
  await page.keyboard.press("Escape");
  expect(page.url()).toBe(`${url}/b/docs/tasks`);
});

test("of two who start a task at the same time one has it, and the other reads who was quicker", async () => {
  const { ref } = await openTask(world.admin, "Only for one");
  const pages = await Promise.all([
    browser.signedIn(url, world.admin, `/b/docs/tasks/${ref}`, {}, /40[19]/),
    browser.signedIn(url, ben, `/b/docs/tasks/${ref}`, {}, /40[19]/),
  ]);
  // The server answers neither before both have pressed the button.
  const bothAsk = latch(2);
  server.between = async (request, answer) => {
    if (request.url.endsWith("/start")) await bothAsk();
    return answer();
  };
  const buttons = pages.map((page) => panelOf(page, ref).getByRole("button", { name: /^Start/ }));
  await Promise.all(buttons.map((button) => button.click()));
  const [anas, bens] = pages as [Page, Page];
  await Promise.all(
    pages.map((page) => panelOf(page, ref).getByRole("button", { name: /^Done/ }).waitFor()),
  );
  // The page of the one who is later shows the task as theirs too, until the server refuses it.
  await untilStored(() => world.admin.call("getTask", task(ref)), { state: "in_progress" });
  const { owner } = await world.admin.call("getTask", task(ref));
  const loser = owner!.name === "ana" ? bens : anas;
  await loser.getByText(`${owner!.name} was quicker: ${ref} is theirs now.`).waitFor();
  await panelOf(loser, ref).getByRole("button", { name: "Take it over" }).waitFor();
  const winner = owner!.name === "ana" ? anas : bens;
  await panelOf(winner, ref).getByRole("button", { name: "Give up" }).waitFor();
});

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const { admin: ana } = world;

/** A board of this name with an agent that asks ana a question for each of these texts. */
async function boardThatAsks(name: string, ...questions: string[]) {
  const on = { params: { board: name } };
  await ana.call("createBoard", { body: { name } });
  const agent = await world.seat(ana, name, { name: `${name}-agent` });
  const ask = { options: ["Yes", "No"] };
  for (const body of questions)
    await agent.call("postMessage", { ...on, body: { body, to: ["@ana"], ask } });
}
await boardThatAsks("alpha", "First of alpha?", "Second of alpha?");
await boardThatAsks("beta", "Only one of beta?");
await boardThatAsks("gamma", "Only one of gamma?");

/** The question of the ask that has the focus. */
const focused = (page: Page, question: string) =>
  page.waitForFunction(
    (text) =>
      document.activeElement?.textContent?.includes(text) &&
      !document.activeElement.matches("body"),
    question,
  );

test("a goes through the asks of a board one after another, and then from board to board", async () => {
  const page = await browser.signedIn(url, ana, "/b/alpha");
  await page
    .getByRole("group", { name: /blocked until you answer/ })
    .nth(1)
    .waitFor();
  for (const question of [
    "First of alpha?",
    "Second of alpha?",
    "Only one of beta?",
    "Only one of gamma?",
    "First of alpha?",
  ]) {
    await page.keyboard.press("a");
    await focused(page, question);
  }
  // What is wholly in view is answered where it stands.
  expect(await page.locator(".dock-open").count()).toBe(0);
  await page.keyboard.press("a");
  await focused(page, "Second of alpha?");
  await page.keyboard.press("1");
  await page.getByRole("status").getByText("Answered: “Yes”").waitFor();
});

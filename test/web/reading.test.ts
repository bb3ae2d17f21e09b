import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { postMany } from "../support/boards/many-messages.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilTrue } from "../support/wait-until.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);

/** A page needs a moment on a busy machine. */
const eventually = untilTrue;

/** A new person on the board, who begins to read at its newest message. */
let people = 0;
const reader = () => personOnDocs(world, `reader${++people}`);

const positionOf = async (person: Client) => (await person.call("getBoard", docs)).read_up_to ?? 0;
const newest = async () =>
  (await world.admin.call("listMessages", { ...docs, query: { newest: true, limit: 1 } }))
    .messages[0]!;

/** How far down the window something stands, as a part of its height. */
const downOf = (page: Page, selector: string) =>
  page.evaluate((which) => {
    const box = document.querySelector(".scroll.talk")!.getBoundingClientRect();
    return (document.querySelector(which)!.getBoundingClientRect().top - box.top) / box.height;
  }, selector);
const isAtEnd = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector(".scroll.talk");
    return box !== null && box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  });

test("some unread messages: the line above them stands a quarter down the window", async () => {
  const ben = await reader();
  await postMany([world.admin], 5);
  const first = await post(world.admin, "The first that ben has not seen");
  await ben.call("ackBoard", { ...docs, body: { up_to: first.seq - 1 } });
  await postMany([world.admin], 38);
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.getByText(/^New since .* · 39 messages$/).waitFor();
  expect(await downOf(page, `#m${first.seq}`)).toBeCloseTo(0.25, 1);
});

test("what was shown is read, and what lies further down is not", async () => {
  const ben = await reader();
  const last = await newest();
  await postMany([world.admin], 45);
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.getByText(/^New since/).waitFor();
  await eventually(async () => (await positionOf(ben)) > last.seq, "the position moves");
  const shown = await page.evaluate(() => {
    const { bottom } = document.querySelector(".scroll.talk")!.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>("[data-seq]")]
      .filter((one) => one.getBoundingClientRect().bottom <= bottom + 1)
      .map(({ dataset }) => Number(dataset["seq"]))
      .at(-1)!;
  });
  await eventually(
    async () => (await positionOf(ben)) === shown,
    "it moves to the last that was shown",
  );
  expect(shown).toBeLessThan((await newest()).seq);
});

test("many unread messages: it opens at the end, says how many there are, and reads none that were not shown", async () => {
  const ben = await reader();
  const before = await positionOf(ben);
  await postMany([world.admin], 214);
  const page = await browser.signedIn(url, ben, "/b/docs");
  const bar = page.getByRole("region", { name: "Unread messages above" });
  await bar.getByText(/^214 new since \d\d:\d\d$/).waitFor();
  expect(await isAtEnd(page)).toBe(true);
  await page.waitForTimeout(2_000);
  expect(await positionOf(ben)).toBe(before);

  await page.keyboard.press("u");
  const first = (await ben.call("listMessages", { ...docs, query: { after: before, limit: 1 } }))
    .messages[0]!;
  await page.locator(`#m${first.seq}`).waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`m${first.seq}`);
  await eventually(async () => (await positionOf(ben)) > before, "what is shown now is read");
  await page.keyboard.press("Alt+ArrowLeft");
  await eventually(() => isAtEnd(page), "back where the reader was");
});

test("marking as read can be undone until the server is told", async () => {
  const ben = await reader();
  const before = await positionOf(ben);
  await postMany([world.admin], 120);
  const page = await browser.signedIn(url, ben, "/b/docs");
  const bar = page.getByRole("region", { name: "Unread messages above" });
  await bar.waitFor();
  await page.keyboard.press("m");
  await bar.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await bar.waitFor();
  expect(await positionOf(ben)).toBe(before);
  await page.keyboard.press("m");
  const end = (await newest()).seq;
  await eventually(async () => (await positionOf(ben)) === end, "the server is told");
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

test("without the focus nothing is read; when the page is hidden the server is told at once", async () => {
  const ben = await reader();
  const page = await browser.signedIn(url, ben);
  await page.evaluate(() => {
    document.hasFocus = () => false;
  });
  await page.getByRole("link", { name: "docs" }).first().click();
  const one = await post(world.admin, "Is anybody there?");
  await page.locator(`#m${one.seq}`).waitFor();
  await page.waitForTimeout(1_600);
  expect(await positionOf(ben)).toBeLessThan(one.seq);
  await page.keyboard.press("End");
  await page.evaluate(async (wait) => {
    document.hasFocus = () => true;
    dispatchEvent(new Event("focus"));
    await new Promise((resolve) => setTimeout(resolve, wait));
    dispatchEvent(new Event("pagehide"));
  }, 800);
  await eventually(async () => (await positionOf(ben)) === one.seq, "the position is told");
});

test("an arrival is followed at the end, and moves nothing elsewhere", async () => {
  const ben = await reader();
  await postMany([world.admin], 60);
  const end = await newest();
  await ben.call("ackBoard", { ...docs, body: { up_to: end.seq } });
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.locator(`#m${end.seq}`).waitFor();
  const followed = await post(world.admin, "Followed");
  await page.locator(`#m${followed.seq}`).waitFor();
  await eventually(async () => (await positionOf(ben)) === followed.seq, "it is read");
  expect(await isAtEnd(page)).toBe(true);

  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, -900);
  await eventually(async () => !(await isAtEnd(page)), "the timeline is scrolled");
  await page.waitForTimeout(300);
  const where = await page.evaluate(() => document.querySelector(".scroll.talk")!.scrollTop);
  await post(world.admin, {
    body: "Which?",
    to: [`@reader${people}`],
    ask: { options: ["This", "That"] },
  });
  await page.getByRole("button", { name: "1 new, ana asks you" }).waitFor();
  expect(await page.evaluate(() => document.querySelector(".scroll.talk")!.scrollTop)).toBe(where);
  await page.getByText(/new message.*, ana asks you$/).waitFor({ state: "attached" });
  await page.keyboard.press("End");
  await eventually(() => isAtEnd(page), "the key leads to the end");
});

test("coming back to a board in the same tab shows what was shown", async () => {
  const ben = await reader();
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.locator(`#m${(await newest()).seq}`).waitFor();
  await eventually(() => isAtEnd(page), "the timeline is at its end");
  await page.mouse.move(700, 300);
  await page.mouse.wheel(0, -700);
  await eventually(async () => !(await isAtEnd(page)), "the timeline is scrolled");
  await page.waitForTimeout(300);
  const topmost = () =>
    page.evaluate(() => {
      const { top } = document.querySelector(".scroll.talk")!.getBoundingClientRect();
      const first = [...document.querySelectorAll("[data-seq]")].find(
        (one) => one.getBoundingClientRect().bottom > top,
      )!;
      return [first.id, Math.round(first.getBoundingClientRect().top)];
    });
  const before = await topmost();
  await page
    .getByRole("link", { name: /Needs you/ })
    .first()
    .click();
  await page.getByRole("feed").waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("feed").waitFor();
  await page.locator(`#${before[0]}`).waitFor();
  expect(await topmost()).toEqual(before);
});

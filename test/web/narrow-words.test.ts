import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilItHolds } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
/** What Chromium says of an answer that is an error. */
const failures = /Failed to load resource/;

/** How many lines each element has whose whole text is this. */
const linesOf = (page: Page, selector: string, text: string) =>
  page.locator(selector).evaluateAll(
    (all, wanted) =>
      all
        .filter(({ textContent }) => textContent?.trim() === wanted)
        .map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        }),
    text,
  );

/** Every such element is there and stands in one line. */
const isInOneLine = (page: Page, selector: string, text: string) =>
  untilItHolds(async () => {
    const lines = await linesOf(page, selector, text);
    expect([text, lines.length > 0, lines.every((count) => count === 1)]).toEqual([
      text,
      true,
      true,
    ]);
  });

test("a short word and a short name stay whole in every window", async () => {
  const upload = (name: string) =>
    ben.upload({ ...docs, query: { name } } as never, new Blob(["text"]));
  await upload("keys/rotation.html");
  await upload("measure/windows-upgrade.csv");
  await ana.call("createBoard", {
    body: { name: "site", title: "The manual, one page at a time, for everybody who reads it" },
  });
  await ana.call("addPerson", { params: { board: "site" }, body: { handle: "ben" } });
  const rex = await world.seat(ana, "docs", { name: "rex" });
  await post(rex, { body: "Now or later?", to: ["@ben"], ask: { options: ["Now", "Later"] } });
  const page = await browser.signedIn(url, ben);
  for (const width of [1440, 1280, 1100, 1024, 900, 720, 600]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/`);
    await isInOneLine(page, "h1", "Needs you");
    await isInOneLine(page, "td", "nobody");
    await page.goto(`${url}/b/docs/files`);
    await isInOneLine(page, "a", "keys/rotation.html");
    await isInOneLine(page, "td", "nobody");
  }
});

test("what stands in place of a board stands under its picture, and a button's picture is small", async () => {
  await ana.call("createBoard", { body: { name: "shut" } });
  const page = await browser.signedIn(url, ben, "/b/nowhere", {}, failures);
  const middles = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getBoundingClientRect();
      return (left + right) / 2;
    });
  await page.getByRole("heading", { name: /There is no board/ }).waitFor();
  await page.setViewportSize({ width: 1200, height: 700 });
  const picture = await page
    .locator(".blank > .i")
    .evaluate((icon) => icon.getBoundingClientRect().left + icon.getBoundingClientRect().width / 2);
  expect(Math.abs((await middles(".blank h2")) - picture)).toBeLessThan(2);
  await ana.call("addPerson", { params: { board: "shut" }, body: { handle: "ben" } });
  await page.goto(`${url}/b/shut`);
  await page.getByLabel("Message", { exact: true }).fill("Not finished");
  await page.waitForFunction(() => JSON.stringify(localStorage).includes("Not finished"));
  await ana.call("setVisibility", { params: { board: "shut" }, body: { visibility: "private" } });
  await ana.call("removePerson", { params: { board: "shut", handle: "ben" } });
  const copy = page.getByRole("button", { name: "Copy" });
  await copy.waitFor();
  expect((await copy.locator(".i").boundingBox())!.width).toBeLessThan(20);
});

test("on a phone the menus of the account's agents stand under one another", async () => {
  for (const name of ["al", "bartholomew"]) await world.seat(ben, "docs", { name });
  const page = await browser.signedIn(url, ben, "/account", {
    viewport: { width: 390, height: 800 },
  });
  await page
    .getByRole("button", { name: /^Menu of/ })
    .nth(1)
    .waitFor();
  const ends = await page
    .getByRole("button", { name: /^Menu of/ })
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
  expect(new Set(ends).size).toBe(1);
  expect(ends[0]).toBeGreaterThan(350);
});

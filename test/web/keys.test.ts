import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { askOn } from "../support/boards/board-with-asks.ts";
import { docs, makeDocs, personOnDocs, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const writer = await seatOnDocs(world, "writer");
for (const name of ["alpha", "zeta"]) {
  await ana.call("createBoard", { body: { name } });
  await ana.call("addPerson", { params: { board: name }, body: { handle: "ben" } });
}

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name }).waitFor();
/** What has the focus, by the part of the page that it is in. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return [".rail", ".panel", "#main", ".toasts", "dialog"].find((part) =>
      activeElement?.closest(part),
    );
  });

test("Alt and arrows go from board to board, n to the next with something new, g h home", async () => {
  const page = await browser.signedIn(url, ben, "/b/alpha");
  await heading(page, "alpha");
  await page.getByRole("link", { name: "zeta" }).first().waitFor();
  await page.keyboard.press("Alt+ArrowDown");
  await heading(page, "docs");
  await page.keyboard.press("Alt+ArrowUp");
  await heading(page, "alpha");
  await ana.call("postMessage", { params: { board: "zeta" }, body: { body: "News" } });
  await page.getByRole("link", { name: /zeta.*1 new/ }).waitFor();
  await page.keyboard.press("n");
  await heading(page, "zeta");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await heading(page, "Needs you");
});

test("a goes to the ask from another board, and on home from one thing to the next, where a number answers", async () => {
  await writer.call("createTask", { ...docs, body: { title: "Print it", start: true } });
  await askOn(writer, "@ben", { body: "Which paper?", options: ["Thick", "Thin"] });
  const page = await browser.signedIn(url, ben, "/b/zeta");
  await heading(page, "zeta");
  await page
    .getByRole("link", { name: /Needs you.*\d/ })
    .first()
    .waitFor();
  await page.keyboard.press("a");
  await page.waitForFunction(() => location.pathname.startsWith("/b/docs/m/"));
  await page.getByRole("link", { name: /Needs you/ }).click();

  await askOn(writer, "@ben", { body: "Which font?", options: ["Serif", "Sans"] });
  const second = page.locator("[data-need]").filter({ hasText: "Which font?" });
  await second.waitFor();
  while (!(await second.evaluate((one) => one === document.activeElement)))
    await page.keyboard.press("a");
  await page.keyboard.press("2");
  await second.waitFor({ state: "detached" });
});

test("letters are not taken in fields, and Escape leaves a field", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs");
  const field = page.getByLabel("Message", { exact: true });
  await field.click();
  await page.keyboard.type("an g?");
  expect(await field.inputValue()).toBe("an g?");
  expect(new URL(page.url()).pathname).toBe("/b/docs");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard" });
  await sheet.getByText("Next thing that needs you").waitFor();
  // Keys of the page do nothing under a dialog.
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/b/docs");
  await field.fill("");
});

test("F6 goes through the parts of the page, and the first link skips to the content", async () => {
  const page = await browser.signedIn(url, ben);
  await heading(page, "Needs you");
  await page.locator(".panel").waitFor();
  const seen: (string | undefined)[] = [];
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press("F6");
    seen.push(await focused(page));
  }
  expect(seen).toEqual([".rail", "#main", ".panel", ".rail"]);
  await page.keyboard.press("Shift+F6");
  expect(await focused(page)).toBe(".panel");

  await page.reload();
  await heading(page, "Needs you");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    "Skip to the content",
  );
  await page.keyboard.press("Enter");
  expect(await focused(page)).toBe("#main");
  expect(new URL(page.url()).pathname).toBe("/");
});

test("at 360 px an ask is answered by two taps from a board", async () => {
  await askOn(writer, "@ben", { body: "Which ink?", options: ["Black", "Blue"] });
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const page = await browser.signedIn(url, ben, "/b/zeta", phone);
  await page.getByRole("link", { name: "Back to home" }).tap();
  const card = page.locator("[data-need]").filter({ hasText: "Which ink?" });
  await card.getByRole("button", { name: "Blue" }).tap();
  await card.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { postMany } from "../support/boards/many-messages.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilStored } from "../support/web/stored.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
await postMany([ben], 30);
const { head_seq } = await world.admin.call("getBoard", docs);
await world.admin.call("ackBoard", { ...docs, body: { up_to: head_seq } });

/** Takes the focus from the window, or gives it back. */
const focus = (page: Page, on: boolean) =>
  page.evaluate((has) => {
    document.hasFocus = () => has;
    dispatchEvent(new Event(has ? "focus" : "blur"));
  }, on);
const readUpTo = async () => (await world.admin.call("getBoard", docs)).read_up_to;

test("the line stands where the reader was when the window lost the focus, and goes when they return a second time", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const line = page.locator(".since");
  await page.getByText("Message 30", { exact: true }).waitFor();
  const before = await post(ben, "The last one before.");
  await untilStored(readUpTo, before.seq);
  await focus(page, false);
  const first = await post(ben, "The first while away.");
  await post(ben, "The second while away.");
  await page.getByText("The second while away.").waitFor();
  await page.locator(`#m${first.seq} .since`).waitFor();
  expect(await line.innerText()).toMatch(/^New since \d\d:\d\d · 2 messages$/);
  await focus(page, true);
  await page.keyboard.press("End");
  await untilStored(readUpTo, first.seq + 1);
  expect(await line.count()).toBe(1);
  // In view it stays where it is, whatever comes and goes.
  await focus(page, false);
  await post(ben, "The third while away.");
  await page.getByText("The third while away.").waitFor();
  expect(await page.locator(`#m${first.seq} .since`).count()).toBe(1);
  await focus(page, true);
  await page.keyboard.press("End");
  await untilStored(readUpTo, first.seq + 2);
  await focus(page, false);
  await focus(page, true);
  await line.waitFor({ state: "detached" });
});

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { postMany } from "../support/boards/many-messages.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { timesMore } from "../support/tries.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

const many = timesMore(10_000);
const textOf = (number: number) =>
  number % 40 === 0
    ? `Message ${number}\n\n${"A longer one, as people write them. ".repeat(12)}`
    : `Message ${number}`;

/** What the document holds of the timeline. */
const inDocument = (page: Page) =>
  page.evaluate(() => ({
    rows: document.querySelectorAll(".talk .msg, .talk .reply").length,
    first: document.querySelector(".talk [data-seq]")?.textContent?.match(/Message \d+/)?.[0],
    top: document.querySelector(".scroll.talk")!.scrollTop,
  }));

/** Bytes that the page's script holds, once everything that it does not need is gone. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await devtools.detach();
  return usedSize;
}
/** What a page may hold more after the scroll through a long board than before it. */
const mostMore = 6_000_000;

test(
  "a board of 10,000 messages is scrolled to its start with at most 400 rows in the document, and bounded memory",
  async () => {
    await postMany([world.admin, ben], many, textOf);
    const page = await browser.signedIn(url, world.admin, "/b/docs");
    await page.getByText(`Message ${many - 1}`, { exact: true }).waitFor();
    await page.mouse.move(700, 300);
    const before = await heapOf(page);
    let most = 0;
    let isAtStart = false;
    for (let steps = 0; steps < timesMore(4_000) && !isAtStart; steps++) {
      await page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            document.querySelector(".scroll.talk")!.scrollBy(0, -3_000);
            requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
          }),
      );
      const { rows, first, top } = await inDocument(page);
      most = Math.max(most, rows);
      isAtStart = first === "Message 1" && top < 3_000;
    }
    expect(isAtStart).toBe(true);
    expect(most).toBeLessThanOrEqual(400);
    const more = (await heapOf(page)) - before;
    expect(more).toBeLessThan(mostMore);
    await page.keyboard.press("End");
    await page.getByText(`Message ${many - 1}`, { exact: true }).waitFor();
    expect((await inDocument(page)).rows).toBeLessThanOrEqual(400);
  },
  timesMore(240_000),
);

test("what is in view stays where it is while older messages come before it", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByText(`Message ${many - 1}`, { exact: true }).waitFor();
  const held = () => page.evaluate(() => document.querySelectorAll("[data-block]").length);
  let loads = 0;
  for (let step = 0; step < 120 && loads < 5; step++) {
    const blocks = await held();
    const before = await page.evaluate(async () => {
      const box = document.querySelector(".scroll.talk")!;
      box.scrollTop = Math.max(1, box.scrollTop - 500);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { top, height } = box.getBoundingClientRect();
      const found = [...document.querySelectorAll("[data-seq]")].find(
        (one) => one.getBoundingClientRect().bottom > top + height / 2,
      )!;
      return { id: found.id, y: found.getBoundingClientRect().top };
    });
    await page.waitForTimeout(250);
    if ((await held()) !== blocks) loads++;
    const after = await page.evaluate(
      (id) => document.getElementById(id)!.getBoundingClientRect().top,
      before.id,
    );
    expect(Math.abs(after - before.y)).toBeLessThanOrEqual(1);
  }
  expect(loads).toBe(5);
}, 120_000);

test("a link to a message far back shows it in the middle, with what is between as a gap to load", async () => {
  const far = (await world.admin.call("listMessages", { ...docs, query: { after: 500, limit: 1 } }))
    .messages[0]!;
  const page = await browser.signedIn(url, world.admin, `/b/docs/m/${far.seq}`);
  await page.locator(`#m${far.seq}`).waitFor();
  await untilTrue(
    () => page.evaluate((id) => document.activeElement?.id === id, `m${far.seq}`),
    "it has the focus",
  );
  const place = await page.evaluate((id) => {
    const box = document.querySelector(".scroll.talk")!.getBoundingClientRect();
    const one = document.getElementById(id)!.getBoundingClientRect();
    return (one.top + one.height / 2 - box.top) / box.height;
  }, `m${far.seq}`);
  expect(place).toBeCloseTo(0.5, 1);
  await page.mouse.move(700, 300);
  const gap = page.getByRole("button", { name: /^Load [\d,]+ between$/ });
  for (let step = 0; step < 30 && (await gap.count()) === 0; step++) {
    await page.mouse.wheel(0, 600);
    await page.waitForTimeout(100);
  }
  const words = (await gap.textContent())!;
  await gap.click();
  await page.getByText(words, { exact: true }).waitFor({ state: "detached" });
  await post(ben, "Still there?");
  await page.getByRole("button", { name: /^\d+ new/ }).waitFor();
}, 60_000);

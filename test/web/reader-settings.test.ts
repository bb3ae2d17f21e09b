import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { fits } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const rex = await world.seat(ben, "docs", { name: "rex" });
await ben.call("createTask", { ...docs, body: { title: "Write the page" } });
await post(rex, { body: "Now or later?", to: ["@ben"], ask: { options: ["Now", "Later"] } });

/** Lets letters be twice as large, as a reader sets it in the browser. */
async function doubleText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

test("with letters twice as large no mark lies over a name, and nothing is wider than the window", async () => {
  const page = await browser.signedIn(url, ben);
  await doubleText(page);
  for (const [path, row, mark, words] of [
    ["/people", ".ag", ".mk", ".who"],
    ["/tasks", ".t", ".i", ".tt"],
  ] as const)
    for (const width of [1440, 640]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${url}/b/docs${path}`);
      const rows = page.locator(row);
      await rows.first().waitFor();
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
        "32px",
      );
      const gaps = await rows.evaluateAll(
        (all, [one, other]) =>
          all.map((each) => {
            const range = document.createRange();
            range.selectNodeContents(each.querySelector(other!)!);
            return (
              range.getBoundingClientRect().left -
              each.querySelector(one!)!.getBoundingClientRect().right
            );
          }),
        [mark, words],
      );
      for (const gap of gaps) expect([path, width, gap > 0]).toEqual([path, width, true]);
      await fits(page, `${path} ${width}`);
    }
});

test("with colours of the reader's own, what is chosen is still told from what is not", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs/tasks");
  await page.emulateMedia({ forcedColors: "active" });
  const lookOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { borderBlockEndColor, outlineStyle, outlineColor } = getComputedStyle(element);
        return `${borderBlockEndColor} ${outlineStyle} ${outlineStyle === "none" ? "" : outlineColor}`;
      });
  for (const all of [".tabs > a", ".nav", ".seg > a, .seg > button"]) {
    const states = ":is([aria-current], [aria-pressed=true])";
    const chosen = all
      .split(", ")
      .map((one) => one + states)
      .join(", ");
    const others = all
      .split(", ")
      .map((one) => `${one}:not(${states})`)
      .join(", ");
    await page.locator(chosen).first().waitFor();
    expect([all, await lookOf(chosen)]).not.toEqual([all, await lookOf(others)]);
  }
});

test("what blocks an agent stands at the lower edge also under a file that is not shown", async () => {
  await ben.upload(
    { ...docs, query: { name: "blob.bin" } } as never,
    new Blob([new Uint8Array(9)]),
  );
  const task = await rex.call("createTask", { ...docs, body: { title: "Held up" } });
  await rex.call("startTask", { params: { board: "docs", task: task.ref } });
  await post(rex, {
    body: "Which one?",
    to: ["@ben"],
    about: [task.ref],
    ask: { options: ["This", "That"] },
  } as never);
  const page = await browser.signedIn(url, ben, "/b/docs/files/blob.bin", {
    viewport: { width: 1440, height: 900 },
  });
  await page.getByText("This kind of file is not shown here.").waitFor();
  const dock = page.getByRole("complementary", { name: "An ask that blocks an agent" });
  await dock.waitFor();
  const { y, height } = (await dock.boundingBox())!;
  expect(y + height).toBeGreaterThan(880);
});

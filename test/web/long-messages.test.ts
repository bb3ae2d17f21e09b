import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

const longest = 32_768;
const end = "THE-END";
/** A text of the greatest length, which ends with a word of its own. */
const filledWith = (piece: string): string =>
  piece.repeat(longest).slice(0, longest - end.length - 1) + `\n${end}`;
/** Texts that make as many elements as they can, or none. */
const texts = {
  paragraphs: filledWith("a\n\n"),
  lines: filledWith("a line\n"),
  links: filledWith("https://a.example/ "),
  names: filledWith("@ana "),
  rows: `|a|b|\n|-|-|\n${filledWith("|1|2|\n").slice(12)}`,
  emphasis: filledWith("*a"),
  images: filledWith("![a](b)"),
  fences: filledWith("```\na\n```\n"),
  word: filledWith("x"),
};
const phone = { viewport: { width: 390, height: 800 } };

test("fifty messages of the greatest length are no more on the page than their beginnings", async () => {
  const bodies = Object.values(texts);
  for (let number = 0; number < 50; number++) await post(ben, bodies[number % bodies.length]!);
  const last = await post(ben, "That is all.");
  const page = await browser.signedIn(url, world.admin, `/b/docs/m/${last.seq}`, phone);
  await page.getByText("That is all.").waitFor();
  expect(await page.getByText(end).count()).toBe(0);
  const { elements, width } = await page.evaluate(() => ({
    elements: document.querySelectorAll("*").length,
    width: document.documentElement.scrollWidth,
  }));
  // Whole they would be more than 200,000.
  expect(elements).toBeLessThan(20_000);
  expect(width).toBe(390);
});

test.each(Object.entries(texts))(
  "the rest of a long message is shown when its reader asks: %s",
  async (_what, body) => {
    const said = await post(ben, body);
    const page = await browser.signedIn(url, world.admin, `/b/docs/m/${said.seq}`, phone);
    const message = page.locator(`#m${said.seq}`);
    const more = message.getByRole("button", { name: "Show all 32,768 characters" });
    await more.click();
    await message.getByText(end).waitFor();
    expect(await more.count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

test("a message of usual length is shown whole, and the record has all of every one", async () => {
  const usual = `${"A report of some length. ".repeat(190)}${end}`;
  const said = await post(ben, usual);
  const page = await browser.signedIn(url, world.admin, `/b/docs/m/${said.seq}`);
  const message = page.locator(`#m${said.seq}`);
  await message.getByText(end).waitFor();
  expect(await message.getByRole("button", { name: /^Show all/ }).count()).toBe(0);
  const { messages } = await world.admin.call("listMessages", {
    ...docs,
    query: { newest: true, limit: 1 },
  });
  expect(messages[0]!.body).toBe(usual);
});

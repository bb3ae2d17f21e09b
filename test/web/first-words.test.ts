import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
/** An end of words at any odd place cuts one of these in half. */
const long = `x${"🧭".repeat(200)}`;
/** What is left of such a text: whole characters, and a sign that more follows. */
const beginning = /x🧭{10,}…/u;
const halves = /\p{Surrogate}|\ufffd/u;

test("the first words of a long message end in whole characters and say that more follows", async () => {
  await ben.upload({ ...docs, query: { name: "map.md" } } as never, new Blob(["# Map"]));
  await post(ben, {
    body: long,
    files: [{ file: "map.md", version: 1 }],
  } as never);
  await post(ben, { body: "Something else" });
  const page = await browser.signedIn(url, ben, "/b/docs/files/map.md", {
    viewport: { width: 1440, height: 900 },
  });
  const panel = page.getByRole("complementary", { name: "Versions" });
  await panel.getByText(beginning).first().waitFor();
  expect(await panel.innerText()).not.toMatch(halves);

  await page.goto(`${url}/b/docs`);
  await page.getByRole("article", { name: /^ben/ }).filter({ hasText: long }).first().focus();
  await page.keyboard.press("t");
  const title = page.getByRole("dialog").getByLabel("Title");
  await title.waitFor();
  expect(await title.inputValue()).toMatch(/^x🧭+…$/u);
  expect(await title.inputValue()).not.toMatch(halves);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { tasks } = await ben.call("listTasks", docs);
  expect(tasks[0]?.title).toMatch(/^x🧭+…$/u);
});

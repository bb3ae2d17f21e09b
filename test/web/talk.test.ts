import { expect, test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

test("a link signs in the person it names; what one writes the other's browser shows", async () => {
  const anas = await browser.signedIn(url, world.admin, "/b/docs");
  const bens = await browser.signedIn(url, ben);
  await bens.getByRole("link", { name: "docs" }).first().click();
  await anas.getByLabel("Message", { exact: true }).fill("Shall we **begin**?");
  await anas.keyboard.press("Enter");
  const shown = bens.getByRole("article", { name: /^ana/ }).getByText("Shall we begin?");
  await shown.waitFor();
  expect(await shown.locator("b").textContent()).toBe("begin");
  await post(ben, "Yes.");
  await anas.getByRole("article", { name: /^ben/ }).getByText("Yes.").waitFor();
});

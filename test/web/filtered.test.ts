import { expect, test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

test("messages behind a filter follow what happens, and what the filter leaves out stays out", async () => {
  for (let number = 1; number <= 70; number++) await post(ben, `Message ${number}`);
  const page = await browser.signedIn(url, world.admin, "/b/docs?from=ben");
  const found = page.getByRole("feed", { name: "Messages found" });
  const shown = (text: string) => found.getByText(text, { exact: true });
  await shown("Message 70").waitFor();
  await post(world.admin, "Not from ben.");
  const { id } = await post(ben, "A new one.");
  await shown("A new one.").waitFor();
  // A change of what is shown is shown too.
  await world.admin.call("addReaction", { params: { message: id, reaction: "eyes" } });
  await found.getByRole("article").last().getByText("👀").waitFor();

  // Older ones come before, and what came meanwhile stays.
  await page.getByRole("button", { name: "Show older ones" }).click();
  await shown("Message 1").waitFor();
  await post(ben, "The newest.");
  await shown("The newest.").waitFor();
  for (const text of ["Message 1", "Message 70", "A new one."])
    expect(await shown(text).count()).toBe(1);
  expect(await shown("Not from ben.").count()).toBe(0);
  const order = await found.locator(".md").allTextContents();
  expect(order.slice(-2)).toEqual(["A new one.", "The newest."]);
});

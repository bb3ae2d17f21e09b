import { test } from "bun:test";
import { makeDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
for (let number = 1; number <= 40; number++)
  await post(world.admin, `Message ${number}. `.repeat(20));

test("the address of a message shows it, whichever of the answers comes last", async () => {
  const page = await browser.signedIn(url, world.admin);
  for (const late of ["/v1/boards?", "/messages?", "/events?", "/members"]) {
    await page.route(
      (address) => address.href.includes(late),
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      },
    );
    await page.goto(`${url}/b/docs/m/12`);
    await page.locator("#m12:focus").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
});

import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holds } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
await world.seat(ben, "docs", { name: "rex" });
const root = await post(ben, "A thread begins");
await ben.call("createTask", { ...docs, body: { title: "Write the page" } });

test("in a very wide window a board has the agents at work beside it, unless a thread or a task is open", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs", {
    viewport: { width: 1920, height: 1000 },
  });
  const atWork = page.getByRole("complementary", { name: "Agents at work" });
  await atWork.getByText("rex").first().waitFor();
  await holds(page, "the talk");
  const main = (await page.getByRole("main").boundingBox())!;
  expect(main.x + main.width).toBeLessThanOrEqual((await atWork.boundingBox())!.x + 1);

  await page.goto(`${url}/b/docs/t/${root.seq}`);
  await page.getByRole("complementary", { name: /Thread/ }).waitFor();
  expect(await atWork.count()).toBe(0);
  await page.keyboard.press("Escape");
  await atWork.waitFor();

  await page.goto(`${url}/b/docs/tasks/DOC-1`);
  await page.getByRole("heading", { name: "Write the page" }).waitFor();
  expect(await atWork.count()).toBe(0);
  await page.keyboard.press("Escape");
  await atWork.waitFor();

  await page.setViewportSize({ width: 1440, height: 900 });
  await atWork.waitFor({ state: "detached" });
});

import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const rex = await world.seat(world.admin, "docs", { name: "rex" });

const ids: string[] = [];

/** Asks ben so much, each of which holds up a task. */
async function ask(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const { ref } = await rex.call("createTask", { ...docs, body: { title: `Task ${number}` } });
    await rex.call("startTask", { params: { board: "docs", task: ref } });
    const options = ["This", "That"];
    const one = { body: `Question ${number}`, to: ["@ben"], about: [ref], ask: { options } };
    ids.push((await post(rex, one as never)).id);
  }
}

async function countAnswered(): Promise<number> {
  const all = await Promise.all(
    ids.map((message) => ben.call("getMessage", { params: { message } })),
  );
  return all.filter(({ message }) => message.ask?.state === "answered").length;
}
/** One is answered, and no other is once the page has sent what it has to send. */
async function isAnsweredOnce(page: Page, before: number): Promise<void> {
  await untilTrue(async () => (await countAnswered()) > before, "an answer");
  await page.waitForTimeout(500);
  expect(await countAnswered()).toBe(before + 1);
}

test("neither a double click nor a key that is held answers the ask that comes next", async () => {
  await ask(4);
  const page = await browser.signedIn(url, ben, "/b/docs/brief");
  const dock = page.getByRole("complementary", { name: "An ask that blocks an agent" });
  await dock.getByRole("button", { name: /2 options/ }).click();
  await dock.getByRole("button", { name: /This/ }).dblclick();
  await isAnsweredOnce(page, 0);

  await dock.getByRole("group").first().focus();
  // As the keyboard says it of a key that is held.
  for (let time = 0; time < 4; time++) await page.keyboard.down("1");
  await page.keyboard.up("1");
  await isAnsweredOnce(page, 1);

  await page.keyboard.press("1");
  await isAnsweredOnce(page, 2);
});

test("two quick taps on a phone answer one ask", async () => {
  await ask(3);
  const before = await countAnswered();
  const page = await browser.signedIn(url, ben, "/b/docs/brief", {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const dock = page.getByRole("complementary", { name: "An ask that blocks an agent" });
  await dock.getByRole("button", { name: /2 options/ }).tap();
  const { x, y, width, height } = (await dock.getByRole("button", { name: /This/ }).boundingBox())!;
  const touch = await page.context().newCDPSession(page);
  const at = { x: x + width / 2, y: y + height / 2 };
  for (const points of [[at], [], [at], []])
    await touch.send("Input.dispatchTouchEvent", {
      type: points.length > 0 ? "touchStart" : "touchEnd",
      touchPoints: points,
    });
  await isAnsweredOnce(page, before);
});

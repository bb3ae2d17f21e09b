import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs } from "../support/boards/docs-board.ts";
import { postMany } from "../support/boards/many-messages.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");

test("a board that is opened stands at its end, though its events are there before its messages", async () => {
  await postMany([world.admin], 30);
  const { head_seq } = await ben.call("getBoard", docs);
  await ben.call("ackBoard", { ...docs, body: { up_to: head_seq } });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.between = async (request, answer) => {
    if (/messages\?.*newest=/.test(request.url)) await held;
    return answer();
  };
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.locator(".quiet").first().waitFor();
  release();
  await page.getByText("Message 30", { exact: true }).waitFor();
  await page.waitForTimeout(300);
  const left = await page.evaluate(() => {
    const box = document.querySelector(".scroll.talk")!;
    return box.scrollHeight - box.scrollTop - box.clientHeight;
  });
  expect(left).toBeLessThanOrEqual(1);
});

test("at the very top of the timeline what is in view stays where it is while older messages come", async () => {
  await postMany([world.admin, ben], 400, (number) =>
    number % 7 === 0
      ? `Message ${number}\n\n${"Many words of one. ".repeat(60)}`
      : `Message ${number}`,
  );
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByText("Message 399", { exact: true }).waitFor();
  for (let time = 0; time < 5; time++) {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.between = async (request, answer) => {
      if (/messages\?.*before=/.test(request.url)) await held;
      return answer();
    };
    await page.evaluate(() => {
      document.querySelector(".scroll.talk")!.scrollTop = 0;
    });
    // What is near comes into the document first.
    await page.waitForTimeout(400);
    const oldest = await page.evaluate(() => {
      const box = document.querySelector(".scroll.talk")!;
      const { top, height } = box.getBoundingClientRect();
      const found = [...document.querySelectorAll<HTMLElement>("[data-seq]")].find(
        (one) => one.getBoundingClientRect().bottom > top + height / 2,
      )!;
      const seen = ((globalThis as Record<string, unknown>)["seen"] = [] as number[]);
      const look = () => {
        seen.push(found.getBoundingClientRect().bottom);
        if (seen.length < 40) requestAnimationFrame(look);
      };
      look();
      return document.querySelector("[data-block]")!.getAttribute("data-block")!;
    });
    release();
    await page.waitForFunction(
      (key) => document.querySelector("[data-block]")!.getAttribute("data-block") !== key,
      oldest,
    );
    await untilTrue(() => page.evaluate<boolean>("seen.length === 40"), "40 frames");
    const seen = (await page.evaluate("seen")) as number[];
    expect(seen.length).toBe(40);
    // The first row of all loses its day and perhaps its head. Its end stays where it was.
    expect(Math.max(...seen) - Math.min(...seen)).toBeLessThanOrEqual(1);
  }
}, 60_000);

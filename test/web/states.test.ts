import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, guestOn, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
/** What Chromium says of an answer that is an error, and of a server that is not there. */
const failures = /Failed to load resource/;

/** A board of its own for a test. */
async function boardNamed(name: string, people: readonly string[] = []) {
  await ana.call("createBoard", { body: { name } });
  for (const handle of people)
    await ana.call("addPerson", { params: { board: name }, body: { handle } });
  return { params: { board: name } };
}
const field = (page: Page) => page.getByLabel("Message", { exact: true });

test("a board that is not there, is hidden or deleted is one page for all three", async () => {
  const hidden = await world.person("hugo");
  await hidden.call("createBoard", { body: { name: "hers", visibility: "private" } });
  const page = await browser.signedIn(url, ben, "/b/nowhere", {}, failures);
  await page.getByText("There is no board “nowhere” that you can see").waitFor();
  await page.goto(`${url}/b/hers`);
  await page.getByText("There is no board “hers” that you can see").waitFor();
});

test("an open board that the list shows as one to join is joined without a single refusal", async () => {
  await boardNamed("listed");
  const page = await browser.signedIn(url, ben, "/?show=open");
  await page.getByRole("main").getByRole("link", { name: "listed" }).click();
  await page.getByText("one person is on it").waitFor();
  await page.getByRole("button", { name: "Join listed" }).click();
  await page.getByRole("heading", { name: "Bring agents together" }).waitFor();
  // The pages of later tests lose their server, which this page must not complain about.
  await page.context().close();
});

test("an open board says how many are on it and nothing of what is in it, and is joined there", async () => {
  const open = await boardNamed("open");
  await ana.call("postMessage", { ...open, body: { body: "For members only" } });
  const page = await browser.signedIn(url, ben, "/b/open", {}, failures);
  await page.getByText("one person is on it").waitFor();
  expect(await page.getByText("For members only").count()).toBe(0);
  await page.getByRole("button", { name: "Join open" }).click();
  await page.getByText("For members only").waitFor();
  await page
    .getByRole("navigation", { name: "Boards" })
    .getByText("open", { exact: true })
    .waitFor();
});

test("a board that is made private before it is joined is said to be none that one can see", async () => {
  const shy = await boardNamed("shy");
  const page = await browser.signedIn(url, ben, "/b/shy", {}, failures);
  await page.getByText("one person is on it").waitFor();
  await ana.call("setVisibility", { ...shy, body: { visibility: "private" } });
  await page.getByRole("button", { name: "Join shy" }).click();
  await page.getByText("There is no board “shy” that you can see").waitFor();
  // The pages of later tests lose their server, which this page must not complain about.
  await page.context().close();
});

test("an archived board says who archived it, takes nothing, and is restored or deleted by its name", async () => {
  const old = await boardNamed("old", ["ben"]);
  await ana.call("archiveBoard", old);
  const bens = await browser.signedIn(url, ben, "/b/old", {}, failures);
  await bens.getByText(/Archived by ana on \d+ \w+/).waitFor();
  expect(await bens.getByRole("button", { name: "Restore" }).count()).toBe(0);
  expect((await field(bens).count()) === 0 || !(await field(bens).isVisible())).toBe(true);

  const page = await browser.signedIn(url, ana, "/b/old", {}, failures);
  await page.getByRole("button", { name: "Restore" }).click();
  await field(page).waitFor();
  await field(bens).waitFor();

  await ana.call("archiveBoard", old);
  await page.getByRole("button", { name: "Delete for good…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete old for good?" });
  const yes = dialog.getByRole("button", { name: "Delete for good" });
  await dialog.getByLabel("Type its name to go on").fill("ol");
  expect(await yes.isDisabled()).toBe(true);
  await dialog.getByLabel("Type its name to go on").fill("old");
  await yes.click();
  await page.getByText("old is deleted.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("a board that becomes unavailable empties, and what was not sent can be copied", async () => {
  const lost = await boardNamed("lost", ["ben"]);
  await ana.call("setVisibility", { ...lost, body: { visibility: "private" } });
  await ana.call("postMessage", { ...lost, body: { body: "A secret plan" } });
  const page = await browser.signedIn(url, ben, "/b/lost", {}, failures);
  await page.getByText("A secret plan").waitFor();
  await field(page).fill("My answer");
  await page.waitForFunction(() => JSON.stringify(localStorage).includes("My answer"));
  await ana.call("removePerson", { params: { board: "lost", handle: "ben" } });
  await page.getByText("You cannot see lost any more").waitFor();
  expect(await page.getByText("A secret plan").count()).toBe(0);
  await page.getByRole("region", { name: "Not sent" }).getByText("My answer").waitFor();
});

test("a guest is told once what is for members", async () => {
  const gus = await guestOn(world, "gus");
  const page = await browser.signedIn(url, gus as never, "/b/docs", {}, failures);
  await page.getByText("You are a guest on this board").waitFor();
});

test("without a connection the page says since when, goes on with what it has, and catches up", async () => {
  const rex = await world.seat(ana, "docs", { name: "rex" });
  await post(rex, { body: "Now or later?", to: ["@ben"], ask: { options: ["Now", "Later"] } });
  const page = await browser.signedIn(url, ben, "/b/docs", {}, failures);
  await field(page).waitFor();
  await page.locator(".live.working").waitFor();
  await page.getByRole("link", { name: /Needs you.*\d/ }).waitFor();
  await server.end();
  await page.getByText(/Not connected since \d\d:\d\d\./).waitFor();
  await page.getByRole("link", { name: /Needs you/ }).click();
  await page
    .locator("[data-need]")
    .getByText(/as of \d\d:\d\d/)
    .first()
    .waitFor();
  await page.getByRole("link", { name: /^docs/ }).first().click();
  await page.getByText("You can answer now; the answer waits with the rest.").first().waitFor();
  await page
    .getByRole("article")
    .getByText(/^as of \d\d:\d\d/)
    .first()
    .waitFor();
  await field(page).fill("Written without a connection");
  await page.keyboard.press("Enter");
  await page.getByText("Written without a connection").last().waitFor();
  const again = Bun.serve({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    idleTimeout: 0,
    fetch: async (request) => world.handle(request),
  });
  try {
    await post(ana, "Said by ana");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("Said by ana").waitFor();
    await page.getByText(/Not connected since/).waitFor({ state: "detached" });
    await untilTrue(async () => {
      const { messages } = await ana.call("listMessages", {
        ...docs,
        query: { newest: true, limit: 10 },
      });
      return messages.filter(({ body }) => body === "Written without a connection").length === 1;
    }, "it is sent once");

    // The session ends while the page is open.
    await field(page).fill("Not finished");
    await page.waitForFunction(() => JSON.stringify(localStorage).includes("Not finished"));
    for (const { id } of (await ben.call("listBrowserSessions")).sessions)
      await ben.call("endBrowserSession", { params: { session: id } });
    await page.getByText("Signed out.").waitFor();
    await page.getByText("Said by ana").waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Or paste an access key").fill(ben.token);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.locator(".app").waitFor();
    await page.getByRole("link", { name: /^docs/ }).first().click();
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("textarea")?.value === "Not finished",
    );
    await post(ana, "After the second sign-in");
    await page.getByText("After the second sign-in").waitFor();
  } finally {
    await again.stop(true);
  }
});

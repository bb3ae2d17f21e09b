import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { askOn, askSeenBy, withdraw } from "../support/boards/board-with-asks.ts";
import { put } from "../support/boards/board-with-files.ts";
import { makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
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
const writer = await seatOnDocs(world, "writer");
const scout = await world.seat(ben, "docs", { name: "scout" });

/** The card of an ask in the timeline. */
const cardOf = (page: Page, { id }: { id: string }) =>
  page.getByRole("feed").locator(`[data-ask="${id}"]`);
const dockOf = (page: Page) => page.getByRole("complementary", { name: /^An ask that blocks/ });

/** Waits until the server has an answer to an ask, and gives what the ask has become. */
async function answered(reader: Client, ask: { id: string }, option: number | null) {
  const isAnswered = async () => {
    const { state, answer_option } = await askSeenBy(reader, ask);
    return state === "answered" && answer_option === option;
  };
  await untilTrue(isAnswered, `the answer ${option}`);
}

/** Answers what is still open, so that the next test begins with nothing that waits. */
async function answerAll() {
  for (const who of [ana, ben])
    for (const { id } of (await who.call("listAsks", { query: { to_me: true } })).asks)
      await post(who, { body: "Done.", reply_to: id, answer: {} });
}

test("an ask is answered with a number where it has the focus, and Change gives another answer", async () => {
  const ask = await askOn(writer, "@ana", { body: "Which key?", options: ["old", "new"] });
  const page = await browser.signedIn(url, ana, "/b/docs");
  const card = cardOf(page, ask);
  await card.focus();
  await page.keyboard.press("2");
  await card.getByText("new", { exact: true }).waitFor();
  await answered(writer, ask, 2);
  await page.getByRole("status").getByRole("button", { name: "Change" }).click();
  await card.getByRole("button", { name: "1 old" }).waitFor();
  await page.keyboard.press("1");
  await answered(writer, ask, 1);
  await card.getByText("old", { exact: true }).waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
});

test("w leads to the words of an answer, which stay as a draft until they are sent", async () => {
  const ask = await askOn(writer, "@ana", { body: "How long?", options: [] });
  const page = await browser.signedIn(url, ana, "/b/docs");
  const words = cardOf(page, ask).getByLabel("Answer in your own words");
  await cardOf(page, ask).focus();
  await page.keyboard.press("w");
  await page.keyboard.type("Two weeks");
  await page.reload();
  await words.waitFor();
  expect(await words.inputValue()).toBe("Two weeks");
  await words.press("Enter");
  await answered(writer, ask, null);
  await cardOf(page, ask).getByText("Two weeks").waitFor();
});

test("an ask to somebody else shows its options and takes no answer, but from its agent's person", async () => {
  const toBen = await askOn(scout, "@ben", { body: "Wait for it?" });
  const fromMine = await askOn(writer, "@ben", { body: "Is the runner free?" });
  const page = await browser.signedIn(url, ana, "/b/docs");
  const card = cardOf(page, toBen);
  await card.getByText("ben is asked. You can reply in the thread.").waitFor();
  expect(await card.getByRole("button", { name: /this/ }).isDisabled()).toBe(true);
  expect(await card.getByLabel("Answer in your own words").count()).toBe(0);
  await cardOf(page, fromMine).getByText("You can answer too, since writer is yours.").waitFor();
  await cardOf(page, fromMine).getByRole("button", { name: /that/ }).click();
  await answered(ana, fromMine, 2);
  await answerAll();
});

test("one takes one's own ask back, after a question, and it is struck out for everybody", async () => {
  const ask = await askOn(ana, "@ben", { body: "Is runner 2 free?" });
  const page = await browser.signedIn(url, ana, "/b/docs");
  await cardOf(page, ask).getByRole("button", { name: "Take it back" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Keep it" }).click();
  expect((await askSeenBy(ana, ask)).state).toBe("open");
  await cardOf(page, ask).getByRole("button", { name: "Take it back" }).click();
  await dialog.getByRole("button", { name: "Take it back" }).click();
  await cardOf(page, ask).getByText("took your ask to ben back").waitFor();
  expect((await askSeenBy(ben, ask)).state).toBe("withdrawn");
});

test("an approval is recorded with its first option, and its card shows the file in the version that is asked about", async () => {
  await put(ben, "notes.md");
  const { id } = await put(ben, "notes.md", { base: 1 });
  const ask = await post(scout, {
    body: "May it go out?",
    to: ["@ana"],
    files: [{ file: id, version: 2 }],
    ask: { options: ["Approve it", "Not yet"], approval: true },
  });
  const page = await browser.signedIn(url, ana, "/b/docs");
  const card = cardOf(page, ask);
  await card.getByText("records your approval of version 2").waitFor();
  expect(await card.getByRole("link", { name: "read the changes" }).getAttribute("href")).toBe(
    "/b/docs/files/notes.md?v=1..2",
  );
  await card.getByRole("button", { name: /Approve it/ }).click();
  await answered(scout, ask, 1);
  const { files } = await ana.call("listFiles", { params: { board: "docs" } });
  expect(files[0]!.mine!.version).toBe(2);
});

test("an ask that goes ahead says with what and when, then that it did, and can still be answered", async () => {
  const soon = new Date(Date.now() + 2_000).toISOString();
  const ask = await askOn(writer, "@ana", {
    body: "Change the page size?",
    options: ["Keep 4096", "Go to 8192"],
    going_with: "Keep 4096",
    going_at: soon,
  });
  const page = await browser.signedIn(url, ana, "/b/docs");
  const card = cardOf(page, ask);
  await card
    .getByText(/goes with .*“Keep 4096”.* unless told otherwise|Went with/)
    .first()
    .waitFor();
  world.clock.now = new Date(Date.now() + 60_000);
  await page.reload();
  await card.getByText("Went with").waitFor();
  await card.getByRole("button", { name: "Answer it all the same" }).click();
  await card.getByRole("button", { name: /Go to 8192/ }).click();
  await answered(writer, ask, 2);
  world.clock.now = new Date();
});

test("an answer to an ask that was withdrawn meanwhile falls back and says why", async () => {
  const ask = await askOn(writer, "@ana", { body: "Which one?" });
  const page = await browser.signedIn(url, ana, "/b/docs", {}, /409/);
  const card = cardOf(page, ask);
  await card.getByRole("button", { name: /this/ }).waitFor();
  // The page hears nothing of it before it answers.
  server.between = async (request, answer) => {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === "/v1/boards/docs/messages")
      await withdraw(writer, ask);
    return answer();
  };
  await card.getByRole("button", { name: /this/ }).click();
  await page.getByRole("alert").filter({ hasText: "was withdrawn" }).first().waitFor();
  server.between = (_, answer) => answer();
  await page
    .getByRole("article", { name: /not sent yet/ })
    .getByRole("button", { name: "Throw it away" })
    .click();
  await card.getByText("took its ask to you back").waitFor();
}, 30_000);

test("the dock shows what blocks an agent while its card is not in view, and a unfolds it, one after another", async () => {
  const first = await askOn(writer, "@ana", { body: "First question?" });
  const second = await askOn(scout, "@ana", { body: "Second question?" });
  const filler = "A long line of talk.\n\n".repeat(60);
  await post(ben, filler);
  const page = await browser.signedIn(url, ana, "/b/docs");
  const dock = dockOf(page);
  await dock.getByText("First question?").waitFor();
  await dock.getByRole("button", { name: /^1 of 2/ }).click();
  await dock.getByText("Second question?").waitFor();
  await dock.getByRole("button", { name: /^2 of 2/ }).click();
  await page.keyboard.press("a");
  await dock.getByRole("group", { name: /^writer asks you/ }).waitFor();
  await page.keyboard.press("1");
  await answered(writer, first, 1);
  // The next one is there and has the keys.
  await dock.getByRole("group", { name: /^scout asks you/ }).waitFor();
  await page.keyboard.press("2");
  await answered(scout, second, 2);
  await dock.waitFor({ state: "detached" });
});

test("on a phone an ask is answered with two taps from the talk", async () => {
  const ask = await askOn(writer, "@ana", { body: "Which of the two long options is it?" });
  await post(ben, "Much talk.\n\n".repeat(80));
  const page = await browser.signedIn(url, ana, "/b/docs", { hasTouch: true });
  await page.setViewportSize({ width: 360, height: 740 });
  const dock = dockOf(page);
  await dock.getByRole("button", { name: /2 options/ }).tap();
  await dock.getByRole("button", { name: /that/ }).tap();
  await answered(writer, ask, 2);
});

test("on a phone an ask is answered with two taps from a thread that lies over the talk", async () => {
  const root = await post(ben, { body: "Where do the notes go?" });
  await post(writer, { body: "Into docs.", reply_to: root.id });
  const ask = await askOn(writer, "@ana", { body: "Which of the two, from a thread?" });
  const page = await browser.signedIn(url, ana, `/b/docs/t/${root.seq}`, {
    hasTouch: true,
    viewport: { width: 360, height: 740 },
  });
  const dock = page.locator(".panel").getByRole("complementary", { name: /ask that blocks/ });
  await dock.getByRole("button", { name: /2 options/ }).tap();
  await dock.getByRole("button", { name: /that/ }).tap();
  await answered(writer, ask, 2);
});

test("on an archived board an ask says why it takes no answer", async () => {
  const params = { board: "plans" };
  await ana.call("createBoard", { body: { name: "plans" } });
  const rex = await world.seat(ana, "plans", { name: "rex" });
  const ask = await rex.call("postMessage", {
    params,
    body: { body: "Go on?", to: ["@ana"], ask: { options: ["yes", "no"] } },
  });
  await ana.call("archiveBoard", { params });
  const page = await browser.signedIn(url, ana, "/b/plans");
  const card = cardOf(page, ask);
  await card.getByText("The board is archived, so it cannot be answered.").waitFor();
  expect(await card.getByRole("button", { name: /yes/ }).isDisabled()).toBe(true);
  expect(await page.getByRole("form").count()).toBe(0);
});

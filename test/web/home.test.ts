import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { attentionOf, itemOf, kindsFor } from "../support/attention.ts";
import { askOn, answerWith } from "../support/boards/board-with-asks.ts";
import { put } from "../support/boards/board-with-files.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const { id: boardId } = await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const writer = await seatOnDocs(world, "writer");
const scout = await world.seat(ben, "docs", { name: "scout" });

/** The list of what needs the person, as the page shows it. */
const itemsOf = (page: Page) => page.locator("[data-need]");
const gone = (page: Page, text: string) =>
  itemsOf(page).filter({ hasText: text }).waitFor({ state: "detached" });

/** Hides a tab, as somebody does who goes to another one. */
const leave = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });

/** Takes everything off a person's list that is no ask. */
async function clear(person: typeof ben) {
  for (const { id } of (await attentionOf(person)).items)
    await person.call("dismissAttention", { params: { item: id } }).catch(() => {});
}

test("an ask that an agent stands still for is answered by one key, and in words", async () => {
  await clear(ben);
  await writer.call("createTask", { ...docs, body: { title: "Print it", start: true } });
  const ask = await askOn(writer, "@ben", { body: "Which paper?", options: ["Thick", "Thin"] });
  const page = await browser.signedIn(url, ben);
  await page.getByText("One agent stands still").waitFor();
  const card = page.getByRole("group", { name: /writer asks you, and DOC-1 stands still/ });
  expect(await card.getByRole("button").allInnerTexts()).toEqual([
    expect.stringContaining("Thick"),
    expect.stringContaining("Thin"),
    "Answer",
  ]);
  await page.keyboard.press("a");
  await page.keyboard.press("2");
  await gone(page, "Which paper?");
  await page.getByText("Nothing waits for you.").waitFor();
  const read = async () =>
    (await ben.call("getMessage", { params: { message: ask.id } })).message.ask;
  await untilStored(read, { state: "answered", answer_option: 2 });

  // The toast lets the person answer anew.
  await page.getByRole("button", { name: "Change" }).click();
  await card.getByLabel("Or in your own words").fill("Whatever is there");
  await card.getByRole("button", { name: "Answer" }).click();
  await gone(page, "Which paper?");
  await untilStored(read, { state: "answered", answer_option: null });
});

test("an approval is given where it is asked for, with a link to what changed", async () => {
  await put(writer, "notes.md");
  await put(writer, "notes.md", { base: 1, text: "More" });
  await post(writer, {
    body: "May it go out?",
    to: ["@ben"],
    files: [{ file: "notes.md" }],
    ask: { options: ["Approve", "Not yet"], approval: true },
  });
  const page = await browser.signedIn(url, ben);
  const card = page.getByRole("group", { name: /asks you to approve notes.md version 2/ });
  const link = card.getByRole("link", { name: "Read what changed in notes.md" });
  expect(await link.getAttribute("href")).toBe("/b/docs/files/notes.md?v=1..2");
  await card.getByRole("button", { name: "Approve" }).click();
  await gone(page, "May it go out?");
  const approval = async () =>
    (await ben.call("getFile", { params: { board: "docs", file: "notes.md" } })).mine;
  await untilStored(approval, { version: 2, person: { name: "ben" } });
});

test("whoever waits for a reply gets one, and a mention goes with its reply", async () => {
  await clear(ben);
  const wanted = await post(ana, { body: "When?", to: ["@ben"], expects_reply: true });
  await post(ana, "Ask @ben about it.");
  const page = await browser.signedIn(url, ben);
  await itemsOf(page)
    .filter({ hasText: "waits for your reply" })
    .getByLabel("Reply to ana")
    .fill("At ten.");
  await page.keyboard.press("Enter");
  await gone(page, "waits for your reply");
  const replies = async () =>
    (await ana.call("listReplies", { params: { message: wanted.id } })).replies;
  await untilStored(replies, [{ body: "At ten." }]);
  await itemsOf(page).filter({ hasText: "mentions you" }).getByLabel("Reply to ana").fill("Yes?");
  await page.keyboard.press("Enter");
  await gone(page, "mentions you");
  await untilTrue(async () => (await kindsFor(ben)).length === 0, "the list is empty");
});

test("an item is put off and comes back by the toast, or is taken off the list for good", async () => {
  await clear(ben);
  await post(ana, "Ask @ben about that.");
  const page = await browser.signedIn(url, ben);
  const item = itemsOf(page).filter({ hasText: "mentions you" });
  await item.getByRole("button", { name: /^Later/ }).click();
  await page.getByRole("menuitem", { name: "For an hour" }).click();
  await gone(page, "mentions you");
  await page.getByText("Put off until an hour from now.").waitFor();
  expect(await kindsFor(ben)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await item.waitFor();
  await untilTrue(async () => (await kindsFor(ben)).length === 1, "the snooze is over");

  await item.getByRole("button", { name: /^Later/ }).click();
  await page.getByRole("menuitem", { name: "Take it off the list" }).click();
  await gone(page, "mentions you");
  await page.getByRole("button", { name: "Undo" }).click();
  await item.waitFor();
  await item.getByRole("button", { name: /^Later/ }).click();
  await page.getByRole("menuitem", { name: "Take it off the list" }).click();
  await gone(page, "mentions you");
  expect(await kindsFor(ben)).toEqual(["mention"]);
  await leave(page);
  await untilTrue(async () => (await kindsFor(ben)).length === 0, "the dismissal is sent");
});

test("a pairing request says how it is accepted, and is declined in place", async () => {
  await clear(ben);
  const body = { board_id: boardId, recipient_id: ben.id, initiating_agent_id: writer.id };
  await ana.call("createPairingRequest", { body: { ...body, work: "Sign it together" } });
  const page = await browser.signedIn(url, ben);
  const item = itemsOf(page).filter({ hasText: "Sign it together" });
  await item.getByRole("button", { name: "How to accept" }).click();
  await item.getByText(/^service pair/).waitFor();
  await item.getByRole("button", { name: "Decline" }).click();
  await gone(page, "Sign it together");
  await untilTrue(async () => (await kindsFor(ben)).length === 0, "it is declined");
});

test("what only a terminal or a session can do is shown as what to do there", async () => {
  await clear(ben);
  await world.as().call("startMachineRequest", { body: { handle: "ben", label: "phone" } });
  await scout.call("setPresence", { body: { presence: "waiting" } });
  const page = await browser.signedIn(url, ben);
  await itemsOf(page).getByText("service approve CODE").waitFor();
  await itemsOf(page)
    .getByText(/Only that session can be answered/)
    .waitFor();
  await scout.call("setPresence", { body: { presence: "working" } });
  await gone(page, "waits for you in its session");
  await clear(ben);
});

test("agents that are late, silent or have not received something are written to in place", async () => {
  await clear(ben);
  await post(ben, { body: "Where is it?", to: ["@scout"], expects_reply: true });
  await scout.call("createTask", { ...docs, body: { title: "Write it", start: true } });
  world.pass(1_800);
  expect((await kindsFor(ben)).toSorted()).toEqual(["agent_late", "agent_silent", "not_delivered"]);
  const page = await browser.signedIn(url, ben);
  const late = itemsOf(page).filter({ hasText: "has not answered for half an hour" });
  await late.getByLabel("Write to scout").fill("Are you there?");
  await page.keyboard.press("Enter");
  await late.getByText("Are you there?").waitFor();
  expect(
    await itemsOf(page)
      .filter({ hasText: "has not been heard of" })
      .getByRole("link", { name: "Open" })
      .getAttribute("href"),
  ).toMatch(/^\/b\/docs\/tasks\/DOC-/);
  const newest = async () =>
    (await ana.call("listMessages", { ...docs, query: { newest: true, limit: 1 } })).messages[0];
  await untilTrue(async () => (await newest())?.body === "Are you there?", "it is stored");
  expect((await newest())?.to).toEqual(["@scout"]);
});

test("somebody who was put on a board is told who did it", async () => {
  const cleo = await world.person("cleo");
  await ana.call("addPerson", { ...docs, body: { handle: "cleo" } });
  const page = await browser.signedIn(url, cleo);
  const item = itemsOf(page).filter({ hasText: "put you on docs" });
  expect(await item.getByRole("link", { name: "Open" }).getAttribute("href")).toBe("/b/docs");
  expect((await itemOf(cleo, "added_to_board")).from).toMatchObject({ name: "ana" });
});

test("an answer from another place takes the item off the page", async () => {
  const ask = await askOn(writer, "@ben", { body: "Cut it?" });
  const page = await browser.signedIn(url, ben);
  await itemsOf(page).getByText("Cut it?").waitFor();
  await answerWith(ben, ask, 1);
  await gone(page, "Cut it?");
});

import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

test("a thread opens beside the timeline, follows what others say, and is answered there", async () => {
  const root = await post(ben, "Which key signs the release?");
  await post(scout, { body: "The new one.", reply_to: root.id });
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByRole("link", { name: /^1 reply/ }).click();
  expect(new URL(page.url()).pathname).toBe(`/b/docs/t/${root.seq}`);
  const thread = page.getByRole("complementary", { name: "Thread" });
  await thread
    .getByRole("article", { name: /^scout/ })
    .getByText("The new one.")
    .waitFor();

  await post(ben, { body: "Are you sure?", reply_to: root.id });
  await thread.getByRole("article", { name: /^ben/ }).getByText("Are you sure?").waitFor();
  const field = thread.getByRole("textbox", { name: "Reply in the thread" });
  expect(await field.getAttribute("placeholder")).toBe("Reply to ben and scout");
  await field.fill("We use the new one.");
  await field.press("Enter");
  await thread.getByRole("article", { name: /^ana/ }).getByText("We use the new one.").waitFor();
  const replies = async () =>
    (await ben.call("listReplies", { params: { message: root.id } })).replies.at(-1);
  await untilStored(replies, { body: "We use the new one." });

  await page.keyboard.press("Escape");
  await thread.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/b/docs");
});

test("an address of a thread shows it after a reload, whichever message of it the number names", async () => {
  const root = await post(ben, "Where do the notes go?");
  const answer = await post(scout, { body: "Into the brief.", reply_to: root.id });
  const page = await browser.signedIn(url, world.admin, `/b/docs/t/${answer.seq}`);
  const thread = page.getByRole("complementary", { name: "Thread" });
  await thread.getByText("Where do the notes go?").waitFor();
  await page.reload();
  await thread.getByText("Into the brief.").waitFor();
  expect(await thread.getByRole("heading").first().textContent()).toBe(`Thread #${root.seq}`);
});

test("a number that no message has is said to be none", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs/t/4711");
  await page.getByText("There is no message #4711").waitFor();
});

test("keys go from message to message, and act on the one that has the focus", async () => {
  const first = await post(ben, "The first of two.");
  const second = await post(ben, "The second of two.");
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.locator(`#m${second.seq}`).focus();
  await page.keyboard.press("k");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`m${first.seq}`);

  await page.keyboard.press("e");
  await page.getByRole("menu", { name: "React" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page
    .locator(`#m${first.seq}`)
    .getByRole("button", { name: "check, 1: ana", pressed: true })
    .waitFor();
  const reactions = async () =>
    (await ben.call("getMessage", { params: { message: first.id } })).message.reactions;
  await untilStored(reactions, [{ name: "check", by: ["ana"] }]);
  await page.keyboard.press("e");
  await page.getByRole("menu", { name: "React" }).waitFor();
  await page.keyboard.press("2");
  await page
    .locator(`#m${first.seq}`)
    .getByRole("button", { name: /check/ })
    .waitFor({ state: "detached" });

  await page.keyboard.press("r");
  await page.getByRole("textbox", { name: "Reply in the thread" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/b/docs/t/${first.seq}`);
  await page.keyboard.type("Seen.");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /^1 reply/ }).waitFor();
});

test("a message's menu makes a task of it, and says whom it has reached", async () => {
  const told = await post(world.admin, { body: "Please look at the *index*.", to: ["@ben"] });
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const message = page.locator(`#m${told.seq}`);
  await message.hover();
  await message.getByRole("button", { name: "More (.)" }).click();
  await page.getByRole("menuitem", { name: "Make a task of it" }).click();
  const dialog = page.getByRole("dialog", { name: "Make a task of it" });
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Please look at the index.");
  await dialog.getByRole("button", { name: "Open the task" }).click();
  await page.getByText("DOC-1 is open").waitFor();
  const { tasks } = await ben.call("listTasks", docs);
  expect(tasks.map(({ title, about }) => [title, about?.text])).toEqual([
    ["Please look at the index.", `From #${told.seq} by ana.`],
  ]);

  await message.focus();
  await page.keyboard.press("i");
  const receipts = page.getByRole("group", { name: "Receipts" });
  await receipts.getByText("pending").waitFor();
  expect(await receipts.textContent()).toContain("ben");
  await page.keyboard.press("Escape");
  await receipts.waitFor({ state: "detached" });
  await ben.call("ackBoard", { ...docs, body: { up_to: told.seq } });
  await page.keyboard.press("i");
  await receipts.getByText("read", { exact: true }).waitFor();
});

test("a reply names the tasks that it is about where they are others than those of the thread", async () => {
  const taskNamed = async (title: string) =>
    (await ben.call("createTask", { ...docs, body: { title } })).ref;
  const [one, other] = [await taskNamed("The first"), await taskNamed("The second")];
  const root = await post(ben, { body: "About the first.", about: [one] });
  await post(scout, { body: "So is this.", reply_to: root.id, about: [one] });
  await post(scout, { body: "And this is not.", reply_to: root.id, about: [one, other] });
  const page = await browser.signedIn(url, world.admin, `/b/docs/t/${root.seq}`);
  const thread = page.getByRole("complementary", { name: "Thread" });
  const links = (words: string) =>
    thread
      .getByRole("article")
      .filter({ hasText: words })
      .getByRole("link", { name: /DOC-\d/ });
  await thread.getByText("And this is not.").waitFor();
  expect(await links("About the first.").allTextContents()).toEqual([one]);
  expect(await links("So is this.").allTextContents()).toEqual([]);
  expect(await links("And this is not.").allTextContents()).toEqual([one, other]);
});

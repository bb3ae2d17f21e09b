import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { put } from "../support/boards/board-with-files.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const ada = await seatOnDocs(world, "ada");
await world.seat(ben, "docs", { name: "dex" });
// A board on which nothing was said shows how to begin in place of its talk.
await post(ben, "Hello.");

afterEach(() => {
  server.between = (_, answer) => answer();
});

const field = (page: Page) => page.getByLabel("Message", { exact: true });
const toggle = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const options = (page: Page) =>
  page.getByRole("listbox", { name: "Completions" }).getByRole("option");
const signedIn = (path = "/b/docs", expected = /^$/) =>
  browser.signedIn(url, ana, path, {}, expected);

/** The newest message of docs, once it has these words. */
async function posted(words: string) {
  const newest = async () =>
    (await ana.call("listMessages", { ...docs, query: { newest: true, limit: 1 } })).messages.at(
      -1,
    );
  await untilTrue(async () => (await newest())?.body === words, `the message ${words}`);
  return (await newest())!;
}

/** Empties what the page holds of a draft, so that the next test begins with nothing. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

test("the composer is one line until it is used, and Enter sends while Shift and Enter begin a line", async () => {
  const page = await signedIn();
  await field(page).waitFor();
  expect(await toggle(page, "Urgent").count()).toBe(0);
  await page.locator("body").press("c");
  await toggle(page, "Urgent").waitFor();
  await page.keyboard.type("One line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and another");
  await page.keyboard.press("Enter");
  await posted("One line\nand another");
  expect(await field(page).inputValue()).toBe("");
});

test("recipients are chips, and the composer says whom the message reaches and wakes", async () => {
  const page = await signedIn();
  await field(page).click();
  const reach = page.locator(".compose-to").getByRole("status");
  expect(await reach.textContent()).toBe("reaches everyone, and wakes no agent");
  await page.getByRole("button", { name: "Recipients: everyone" }).click();
  await page.getByRole("menuitem", { name: "ben", exact: true }).click();
  await page.getByRole("button", { name: "Recipients: ben. Add one" }).click();
  await page.getByRole("menuitem", { name: "role:member" }).click();
  await page.getByRole("button", { name: "Without ben" }).click();
  await page.getByRole("button", { name: "Recipients: role:member. Add one" }).click();
  await page.getByRole("menuitem", { name: "ada", exact: true }).click();
  await page.getByRole("button", { name: "Without role:member" }).click();
  expect(await reach.textContent()).toBe("reaches ada alone, which is not connected");
  await field(page).fill("Only for ada.");
  await field(page).press("Enter");
  expect((await posted("Only for ada.")).to).toEqual(["@ada"]);
  expect(await page.getByRole("button", { name: "Without ada" }).count()).toBe(0);
});

test("a message can be urgent and ask for a reply, or be quiet, which is neither", async () => {
  const page = await signedIn();
  await field(page).click();
  await toggle(page, "Urgent").click();
  await toggle(page, "Asks for a reply").click();
  await field(page).fill("Both of them.");
  await field(page).press("Enter");
  expect(await posted("Both of them.")).toMatchObject({ urgent: true, expects_reply: true });
  await toggle(page, "Urgent").click();
  await toggle(page, "Quiet").click();
  expect(await toggle(page, "Urgent").getAttribute("aria-pressed")).toBe("false");
  await page.getByText("reaches everyone, and wakes nobody").waitFor();
  await field(page).fill("For the record.");
  await field(page).press("Enter");
  expect(await posted("For the record.")).toMatchObject({ quiet: true, urgent: false });
});

test("names, roles, tasks and switches complete by keys, those of agents that work first", async () => {
  await ada.call("createTask", { ...docs, body: { title: "Sign the installers", start: true } });
  await ada.call("setPresence", { body: { presence: "working" } });
  const { ref } = await ana.call("createTask", { ...docs, body: { title: "Write the notes" } });
  const [prefix] = ref.split("-");
  const page = await signedIn();
  await field(page).click();
  await page.keyboard.type("Ask @d");
  await options(page).first().waitFor();
  const names = await options(page).allTextContents();
  expect(names.map((text) => /dex|ada|ben|role:member/.exec(text)?.[0])).toEqual(["ada", "dex"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  expect(await field(page).inputValue()).toBe("Ask @dex ");
  await page.keyboard.type("and @role");
  await options(page).getByText("role:member").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type(`about ${prefix!.toLowerCase()}-`);
  await options(page).getByText("Write the notes").click();
  expect(await field(page).inputValue()).toBe(`Ask @dex and @role:member about ${ref} `);
  // Undoing brings back what was completed.
  await page.keyboard.press("Control+z");
  expect(await field(page).inputValue()).toStartWith("Ask @dex and @role:member about ");
  await field(page).fill("");
  await page.keyboard.type("/ur");
  await options(page).getByText("Urgent", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  expect(await field(page).inputValue()).toBe("");
  expect(await toggle(page, "Urgent").getAttribute("aria-pressed")).toBe("true");
  await page.keyboard.type("mail@d");
  expect(await options(page).count()).toBe(0);
  await field(page).fill("");
  await page.keyboard.type("@");
  await options(page).first().waitFor();
  await page.keyboard.press("Escape");
  expect(await options(page).count()).toBe(0);
  await leave(page);
});

test("an ask has somebody who is asked, options, and what it goes on with; it is sent once it is whole", async () => {
  const page = await signedIn();
  await field(page).click();
  await toggle(page, "Ask").click();
  await page.getByText("Choose whom you ask.").waitFor();
  const send = page.getByRole("button", { name: "Send", exact: true });
  expect(await send.isDisabled()).toBe(true);
  // In an ask without anybody, the first name is whom it asks.
  await field(page).pressSequentially("@be");
  await options(page).first().waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("asks ben alone").waitFor();
  expect(await field(page).inputValue()).toBe("");
  await field(page).fill("Which size?");
  await page.getByLabel("Option 1", { exact: true }).fill("4096");
  await page.getByText("Give at least two options, or none.").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.type("8192");
  await page.getByRole("button", { name: "Another option" }).click();
  await page.getByLabel("Option 3", { exact: true }).fill("Neither");
  await page.getByRole("checkbox", { name: "Goes on by itself with" }).check();
  await page.getByLabel("With which option").selectOption("option 2");
  await page.getByLabel("When").fill("12:00");
  await send.click();
  const { ask, to } = await posted("Which size?");
  expect([ask?.options, ask?.going_with, to]).toEqual([
    ["4096", "8192", "Neither"],
    "8192",
    ["@ben"],
  ]);
  const at = new Date(ask!.going_at!);
  const inFuture = at.getTime() - Date.now();
  expect(inFuture > 0 && inFuture <= 24 * 3_600_000).toBe(true);
});

test("a draft outlives the page with its recipients, options and files, one for the board and one for each thread", async () => {
  const root = await post(ben, "The first of a thread.");
  await put(ben, "plan.md");
  const page = await signedIn();
  await field(page).click();
  await toggle(page, "Ask").click();
  await page.getByRole("button", { name: /^Recipients/ }).click();
  await page.getByRole("menuitem", { name: "ada", exact: true }).click();
  await page.getByLabel("Option 1", { exact: true }).fill("Now");
  await page.getByLabel("Option 2", { exact: true }).fill("Later");
  await page
    .getByLabel("Files to attach")
    .setInputFiles({ name: "kept.txt", mimeType: "text/plain", buffer: Buffer.from("kept") });
  await page.getByText("version 1").last().waitFor();
  await field(page).fill("When shall we?");
  await page.goto(`${url}/b/docs/t/${root.seq}`);
  const reply = page.getByLabel("Reply in the thread", { exact: true }).getByRole("textbox");
  await reply.fill("A draft of the thread.");
  await page.reload();
  await reply.waitFor();
  expect(await reply.inputValue()).toBe("A draft of the thread.");
  expect(await field(page).inputValue()).toBe("When shall we?");
  expect(await page.getByLabel("Option 2", { exact: true }).inputValue()).toBe("Later");
  await page.getByRole("button", { name: "Without ada" }).waitFor();
  await field(page).press("Enter");
  const sent = await posted("When shall we?");
  expect([sent.to, sent.ask?.options, sent.files?.map(({ name }) => name)]).toEqual([
    ["@ada"],
    ["Now", "Later"],
    ["kept.txt"],
  ]);
  expect(await reply.inputValue()).toBe("A draft of the thread.");
  await leave(page);
});

test("two tabs share a draft: what one writes is there in the other, and gone when it is sent", async () => {
  const page = await signedIn();
  await field(page).fill("Written in one tab.");
  const other = await page.context().newPage();
  await other.goto(`${url}/b/docs`);
  await other.getByText("draft kept here").waitFor();
  expect(await field(other).inputValue()).toBe("Written in one tab.");
  await field(page).fill("Written in one tab, and changed.");
  await untilTrue(
    async () => (await field(other).inputValue()) === "Written in one tab, and changed.",
    "the change",
  );
  await field(page).press("Enter");
  await posted("Written in one tab, and changed.");
  await untilTrue(async () => (await field(other).inputValue()) === "", "the empty draft");
});

test("the preview shows the text as it will look, and the text comes back as it was", async () => {
  const page = await signedIn();
  await field(page).fill("Some **bold** words");
  await toggle(page, "Preview").click();
  const preview = page.getByRole("group", { name: "Preview" });
  expect(await preview.locator("b").textContent()).toBe("bold");
  expect(await field(page).isVisible()).toBe(false);
  await toggle(page, "Preview").click();
  expect(await field(page).inputValue()).toBe("Some **bold** words");
  await leave(page);
});

test("a reply goes to the others of its thread, and says so", async () => {
  const root = await post(ben, "What do you think?");
  await post(ada, { body: "Much.", reply_to: root.id });
  const page = await signedIn(`/b/docs/t/${root.seq}`);
  const reply = page.getByPlaceholder("Reply to ben and ada");
  await reply.click();
  await page.getByText(/^reaches ben and ada/).waitFor();
  expect(
    await page
      .getByRole("form", { name: "Reply in the thread" })
      .getByRole("button", { name: "Ask", exact: true })
      .count(),
  ).toBe(0);
  await reply.fill("I agree.");
  await reply.press("Enter");
  const sent = await posted("I agree.");
  expect([sent.to, sent.thread_root]).toEqual([["@ben", "@ada"], root.id]);
});

test("a text that is too long is not sent, and says by how much", async () => {
  const page = await signedIn();
  await field(page).fill("x".repeat(32_769));
  await page.getByText("Too long by 1 characters. Attach a long text as a file.").waitFor();
  await field(page).press("Enter");
  expect((await field(page).inputValue()).length).toBe(32_769);
  await leave(page);
});

test("writing has no finding of axe in any look, and nothing is wider than the window", async () => {
  const page = await signedIn("/b/docs", /409/);
  await field(page).click();
  await toggle(page, "Ask").click();
  await page
    .getByLabel("Option 1", { exact: true })
    .fill("A rather long option that has to be told in many words");
  await page.getByLabel("Option 2", { exact: true }).fill("Another");
  await page
    .getByLabel("Files to attach")
    .setInputFiles({ name: "kept.txt", mimeType: "text/plain", buffer: Buffer.from("other") });
  await page.getByText("The board has a file of this name").waitFor();
  await field(page).pressSequentially("Ask @");
  await options(page).first().waitFor();
  await holdsInEachLook(page, "composer");
  await leave(page);
}, 120_000);

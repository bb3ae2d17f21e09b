import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holds, holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const ana = world.admin;
await ana.call("createBoard", { body: { name: "docs", visibility: "private" } });
const ben = await personOnDocs(world, "ben");
for (const text of ["One", "Two", "Three"]) await post(ben, text);
await world.seat(ana, "docs", { name: "ada" });
await ana.call("createJoinCode", { params: { board: "docs" }, body: { role: "member" } });

const docs = { params: { board: "docs" } };
const choose = async (page: Page, item: string) => {
  await page.getByRole("button", { name: "Archive, visibility and deletion of docs" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
/** Pages that show a board when it is deleted ask for it once more. */
const gone = /404/;
const signedIn = (person: Client = ana, path = "/b/docs/people") =>
  browser.signedIn(url, person, path, {}, gone);
const boardNow = () => ana.call("getBoard", docs);

test("opening a board shows what that reveals, as the server counts it, before anything is done", async () => {
  const page = await signedIn();
  await page.getByText("Only its people, it is private").waitFor();
  await choose(page, "Open it…");
  const dialog = page.getByRole("dialog", { name: "Open docs to everybody?" });
  await dialog.getByText(/3 messages and 0 files, also those from before\.$/).waitFor();
  expect((await boardNow()).visibility).toBe("private");
  await holdsInEachLook(page, "dialog");
  // The harmless button has the focus, and the address of the dialog is gone with it.
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  expect((await boardNow()).visibility).toBe("private");

  await choose(page, "Open it…");
  await dialog.getByRole("button", { name: "Open docs" }).click();
  await page.getByText(/^Everybody on .*, it is open$/).waitFor();
  expect((await boardNow()).visibility).toBe("open");
});

test("making it private says how many codes stop working", async () => {
  const page = await signedIn();
  await choose(page, "Make it private…");
  const dialog = page.getByRole("dialog", { name: "Make docs private?" });
  await dialog.getByText("1 join code stops working, of everybody.").waitFor();
  await dialog.getByRole("button", { name: "Make it private" }).click();
  await page.getByText("Only its people, it is private").waitFor();
  expect((await ana.call("listJoinCodes", docs)).join_codes).toEqual([]);
});

test("archiving says what stays, ends what is written, and is taken back", async () => {
  const page = await signedIn();
  const bens = await signedIn(ben);
  await choose(page, "Archive it…");
  const dialog = page.getByRole("dialog", { name: "Archive docs?" });
  await dialog.getByText(/2 people, 1 agent and 3 messages\./).waitFor();
  await dialog.getByRole("button", { name: "Archive docs" }).click();
  await bens.getByText(/nothing new is written/).waitFor();
  await page.getByRole("link", { name: "Add an agent" }).waitFor({ state: "detached" });
  expect(await page.getByRole("button", { name: "Change the rules" }).count()).toBe(0);
  // Delivery, removing and leaving work on an archived board; nothing is written.
  await page.getByRole("button", { name: "Menu of ada", exact: true }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual([
    "What wakes it…",
    "Remove it…",
  ]);
  await page.keyboard.press("Escape");
  // Who did not make the board and is no admin of the server can do nothing about it.
  expect(await bens.getByRole("button", { name: /^Archive, visibility/ }).count()).toBe(0);

  await choose(page, "Restore it…");
  await page
    .getByRole("dialog")
    .getByText(/by 2 people and 1 agent\./)
    .waitFor();
  await page.getByRole("button", { name: "Restore docs" }).click();
  await page.getByRole("link", { name: "Add an agent" }).first().waitFor();
  expect((await boardNow()).lifecycle).toBe("active");
});

test("an address that asks for what cannot be done shows the board alone", async () => {
  const page = await signedIn(ben, "/b/docs/people?do=delete");
  await page.getByRole("region", { name: "ben", exact: true }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("an archived board is deleted once its name is typed, and is gone for everybody", async () => {
  await ana.call("archiveBoard", docs);
  const page = await signedIn();
  const bens = await signedIn(ben);
  await bens.getByRole("region", { name: "ben", exact: true }).waitFor();
  await choose(page, "Delete it for good…");
  const dialog = page.getByRole("dialog", { name: "Delete docs for good?" });
  await dialog.getByText(/2 people, 1 agent and 3 messages\./).waitFor();
  const yes = dialog.getByRole("button", { name: "Delete for good" });
  expect(await yes.isDisabled()).toBe(true);
  const field = dialog.getByRole("textbox");
  await field.fill("doc");
  expect(await yes.isDisabled()).toBe(true);
  await field.fill("docs");
  await holds(page);
  await yes.click();
  await page.getByText("docs is deleted.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await bens.getByRole("region", { name: "ben", exact: true }).waitFor({ state: "detached" });
});

import { expect, test } from "bun:test";
import { archiveOf, partsOf } from "../support/boards/board-archive.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const origin = await startWorld();
await makeDocs(origin);
const foreign = await personOnDocs(origin, "ben");
await post(foreign, "Written there.");
await post(origin.admin, { body: "Asked there.", ask: {}, to: ["@ben"] });
const rex = await seatOnDocs(origin, "rex");
await post(rex, { body: "For @ana of there.", to: ["@ana"] });
await foreign.upload({ ...docs, query: { name: "notes.md" } }, new Blob(["There\n"]));
for (const one of [foreign, origin.admin])
  await one.call("approveFile", {
    params: { board: "docs", file: "notes.md" },
    body: { version: 1 },
  });
await world.admin.importBoard({}, archiveOf(await partsOf(origin, origin.admin)));
// Somebody here is called as somebody there, and goes on at once where that one ended.
await post(world.admin, "Written here.");

test("who stayed on another server is shown with it, and is never taken for somebody here", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const there = page.getByRole("article", { name: /^ben/ }).filter({ hasText: "Written there." });
  await there.waitFor();
  expect(await there.innerText()).toContain("ben of old.example.org");
  const asked = page.getByRole("article", { name: /^ana/ }).filter({ hasText: "Asked there." });
  expect(await asked.innerText()).toContain("ana of old.example.org");
  expect(await asked.innerText()).not.toMatch(/\bYou\b/);
  await page.getByText("The board came from https://old.example.org.").waitFor();
  const lines = await page
    .getByText(/made the board|joined|took .* off|was removed/)
    .allInnerTexts();
  expect(lines.join(" ")).toContain("of old.example.org");
  const here = page.getByRole("article", { name: /^ana/ }).filter({ hasText: "Written here." });
  expect(await here.innerText()).not.toContain("old.example.org");
});

test("somebody there who is called as the reader is not the reader, wherever a name stands", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page
    .getByRole("group", { name: /ask of ana of old\.example\.org to ben of old/ })
    .waitFor();
  await page.getByRole("article", { name: /^ben of old\.example\.org, / }).waitFor();
  const told = page.locator("article", { hasText: "For @ana of there." });
  await told.getByRole("link", { name: "@ana" }).waitFor();
  expect(await told.locator(".me").count()).toBe(0);

  await page.goto(`${url}/b/docs/files`);
  const row = page.getByRole("row", { name: /notes\.md/ });
  await row
    .getByText(/(ana|ben) of old\.example\.org and (ana|ben) of old\.example\.org/)
    .waitFor();
  await page.goto(`${url}/b/docs/files/notes.md`);
  const versions = page.getByRole("complementary", { name: "Versions" });
  await versions.getByText(/^ana of old\.example\.org, /).waitFor();
  // An own approval stands beside the one of the namesake.
  await versions.getByRole("button", { name: "Approve version 1" }).click();
  await versions.getByText(/^you, /).waitFor();
  await versions.getByText(/^ana of old\.example\.org, /).waitFor();
  await page.goto(`${url}/b/docs`);
  await told.waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("Written there");
  await page.getByRole("option", { name: /ben of old\.example\.org/ }).waitFor();
});

test("the page verifies the record of a board that came from another server", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs/people");
  const record = page.getByRole("region", { name: "The record" });
  await record.getByRole("button", { name: "Check it", exact: true }).click();
  await record.getByText(/no gap/).waitFor();
  const { head_seq } = await world.admin.call("getBoard", docs);
  expect(await record.getByRole("status").innerText()).toContain(String(head_seq));
});

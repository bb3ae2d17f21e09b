import { expect, test } from "bun:test";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { askOn, askSeenBy } from "../support/boards/board-with-asks.ts";
import { put } from "../support/boards/board-with-files.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/wait-until.ts";
import { find, press, startFirefox } from "../support/web/firefox.ts";
import { killableServer } from "../support/web/killable-server.ts";

const attach = 'input[aria-label="Files to attach"]';
const firefox = startFirefox();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const writer = await seatOnDocs(world, "writer");
const real = await killableServer();

test("an ask is answered where a person sees it first, on the page that opens", async () => {
  const ask = await askOn(writer, "@ana", { body: "Which key?", options: ["the old", "the new"] });
  const page = await firefox.signedIn(url, ana);
  await find(page, "main", "Which key?");
  await press(page, "button", "the new");
  await untilTrue(async () => (await askSeenBy(writer, ask)).answer_option === 2, "the answer");
});

test("a message with a completed name is in the other's window at once", async () => {
  const [anas, bens] = await Promise.all([
    firefox.signedIn(url, ana, "/b/docs"),
    firefox.signedIn(url, ben, "/b/docs"),
  ]);
  await press(anas, "textarea", "Message");
  await anas.keyboard.type("Have a look, @wri");
  await find(anas, '[role="option"]', "writer");
  await anas.keyboard.press("Enter");
  await anas.keyboard.type("please");
  await anas.keyboard.press("Enter");
  await find(bens, "article", "please");
});

test("a file is attached by the picker and sent, and what changed in a file is shown", async () => {
  const page = await firefox.signedIn(url, ana, "/b/docs");
  const path = join(temporaryFolder(), "notes.md");
  writeFileSync(path, "# Notes\n");
  await (await page.$(attach))!.uploadFile(path);
  await find(page, "form", "notes.md");
  await press(page, "textarea", "Message");
  await page.keyboard.type("Here it is");
  await page.keyboard.press("Enter");
  const files = async () => (await ana.call("listFiles", docs)).files.map(({ name }) => name);
  await untilTrue(async () => (await files()).includes("notes.md"), "the file");

  await put(ana, "plan.md", { text: "one\ntwo words here\n" });
  await put(ana, "plan.md", { text: "one\ntwo other words here\n", base: 1 });
  await page.goto(`${url}/b/docs/files/plan.md`);
  await press(page, "button", "Changes");
  await find(page, "[aria-label]", "Changes from version 1 to version 2");
  await find(page, "ins", "other");
});

test("a page that is loaded anew follows the server as before", async () => {
  const page = await firefox.signedIn(url, ben, "/b/docs");
  for (const text of ["After one load", "After the next"]) {
    await page.reload();
    await find(page, ".live", "live");
    await post(writer, text);
    await find(page, "article", text);
  }
});

test("a task is started and finished", async () => {
  const { ref } = await ana.call("createTask", { ...docs, body: { title: "Write the index" } });
  const page = await firefox.signedIn(url, ana, `/b/docs/tasks/${ref}`);
  await press(page, "button", "Start");
  await press(page, "button", "Done");
  await press(page, "dialog textarea");
  await page.keyboard.type("It is on the site");
  await press(page, "dialog button", "Done");
  const state = async () =>
    (await ana.call("getTask", { params: { board: "docs", task: ref } })).state;
  await untilTrue(async () => (await state()) === "done", "the task is done");
});

test("the record is verified, and signing out ends the session", async () => {
  const page = await firefox.signedIn(url, ben, "/b/docs/people", /401/);
  await press(page, "button", "Check it");
  await find(page, '[role="status"]', "every hash holds");
  await page.goto(`${url}/account`);
  await press(page, "button", "Sign out here");
  await find(page, "main", "Sign in");
  expect(await page.evaluate(async () => (await fetch("/v1/me")).status)).toBe(401);
});

test("a page goes on when its server was killed and is there again", async () => {
  await real.ana.call("createBoard", { body: { name: "docs" } });
  const page = await firefox.signedIn(real.url, real.ana, "/b/docs", /./);
  await press(page, "textarea", "Message");
  await page.keyboard.type("Before");
  await page.keyboard.press("Enter");
  await find(page, "article", "Before");
  await real.kill();
  await page.keyboard.type("While it is away");
  await page.keyboard.press("Enter");
  await real.start();
  const texts = async () =>
    (await real.ana.call("listMessages", { ...docs, query: { limit: 50 } })).messages.map(
      ({ body }) => body,
    );
  await untilTrue(async () => (await texts()).includes("While it is away"), "the message", 40_000);
  await post(real.ana, "After");
  await find(page, "article", "After");
  expect(await texts()).toEqual(["Before", "While it is away", "After"]);
});

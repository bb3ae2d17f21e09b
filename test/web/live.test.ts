import { expect, test } from "bun:test";
import {
  docs,
  guestOn,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const { admin } = world;
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const rex = await seatOnDocs(world, "rex");
const tom = await guestOn(world, "tom");

test("two people, an agent and a guest on one board see at once what each of them does", async () => {
  const [anas, bens, toms] = await Promise.all([
    browser.signedIn(url, admin, "/b/docs"),
    browser.signedIn(url, ben, "/b/docs"),
    browser.signedIn(url, tom, "/b/docs"),
  ]);
  const all = [anas, bens, toms];
  const everywhere = (look: (page: (typeof all)[number]) => Promise<void>) =>
    Promise.all(all.map(look));

  await toms.getByLabel("Message", { exact: true }).fill("Hello from outside");
  await toms.keyboard.press("Enter");
  await everywhere((page) => page.getByRole("article").getByText("Hello from outside").waitFor());

  const { id } = await post(rex, "Working on the index now");
  await everywhere((page) => page.getByText("Working on the index now").waitFor());
  await ben.call("addReaction", { params: { message: id, reaction: "tada" } });
  await everywhere((page) => page.getByRole("button", { name: /tada.*ben/ }).waitFor());

  await post(rex, {
    body: "Which of the two?",
    to: ["@ana"],
    ask: { options: ["The first", "The second"] },
  });
  await anas
    .getByRole("article")
    .getByRole("button", { name: /The second/ })
    .click();
  await bens.getByRole("group", { name: /^Answered ask of rex/ }).waitFor();
  await toms.getByRole("group", { name: /^Answered ask of rex/ }).waitFor();

  const { ref } = await admin.call("createTask", { ...docs, body: { title: "Write the index" } });
  await rex.call("startTask", { params: { board: "docs", task: ref } });
  await everywhere((page) => page.locator(".quiet", { hasText: "rex started" }).waitFor());

  await rex.call("setPresence", { body: { presence: "working" } });
  await bens.getByRole("link", { name: /^People/ }).click();
  await bens.locator("main").getByText("working").first().waitFor();
  await rex.call("setPresence", { body: { presence: "waiting" } });
  await bens.locator("main").getByText("waits in its session").first().waitFor();
});

test("what an agent did between the reading of a list and the opening of the stream is shown", async () => {
  // The newest events say nothing of members, so they are no reason to read the members again.
  for (let number = 1; number <= 50; number++) await post(rex, `Entry ${number}`);
  await rex.call("setPresence", { body: { presence: "working" } });
  const page = await browser.signedIn(url, ben, "/");
  const held = Promise.withResolvers<void>();
  await page.route("**/v1/stream", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${url}/b/docs/people`);
  await page.locator("main").getByText("working").first().waitFor();
  await rex.call("setPresence", { body: { presence: "waiting" } });
  held.resolve();
  await page.locator("main").getByText("waits in its session").first().waitFor();
});

test("what the stream says of an agent is not undone by an answer that was on its way", async () => {
  await rex.call("setPresence", { body: { presence: "working" } });
  const page = await browser.signedIn(url, admin, "/b/docs/people");
  const shown = page.locator("main");
  await shown.getByText("working").first().waitFor();
  const read = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route("**/v1/boards/docs/members", async (route) => {
    const response = await route.fetch();
    read.resolve();
    await held.promise;
    await route.fulfill({ response });
  });
  // The page reads the members for this person, and the answer is older than what comes by the stream.
  await seatOnDocs(world, "sam");
  await read.promise;
  await rex.call("setPresence", { body: { presence: "waiting" } });
  await shown.getByText("waits in its session").first().waitFor();
  held.resolve();
  await shown.getByText("sam", { exact: true }).first().waitFor();
  expect(await shown.getByText("waits in its session").count()).toBe(1);
});

test("a page whose key is revoked says so, and keeps what was being written", async () => {
  const kim = await personOnDocs(world, "kim");
  const page = await browser.signedIn(url, kim, "/b/docs", {}, /401/);
  await page.getByLabel("Message", { exact: true }).fill("half a sentence");
  await kim.call("revokeKey", { params: { key: kim.keyId } });
  await page.getByText("Signed out.").waitFor();
  expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe("half a sentence");
});

test("a board that is deleted under an open page is gone there, and the page goes on", async () => {
  await admin.call("createBoard", { body: { name: "passing" } });
  await admin.call("addPerson", { params: { board: "passing" }, body: { handle: "ben" } });
  const page = await browser.signedIn(url, ben, "/b/passing", {}, /404/);
  await page.getByRole("heading", { name: "passing", exact: true }).waitFor();
  await admin.call("archiveBoard", { params: { board: "passing" } });
  await page.getByText(/nothing new is written/).waitFor();
  await admin.call("deleteBoard", { params: { board: "passing" } });
  await page.getByText(/What you had open here is gone/).waitFor();
  await page.getByRole("link", { name: "docs" }).first().click();
  await page.getByText("Entry 50").waitFor();
});

import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

const inDocs = (task: string) => ({ params: { board: "docs", task } });

test("what happens besides messages stands in quiet lines, and what belongs together is one", async () => {
  for (const title of ["Write the index", "Check the links", "Print it", "Send it"])
    await world.admin.call("createTask", { ...docs, body: { title } });
  // A board on which nothing was said shows its first steps instead.
  await post(ben, "Let us begin.");
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await scout.call("startTask", inDocs("DOC-1"));
  const line = page.locator(".quiet", { hasText: "scout started" });
  await line.getByText("Write the index").waitFor();
  await scout.call("finishTask", { ...inDocs("DOC-1"), body: { note: "All of it." } });
  await page
    .locator(".quiet", { hasText: "scout finished DOC-1" })
    .getByText("All of it.")
    .waitFor();
  for (const task of ["DOC-2", "DOC-3", "DOC-4"]) await ben.call("startTask", inDocs(task));
  await page.locator(".quiet", { hasText: /ben started DOC-2, DOC-3 and DOC-4/ }).waitFor();
});

test("replies stand in a run under the first words of their thread; folded they are one line, also after a reload", async () => {
  const root = await post(ben, "**Freeze** tomorrow at noon.");
  await post(world.admin, "Something else.");
  await post(scout, { body: "Fine with me.", reply_to: root.id });
  await post(ben, { body: "Good.", reply_to: root.id });
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const run = page.getByRole("article", { name: "Replies in Freeze tomorrow at noon." });
  await run.getByText("Fine with me.").waitFor();
  await run.getByRole("article", { name: /^scout/ }).focus();
  await page.keyboard.press("z");
  await run.getByText("2 replies by scout and ben in Freeze tomorrow at noon.").waitFor();
  expect(await run.getByText("Fine with me.").count()).toBe(0);
  await page.reload();
  await run.getByText("2 replies").waitFor();
  await run.getByRole("button", { name: /^Unfold/ }).click();
  await run.getByText("Fine with me.").waitFor();
});

test("a text links to the members, tasks and messages that there are, and to nothing else", async () => {
  const one = await post(ben, "The first of it.");
  const said = await post(
    scout,
    `@ana and @nobody: see DOC-1, DOC-99, #${one.seq} and #9999. \`@ben #${one.seq}\``,
  );
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const text = page.locator(`#m${said.seq} .md`);
  await text.getByRole("link", { name: "DOC-1" }).waitFor();
  const links = await text
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links).toEqual([
    ["@ana", "/b/docs/people"],
    ["DOC-1", "/b/docs/tasks/DOC-1"],
    [`#${one.seq}`, `/b/docs/m/${one.seq}`],
  ]);
});

test("a link leads to the host that its letters name, and a host written in ASCII is shown so", async () => {
  const said = await post(
    scout,
    "https://münchen.example/a and https://xn--pple-43d.example/ and https://plain.example/",
  );
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  const text = page.locator(`#m${said.seq} .md`);
  await text.getByRole("link", { name: "plain" }).waitFor();
  const links = await text
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links).toEqual([
    ["https://münchen.example/a", "https://xn--mnchen-3ya.example/a"],
    ["https://xn--pple-43d.example/", "https://xn--pple-43d.example/"],
    ["https://plain.example/", "https://plain.example/"],
  ]);
});

test("filters of the address show what they let through, with the words that were found", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs?from=scout");
  const found = page.getByRole("feed", { name: "Messages found" });
  await found.getByText("Fine with me.").waitFor();
  expect(await found.getByRole("article", { name: /^ben/ }).count()).toBe(0);
  const bar = page.getByRole("search", { name: "Filter messages" });
  await bar.getByRole("combobox", { name: "From" }).selectOption("ben");
  await found.getByText("Good.").waitFor();
  expect(new URL(page.url()).search).toBe("?from=ben");
  await bar.getByRole("textbox", { name: "Words" }).fill("noon");
  await page.keyboard.press("Enter");
  await found.locator("mark", { hasText: "noon" }).waitFor();
  await bar.getByRole("button", { name: /^Show all/ }).click();
  await page.getByRole("feed", { name: "Messages", exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("button", { name: "Filter messages (F)" }).click();
  await bar.waitFor();
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  await page.keyboard.press("f");
  await bar.waitFor();
});

test("a role, a task and what is said to the reader are filters of the address too", async () => {
  await post(scout, "About the links, DOC-2.");
  await post(scout, { body: "For you alone.", to: ["@ana"] });
  const page = await browser.signedIn(url, world.admin, "/b/docs?role=member");
  const found = page.getByRole("feed", { name: "Messages found" });
  const texts = async (them: readonly string[], not: readonly string[]) => {
    for (const text of them) await found.getByText(text).waitFor();
    for (const text of not) expect([text, await found.getByText(text).count()]).toEqual([text, 0]);
  };
  await texts(["About the links", "For you alone."], ["Let us begin."]);
  await page.goto(`${url}/b/docs?task=DOC-2`);
  await texts(["About the links"], ["For you alone.", "Fine with me."]);
  const bar = page.getByRole("search", { name: "Filter messages" });
  await page.goto(`${url}/b/docs?to_me`);
  // What is said to all is said to the reader too. What they said themselves is not.
  await texts(["For you alone.", "About the links", "Let us begin."], ["Something else."]);
  await bar.getByRole("checkbox").click();
  await page.getByRole("feed", { name: "Messages", exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("");
});

test("a name cannot turn the text around it, and events of a newer server show nothing", async () => {
  const { code } = await world.admin.call("createLoginCode");
  const page = await browser.open(`${url}/sign-in`, {}, /401/);
  await page.route(/\/v1\/boards\/docs\/(events|messages)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as {
      events?: Record<string, unknown>[];
      messages?: Record<string, unknown>[];
    };
    for (const event of body.events ?? [])
      if (event["type"] === "task.started") event["type"] = "task.teleported";
    for (const message of body.messages ?? []) {
      message["hologram"] = { of: ["a", "later", "server"] };
      message["reactions"] = [
        { name: "wave", emoji: "👋", count: 1, by: ["ben\u202e"], mine: false },
      ];
    }
    await route.fulfill({ response, json: body });
  });
  await page.goto(`${url}/#code=${code}`);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.getByRole("link", { name: "docs" }).first().click();
  await page.getByRole("button", { name: "wave, 1: ben[U+202E]" }).first().waitFor();
  expect(await page.getByText("started").count()).toBe(0);
});

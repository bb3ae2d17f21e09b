import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { docs, makeDocs, personOnDocs } from "../support/boards/docs-board.ts";
import { badGateway, clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";
import { killableServer } from "../support/web/killable-server.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const real = await killableServer();
await real.ana.call("createBoard", { body: { name: "docs" } });

/** What the console says of a server that does not answer or refuses. */
const refusals = /Failed to load resource|net::ERR/;
const waits = 40_000;

afterEach(() => {
  server.between = (_, answer) => answer();
});

const signedIn = (at: string, person: Client) =>
  browser.signedIn(at, person, "/b/docs", {}, refusals);

async function write(page: Page, ...texts: readonly string[]): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  for (const text of texts) {
    await field.fill(text);
    await field.press("Enter");
  }
}

/** The texts on docs that begin with a word, in order. */
async function textsWith(reader: Client, start: string): Promise<string[]> {
  const { messages } = await reader.call("listMessages", { ...docs, query: { limit: 200 } });
  return messages.map(({ body }) => body).filter((body) => body.startsWith(start));
}

const stored = (reader: Client, start: string, count: number) =>
  untilTrue(
    async () => (await textsWith(reader, start).catch(() => [])).length >= count,
    `${count} messages with ${start}`,
    waits,
  );

const unsentIn = (page: Page) => page.getByRole("article", { name: /not sent yet/ });

/** Answers each post in the server's place. */
function atPosts(answer: (go: () => Promise<Response>) => Promise<Response> | Response): void {
  server.between = async (request, go) => {
    const isPost = request.method === "POST" && new URL(request.url).pathname.endsWith("/messages");
    return isPost ? answer(go) : go();
  };
}

test("what was written while the server was killed is stored once it is back, each once and in order", async () => {
  const page = await signedIn(real.url, real.ana);
  await write(page, "down 0");
  await stored(real.ana, "down", 1);
  await real.kill();
  await write(page, "down 1", "down 2", "down 3");
  expect(await unsentIn(page).count()).toBe(3);
  await unsentIn(page).first().getByText("waits to be sent").waitFor();
  await real.start();
  await stored(real.ana, "down", 4);
  await unsentIn(page).first().waitFor({ state: "detached" });
  expect(await textsWith(real.ana, "down")).toEqual(["down 0", "down 1", "down 2", "down 3"]);
}, 90_000);

test("a server that is killed in the middle of many messages stores each of them once", async () => {
  const page = await signedIn(real.url, real.ana);
  const texts = [...Array(12).keys()].map((number) => `many ${number}`);
  const writing = write(page, ...texts);
  await stored(real.ana, "many", 3);
  await real.kill();
  await writing;
  await real.start();
  await stored(real.ana, "many", texts.length);
  await unsentIn(page).first().waitFor({ state: "detached" });
  expect(await textsWith(real.ana, "many")).toEqual(texts);
}, 90_000);

test("two tabs share what is unsent, and each message is stored once though the sending tab is closed", async () => {
  const page = await signedIn(real.url, real.ana);
  const other = await page.context().newPage();
  await other.goto(`${real.url}/b/docs`);
  await other.getByRole("feed").waitFor();
  await real.kill();
  await write(page, "tabs 1");
  await write(other, "tabs 2");
  await write(page, "tabs 3");
  for (const tab of [page, other]) await unsentIn(tab).nth(2).waitFor();
  await page.close();
  await real.start();
  await stored(real.ana, "tabs", 3);
  await unsentIn(other).first().waitFor({ state: "detached" });
  expect(await textsWith(real.ana, "tabs")).toEqual(["tabs 1", "tabs 2", "tabs 3"]);
}, 90_000);

test("what is unsent outlives the page", async () => {
  const page = await signedIn(url, ben);
  atPosts(badGateway);
  await write(page, "outlives 1", "outlives 2");
  await unsentIn(page).nth(1).waitFor();
  await page.reload();
  await unsentIn(page).nth(1).waitFor();
  server.between = (_, answer) => answer();
  await stored(ben, "outlives", 2);
  expect(await textsWith(ben, "outlives")).toEqual(["outlives 1", "outlives 2"]);
}, 60_000);

test("a message whose answer was lost is stored once", async () => {
  const page = await signedIn(url, ben);
  let tries = 0;
  atPosts(async (go) => {
    const answer = await go();
    return ++tries < 3 ? badGateway() : answer;
  });
  await write(page, "lost answer");
  await untilTrue(async () => tries === 3, "the third try", waits);
  await unsentIn(page).waitFor({ state: "detached" });
  expect(await textsWith(ben, "lost answer")).toEqual(["lost answer"]);
}, 60_000);

test("a refused message stays with the reason, can be copied and thrown away, and stops no other", async () => {
  const page = await signedIn(url, ben);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  let isFirst = true;
  atPosts((go) => {
    if (!isFirst) return go();
    isFirst = false;
    const error = { code: "forbidden", message: "Not on this board.", hint: "Ask an owner." };
    return Response.json({ error }, { status: 403 });
  });
  await write(page, "refused 1", "refused 2");
  await stored(ben, "refused", 1);
  const refused = unsentIn(page);
  await refused.getByText("not sent: Not on this board. Ask an owner.").waitFor();
  await refused.getByRole("button", { name: "Copy the text" }).click();
  await refused.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("refused 1");
  await refused.getByRole("button", { name: "Throw it away" }).click();
  await refused.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("article", { name: /^ben/ }).getByText("refused 2").waitFor();
  expect(await unsentIn(page).count()).toBe(0);
  expect(await textsWith(ben, "refused")).toEqual(["refused 2"]);
}, 60_000);

test("over the limit the message waits as long as the server asks, and says so", async () => {
  const page = await signedIn(url, ben);
  let tries = 0;
  atPosts((go) => {
    if (++tries > 1) return go();
    const error = { code: "rate_limited", message: "Too many attempts.", hint: "Wait." };
    return Response.json({ error }, { status: 429, headers: { "retry-after": "2" } });
  });
  await write(page, "limited");
  await unsentIn(page)
    .getByText(/the server takes it in \d s/)
    .waitFor();
  await stored(ben, "limited", 1);
  expect(tries).toBe(2);
}, 60_000);

test("what has waited for a day is not sent without a question", async () => {
  const page = await signedIn(url, ben);
  const { promise: isTried, resolve: tried } = Promise.withResolvers<void>();
  atPosts(() => {
    tried();
    return badGateway();
  });
  await write(page, "day old");
  await isTried;
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage))
      if (name.startsWith("service-outbox:")) {
        const one = JSON.parse(localStorage.getItem(name)!);
        localStorage.setItem(name, JSON.stringify({ ...one, at: one.at - 23.5 * 3_600_000 }));
      }
  });
  server.between = (_, answer) => answer();
  await page.reload();
  await unsentIn(page)
    .getByText(/It may have been sent before/)
    .waitFor();
  expect(await textsWith(ben, "day old")).toEqual([]);
  await unsentIn(page).getByRole("button", { name: "Send it again" }).click();
  await stored(ben, "day old", 1);
}, 60_000);

test("the arrow upwards in the empty field takes the last unsent message back, as it was written", async () => {
  const page = await signedIn(url, ben);
  let tries = 0;
  atPosts(() => {
    tries++;
    return badGateway();
  });
  const field = page.getByLabel("Message", { exact: true });
  await field.click();
  await page.getByRole("button", { name: "Urgent", exact: true }).click();
  await write(page, "taken back");
  await unsentIn(page).waitFor();
  // The next try is four seconds away then: none is under way while it is taken back.
  await untilTrue(() => Promise.resolve(tries >= 3), "the third try", waits);
  await field.press("ArrowUp");
  await unsentIn(page).waitFor({ state: "detached" });
  expect(await field.inputValue()).toBe("taken back");
  const urgent = page.getByRole("button", { name: "Urgent", exact: true });
  expect(await urgent.getAttribute("aria-pressed")).toBe("true");
  server.between = (_, answer) => answer();
  await write(page, "taken back and changed");
  await stored(ben, "taken back", 1);
  const { messages } = await ben.call("listMessages", { ...docs, query: { limit: 200 } });
  expect(messages.at(-1)).toMatchObject({ body: "taken back and changed", urgent: true });
  expect(await textsWith(ben, "taken back")).toEqual(["taken back and changed"]);
}, 60_000);

test("a message that was taken back after the server had stored it is not stored a second time", async () => {
  const page = await signedIn(url, ben);
  let isStored = false;
  atPosts(async (go) => {
    if (isStored) return badGateway();
    isStored = true;
    await go();
    return badGateway();
  });
  await write(page, "stored unseen");
  await stored(ben, "stored unseen", 1);
  const field = page.getByLabel("Message", { exact: true });
  await field.press("ArrowUp");
  server.between = (_, answer) => answer();
  await field.press("Enter");
  await unsentIn(page).waitFor({ state: "detached" });
  expect(await textsWith(ben, "stored unseen")).toEqual(["stored unseen"]);
}, 60_000);

test("a message that was written after the session had ended is sent by the next one, without a question", async () => {
  const page = await signedIn(url, ben);
  await page.getByLabel("Message", { exact: true }).fill("after the end");
  const { sessions } = await ben.call("listBrowserSessions");
  // The page hears of the end by its message, and not before.
  server.between = async (request, go) =>
    new URL(request.url).pathname === "/v1/stream" ? badGateway() : go();
  for (const { id } of sessions) await ben.call("endBrowserSession", { params: { session: id } });
  await page.getByLabel("Message", { exact: true }).press("Enter");
  await page.getByText("Signed out.").waitFor();
  server.between = (_, answer) => answer();
  const { code } = await ben.call("createLoginCode");
  await page.goto(`${url}/#code=${code}`);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await stored(ben, "after the end", 1);
  expect(await textsWith(ben, "after the end")).toEqual(["after the end"]);
}, 60_000);

import { expect, test } from "bun:test";
import { askOn, answerWith } from "../support/boards/board-with-asks.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
const writer = await seatOnDocs(world, "writer");
const failures = /Failed to load resource/;

test("title and icon say how much needs the person, and not what is new", async () => {
  const page = await browser.signedIn(url, ben);
  for (const { id } of (await ben.call("getAttention")).items)
    await ben.call("dismissAttention", { params: { item: id } });
  const title = (text: string) => page.waitForFunction((wanted) => document.title === wanted, text);
  const icon = () => page.locator("link[rel=icon]").getAttribute("href");
  const { host } = new URL(url);
  await title(`Needs you · ${host}`);
  const plain = await icon();
  await post(ana, "News that needs nobody");
  await page
    .getByRole("link", { name: /docs.*1 new/ })
    .first()
    .waitFor();
  await title(`Needs you · ${host}`);
  const ask = await askOn(writer, "@ben", { body: "Which?" });
  await title(`(1) Needs you · ${host}`);
  expect(await icon()).toStartWith("data:image/svg+xml,");
  await answerWith(ben, ask, 1);
  await title(`Needs you · ${host}`);
  expect(await icon()).toBe(plain);
});

test("while no tab is seen an ask notifies once, and goes when it is answered elsewhere", async () => {
  const page = await browser.signedIn(url, ben, "/", { permissions: ["notifications"] });
  const context = page.context();
  const second = await context.newPage();
  /** Notes what would be shown on the desktop. */
  await context.addInitScript(() => {
    const noted: { title: string; tag: string; isOpen: boolean }[] = [];
    Object.assign(window, { noted });
    window.Notification = class extends EventTarget {
      static readonly permission = "granted";
      readonly one: (typeof noted)[number];
      constructor(title: string, { tag = "" }: NotificationOptions = {}) {
        super();
        this.one = { title, tag, isOpen: true };
        noted.push(this.one);
      }
      close() {
        this.one.isOpen = false;
      }
    } as never;
    localStorage.setItem("service-preferences", JSON.stringify({ notifyAsks: true }));
  });
  await page.reload();
  await second.goto(url);
  const pages = [page, second];
  for (const one of pages) await one.locator(".live.working").waitFor();
  const noted = async () =>
    (
      await Promise.all(
        pages.map((one) =>
          one.evaluate(
            () => (window as never as { noted: { title: string; isOpen: boolean }[] }).noted,
          ),
        ),
      )
    ).flat();
  await writer.call("createTask", { ...docs, body: { title: "Print it", start: true } });
  const seen = await askOn(writer, "@ben", { body: "Seen on the screen?" });
  for (const one of pages) await one.getByText("Seen on the screen?").waitFor();
  expect(await noted()).toEqual([]);

  for (const one of pages)
    await one.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
  const ask = await askOn(writer, "@ben", { body: "Which paper?" });
  for (const one of pages) await one.getByText("Which paper?").waitFor();
  await post(ana, { body: "When?", to: ["@ben"], expects_reply: true });
  for (const one of pages) await one.getByText("When?").waitFor();
  expect(await noted()).toMatchObject([
    { title: "@writer asks you, and DOC-1 stands still", isOpen: true },
  ]);
  await answerWith(ben, ask, 1);
  for (const one of pages) await one.getByText("Which paper?").waitFor({ state: "detached" });
  expect((await noted()).map(({ isOpen }) => isOpen)).toEqual([false]);
  await answerWith(ben, seen, 1);
});

test("under an answered ask the page offers to tell next time, and asks for no permission before", async () => {
  const page = await browser.signedIn(url, ben, "/", { permissions: ["notifications"] });
  await askOn(writer, "@ben", { body: "Now or later?", options: ["Now", "Later on"] });
  const offer = page.getByRole("button", { name: "Tell me next time" });
  const card = page.locator("[data-need]").filter({ hasText: "Now or later?" });
  await card.waitFor();
  expect(await offer.count()).toBe(0);
  await card.getByRole("button", { name: /^1 ?Now/ }).click();
  await offer.click();
  await offer.waitFor({ state: "detached" });
  expect(await page.evaluate(() => localStorage.getItem("service-preferences"))).toContain(
    '"notifyAsks":true',
  );
});

test("what one tab folds open, the other shows open too", async () => {
  await ana.call("createBoard", { body: { name: "to-join" } });
  const page = await browser.signedIn(url, ben);
  const second = await page.context().newPage();
  await second.goto(url);
  const fold = (one: typeof page) => one.getByRole("button", { name: /open boards? to join/ });
  await fold(second).waitFor();
  await fold(page).click();
  await second.getByRole("button", { name: "Join to-join" }).waitFor();
});

test("signing out in one tab signs out the others, and another person finds nothing of the first", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs", {}, failures);
  await page.getByText("News that needs nobody").waitFor();
  const second = await page.context().newPage();
  await second.goto(url);
  await second.getByRole("heading", { name: "Needs you" }).waitFor();
  await second.goto(`${url}/account`);
  await second.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
  expect(await page.getByText("News that needs nobody").count()).toBe(0);

  const dora = await world.person("dora");
  await second.getByLabel("Or paste an access key").fill(dora.token);
  await second.getByRole("button", { name: "Sign in", exact: true }).click();
  for (const one of [page, second]) {
    await one.getByRole("link", { name: /dora/ }).first().waitFor();
    await one.goto(`${url}/b/docs`);
    await one.getByText("You are not on docs").waitFor();
    expect(await one.getByText("News that needs nobody").count()).toBe(0);
    expect(await one.evaluate(() => JSON.stringify(localStorage))).not.toContain("News that needs");
  }
});

import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { playHarbor } from "../support/demo/harbor.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

/** Where the pictures go: `dist` is not kept. */
const folder = resolve(import.meta.dir, "../../dist/screens");
mkdirSync(folder, { recursive: true });

/** What the console says of who is not signed in, and of a request that is cut off. */
const expected = /401|ERR_FAILED/;
const browser = startBrowser();
const harbor = await playHarbor();
const { stage, people, board } = harbor;
// The pages are closed before their server is.
afterAll(stage.stop);
let signedIn: Promise<Page> | undefined;
const marasPage = () => (signedIn ??= browser.signedIn(stage.url, people.mara));

const { messages } = await people.mara.call("listMessages", {
  params: { board },
  query: { newest: true, limit: 50 },
});
const root = messages.find(({ reply_count }) => reply_count > 0)!;
const blocking = messages.find(({ ask }) => ask?.blocking)!;

/** Each screen by the name of its design, with its address and what it shows. */
const screens = [
  ["home", "/", "Needs you"],
  ["board", `/b/${board}`, "Larger SQLite pages"],
  ["talk", `/b/${board}/m/${root.seq}`, "The upgrade from 1.3.4 passes"],
  ["thread", `/b/${board}/t/${root.seq}`, "Killed eleven times"],
  ["tasks", `/b/${board}/tasks`, "Sign and publish the installers"],
  ["task", `/b/${board}/tasks/${harbor.tasks.sign}`, "Sign all installers on the build machine"],
  ["files", `/b/${board}/files`, "release-notes.md"],
  ["file", `/b/${board}/files/release-notes.md?v=2..3`, "three times faster"],
  ["brief", `/b/${board}/brief`, "Who decides what"],
  ["people", `/b/${board}/people`, "What this board is for"],
  ["account", "/account", "What your agents may do"],
] as const;

test.each(screens)(
  "%s holds in both schemes and at three widths",
  async (name, path, words) => {
    const page = await marasPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(stage.url + path);
    await page.locator("main, .panel").getByText(words).filter({ visible: true }).first().waitFor();
    if (name === "talk") await page.locator(`#m${root.seq}`).first().waitFor();
    await inEachLook(page, name);
  },
  120_000,
);

/** Screens that something has to be done for, by the name of their design. */
const states: Record<string, () => Promise<Page>> = {
  "sign-in": async () => {
    const { code } = await people.jonas.call("createLoginCode");
    const page = await browser.open(`${stage.url}/#code=${code}`, {}, expected);
    await page.getByRole("button", { name: /^Sign in as/ }).waitFor();
    return page;
  },
  "sign-in-key": async () => {
    const page = await browser.open(`${stage.url}/sign-in`, {}, expected);
    await page.getByLabel(/key/i).first().waitFor();
    return page;
  },
  join: async () => {
    const { invite } = await people.mara.call("createServerInvite", { body: {} });
    const page = await browser.open(`${stage.url}/join#${invite}`, {}, expected);
    await page.getByRole("heading", { name: /^You are invited to/ }).waitFor();
    return page;
  },
  search: async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}`);
    await page.getByText("Larger SQLite pages").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("sign");
    await page.getByRole("dialog").locator("mark").first().waitFor();
    return page;
  },
  ask: async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}/m/${blocking.seq}`);
    await page.locator(`#m${blocking.seq} .ask`).waitFor();
    return page;
  },
  "tasks-board": async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}/tasks`);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByText("In progress").first().waitFor();
    return page;
  },
  menu: async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}/brief`);
    await page.getByRole("button", { name: `Menu of ${board}` }).click();
    await page.getByRole("menuitem", { name: "Copy its link" }).waitFor();
    return page;
  },
  shortcuts: async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}`);
    await page.getByText("Larger SQLite pages").first().waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    return page;
  },
  compose: async () => {
    const page = await browser.signedIn(stage.url, people.mara, `/b/${board}`);
    await page.getByText("Larger SQLite pages").first().waitFor();
    await page.getByLabel("Message", { exact: true }).fill("The notes are with @");
    await page.getByRole("listbox").waitFor();
    return page;
  },
  offline: async () => {
    const page = await browser.signedIn(stage.url, people.mara, "/", {}, expected);
    await page.route("**/v1/stream*", (route) => route.abort());
    await page.route("**/v1/boards/*/messages", (route) => route.abort());
    await page.goto(`${stage.url}/b/${board}`);
    await page.getByText("Larger SQLite pages").first().waitFor();
    await page.getByText(/^Not connected/).waitFor();
    await page.getByPlaceholder("Write; it is sent later").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Both keys stay until Monday.");
    await page.keyboard.press("Enter");
    await page.getByText("waits to be sent").first().waitFor();
    return page;
  },
  "first-run": async () => {
    await people.mara.call("createBoard", { body: { name: "plans", visibility: "private" } });
    const page = await browser.signedIn(stage.url, people.mara, "/b/plans");
    await page.getByRole("heading", { name: "Bring agents together" }).waitFor();
    await page.getByText("only you").waitFor();
    return page;
  },
  archived: async () => {
    const of = { params: { board: "release-1-3" } };
    await people.mara.call("createBoard", { body: { name: "release-1-3", title: "Harbor 1.3" } });
    await people.mara.call("postMessage", {
      ...of,
      body: { body: "1.3.4 is out on all mirrors." },
    });
    await people.mara.call("archiveBoard", of);
    const page = await browser.signedIn(stage.url, people.mara, "/b/release-1-3");
    await page.getByText("1.3.4 is out on all mirrors.").first().waitFor();
    return page;
  },
};

test.each(Object.entries(states))(
  "%s holds in both schemes and at three widths as well",
  async (name, open) => {
    const page = await open();
    await inEachLook(page, name);
    await page.context().close();
  },
  120_000,
);

test("the day that sticks to the top covers whole lines of what lies under it", async () => {
  const page = await browser.signedIn(stage.url, people.mara, `/b/${board}/m/${root.seq}`);
  // Read in one piece, once it stands beside its rows: the page may draw a day again while it still reads older messages.
  const read = await page.waitForFunction(() => {
    const day = document.querySelector(".day");
    const row = day?.parentElement?.querySelector(".row");
    return (
      day &&
      row && {
        colour: getComputedStyle(day).backgroundColor,
        under: getComputedStyle(document.body).backgroundColor,
        isAsWide: day.clientWidth >= row.clientWidth,
      }
    );
  });
  const day = await read.jsonValue();
  expect(day).toMatchObject({ colour: day?.under, isAsWide: true });
  await page.context().close();
});

test("on a phone the account leads back to what needs one", async () => {
  const page = await browser.signedIn(stage.url, people.mara, "/account", {
    viewport: { width: 390, height: 844 },
  });
  await page.getByRole("main").getByRole("link", { name: "Back to home" }).click();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  await page.context().close();
});

test("on a phone the menu of a person stays beside their name, however long that is", async () => {
  const page = await browser.signedIn(stage.url, people.mara, `/b/${board}/people`, {
    viewport: { width: 390, height: 844 },
  });
  const group = page.getByRole("region", { name: "jonas" });
  const menu = await group.getByRole("button", { name: "Menu of jonas" }).boundingBox();
  const name = await group.getByText("jonas", { exact: true }).first().boundingBox();
  const middle = ({ y, height }: { y: number; height: number }) => y + height / 2;
  expect(Math.abs(middle(menu!) - middle(name!))).toBeLessThan(12);
  await page.context().close();
});

/** A screen holds in each look, of which a picture is kept. */
const inEachLook = (page: Page, name: string) =>
  holdsInEachLook(page, name, (look) =>
    page.screenshot({
      path: join(folder, `${name}-${look.replace(" ", "-")}.png`),
      animations: "disabled",
    }),
  );

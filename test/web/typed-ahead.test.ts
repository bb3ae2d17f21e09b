import { expect, test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const said = await post(ben, "Where is the ladder?");

/** Holds the search back, as on a slow line. Gives what lets it come. No service worker has it already. */
async function withoutSearch() {
  const options = { serviceWorkers: "block" } as const;
  const page = await browser.signedIn(url, world.admin, "/b/docs", options, /Service Worker/);
  await page.locator(`#m${said.seq}`).focus();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(/later.*\.js/, async (route) => {
    await isReleased;
    await route.continue();
  });
  return { page, release };
}

test("what is typed before the search has come is searched for, and is no key of something else", async () => {
  const { page, release } = await withoutSearch();
  await page.keyboard.press("/");
  // Each of these letters is a key of a message or of the page.
  await page.keyboard.type("tremix");
  await page.keyboard.press("Backspace");
  release();
  const field = page.getByRole("combobox", { name: "Search docs" });
  await field.waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>(".pal input")?.value !== "",
  );
  expect(await field.inputValue()).toBe("tremi");
  await page.getByRole("option", { name: /^Show only messages/ }).waitFor();
  expect(await page.getByRole("menu").count()).toBe(0);
  await field.fill("");
  await page.getByText("Type at least two letters.").waitFor();
});

test("what is typed while the search comes is in its field in the order of the keys", async () => {
  const { page, release } = await withoutSearch();
  const letters = "where is the ladder that stood at the wall of the yard";
  await page.keyboard.press("/");
  for (const [index, letter] of [...letters].entries()) {
    await page.keyboard.press(letter === " " ? "Space" : letter);
    if (index === 9) release();
  }
  await page.waitForFunction(
    (text) => document.querySelector<HTMLInputElement>(".pal input")?.value === text,
    letters,
  );
});

test("what is written on an empty board stays in its field while the first steps come", async () => {
  await world.admin.call("createBoard", { body: { name: "empty" } });
  const options = { serviceWorkers: "block" } as const;
  const page = await browser.signedIn(url, world.admin, "/", options, /Service Worker/);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(/later.*\.js/, async (route) => {
    await isReleased;
    await route.continue();
  });
  // The board's parts come late too.
  await page.route("**/v1/boards/empty/messages?*", async (route) => {
    await Bun.sleep(500);
    await route.continue();
  });
  await page.goto(`${url}/b/empty`);
  const field = page.getByLabel("Message", { exact: true });
  await field.click();
  await page.keyboard.type("Before the ", { delay: 100 });
  release();
  await page.getByRole("heading", { name: "Bring agents together" }).waitFor();
  await page.keyboard.type("steps");
  expect(await field.inputValue()).toBe("Before the steps");
  await page.keyboard.press("Enter");
  await page.keyboard.type("After them");
  await page.getByRole("article").getByText("Before the steps").waitFor();
  expect(await field.inputValue()).toBe("After them");
});

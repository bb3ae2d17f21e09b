import { expect, test } from "bun:test";
import { makeDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);

const invited = async () =>
  (await world.admin.call("createServerInvite", { body: {} })).invite as string;
/** Without a session the server refuses to say who is signed in. */
const expected = /40[149]|422|ERR_/;

test("an invitation's link makes a person, with a key that is shown on request", async () => {
  const page = await browser.open(`${url}/join#${await invited()}`, {}, expected);
  await page.getByRole("heading", { name: /^You are invited to/ }).waitFor();
  expect(page.url()).toBe(`${url}/join`);
  await page.getByLabel("Handle").fill("ana");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("Somebody here has this handle").waitFor();
  await page.getByLabel("Handle").fill("Lea Moreau");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("button", { name: "lea-moreau" }).click();
  await page.getByLabel("Name").fill("Lea Moreau");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "You are in, lea-moreau" }).waitFor();
  expect(await page.locator("body").innerText()).not.toContain("abh_");
  await page.getByRole("button", { name: "Show the key" }).click();
  const key = /abh_[\w-]{43}/.exec(await page.locator("body").innerText())![0];
  const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(await me.json()).toMatchObject({ name: "lea-moreau", display_name: "Lea Moreau" });
  expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain("ab");
  await page.getByRole("button", { name: "Go to the boards" }).click();
  await page.getByRole("link", { name: /Lea Moreau.*your account/ }).waitFor();
  expect(page.url()).toBe(`${url}/`);
});

test("an answer that was lost makes one person, and the next attempt finds them", async () => {
  const page = await browser.open(`${url}/join#${await invited()}`, {}, expected);
  let lost = 0;
  await page.route("**/v1/connect", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByLabel("Handle").fill("max");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByText("The server does not answer").waitFor();
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "You are in, max" }).waitFor();
  expect(lost).toBe(2);
});

test("a link without its end, and one that was used, say what to do", async () => {
  const cut = await browser.open(`${url}/join#ab`, {}, expected);
  await cut.getByRole("heading", { name: "This invitation is not whole" }).waitFor();
  const used = await browser.open(`${url}/join#abi_${"x".repeat(43)}`, {}, expected);
  await used.getByLabel("Handle").fill("nobody");
  await used.getByRole("button", { name: "Join" }).click();
  await used.getByText("This invitation was used, is over, or was taken back.").waitFor();
});

test("whoever is signed in is told that joining signs them out here", async () => {
  const page = await browser.signedIn(url, world.admin);
  await page.goto(`${url}/join#${await invited()}`);
  await page.getByText("Joining makes another account, and signs ana out here.").waitFor();
  await page.getByLabel("Handle").fill("kim");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "You are in, kim" }).waitFor();
});

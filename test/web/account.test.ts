import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const bob = await seatOnDocs(world, "bob");
const ben = await personOnDocs(world, "ben");

test("the account shows who is signed in, with what, and the server's people", async () => {
  const page = await browser.signedIn(url, world.admin, "/account");
  await page.getByRole("heading", { name: "ana", level: 1 }).waitFor();
  await page.getByText("admin of").waitFor();
  await page.getByText(/with a link from/).waitFor();
  const people = page.getByRole("region", { name: "People of this server" });
  await people.getByRole("row", { name: /ben/ }).waitFor();
  await people.getByText("service invite --person").waitFor();
  for (const line of ["service keys", "service logout --browsers"])
    await page.getByText(line, { exact: true }).waitFor();
  await holdsInEachLook(page, "account");
});

test("settings of the person are the server's, and those of the browser are all tabs'", async () => {
  const page = await browser.signedIn(url, ben, "/account");
  const add = page.getByLabel(/Add members of this server/);
  await add.check();
  const isSet = async () => (await ben.call("getAllowance")).categories.includes("add-people");
  await untilTrue(isSet, "the server has what was set");
  const tab = await page.context().newPage();
  await tab.goto(`${url}/account`);
  await tab.getByRole("button", { name: "Dark" }).click();
  await page.locator('html[data-theme="dark"]').waitFor();
  await page.getByRole("button", { name: "As the system" }).click();
  await tab.locator("html:not([data-theme])").waitFor();
});

test("an agent that waits for the person's answer is shown as that, there as everywhere", async () => {
  const { ref } = await bob.call("createTask", { ...docs, body: { title: "Write it" } });
  await bob.call("startTask", { params: { board: "docs", task: ref } });
  const ask = { options: ["this", "that"] };
  const body = { to: ["@ana"], body: "Which one?", about: [ref], ask };
  const { id } = await bob.call("postMessage", { ...docs, body });
  const page = await browser.signedIn(url, world.admin, "/account");
  const row = page.getByRole("row", { name: /bob/ });
  await row.getByText("blocked on you").waitFor();
  await world.admin.call("postMessage", {
    ...docs,
    body: { body: "This.", reply_to: id, answer: {} },
  });
  await row.getByText("blocked on you").waitFor({ state: "detached" });
});

test("an agent of one's own is removed after a question that says what ends", async () => {
  const page = await browser.signedIn(url, world.admin, "/account");
  const name = "bob";
  await page.getByRole("button", { name: `Menu of ${name} on docs` }).click();
  await page.getByRole("menuitem", { name: "Remove it…" }).click();
  const dialog = page.getByRole("dialog", { name: `Remove ${name} from docs?` });
  await dialog.getByText("Its seat ends for good").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: `Menu of ${name} on docs` }).click();
  await page.getByRole("menuitem", { name: "Remove it…" }).click();
  await dialog.getByRole("button", { name: `Remove ${name}` }).click();
  await page.getByText(`${name} is no longer on docs`).waitFor();
  await page
    .getByRole("button", { name: `Menu of ${name} on docs` })
    .waitFor({ state: "detached" });
});

test("signing out ends the session, and asks first where something is unsent", async () => {
  const page = await browser.signedIn(url, ben, "/b/docs");
  await page.getByLabel("Message", { exact: true }).fill("half a thou");
  // It is kept a moment after the last key.
  const isKept = () =>
    page.evaluate<boolean>("Object.keys(localStorage).some((key) => /draft/.test(key))");
  await untilTrue(isKept, "the draft is kept");
  await page.getByRole("link", { name: /your account/ }).click();
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByRole("dialog", { name: "Sign out with something unsent?" }).waitFor();
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("heading", { name: /^Sign in to/ }).waitFor();
  expect(
    await page.evaluate("Object.keys(localStorage).filter((key) => /draft/.test(key))"),
  ).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});

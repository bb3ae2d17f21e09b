import { expect, test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const { seq } = await post(world.admin, "Here it is.");

const codeOf = async (person = world.admin) => (await person.call("createLoginCode")).code;

test("a link leads to the place that it names, once its person is confirmed", async () => {
  const page = await browser.open(
    `${url}/#code=${await codeOf()}&board=docs&message=${seq}`,
    {},
    /401/,
  );
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("heading", { name: "Is this you?" }).waitFor();
  await page.getByRole("button", { name: "Sign in as ana" }).click();
  await page.getByText("Here it is.").waitFor();
  expect(page.url()).toBe(`${url}/b/docs/m/${seq}`);

  // The same person goes on at once, and the code stays unused.
  const again = await codeOf();
  await page.goto(`${url}/?again#code=${again}&board=docs`);
  await page.getByRole("heading", { name: "docs", exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/b/docs`);
  expect(
    (await world.admin.call("previewLoginCode", { body: { code: again } })).person.handle,
  ).toBe("ana");

  // Another person is asked, and signs the first one out.
  await page.goto(`${url}/?ben#code=${await codeOf(ben)}&board=docs`);
  await page.getByText("Going on signs ana out here.").waitFor();
  await page.getByRole("button", { name: "Stay ana" }).click();
  await page.getByRole("navigation", { name: "Boards" }).waitFor();
  await page.goto(`${url}/?ben#code=${await codeOf(ben)}&board=docs`);
  await page.getByRole("button", { name: "Sign in as ben" }).click();
  await page.getByRole("link", { name: /^ben.*your account/ }).waitFor();
});

test("a link that was used says so, and where to get another", async () => {
  const page = await browser.open(`${url}/#code=abl_${"x".repeat(43)}`, {}, /40[14]/);
  await page.getByText("This link is used or over").waitFor();
});

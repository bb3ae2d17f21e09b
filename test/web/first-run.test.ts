import { expect, test } from "bun:test";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { newMachine } from "../support/commands/machine.ts";
import { untilItHolds } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const machine = newMachine();

test("from an empty server to an agent that was told what to do, by the lines that the page gives", async () => {
  await machine.ok(["login", url], { stdin: world.admin.token });
  const page = await browser.signedIn(url, world.admin);
  await page.getByRole("heading", { name: "Begin with a board" }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Make a board" }).click();
  await page.getByLabel("Name", { exact: true }).fill("plans");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Bring agents together" }).waitFor();
  await page.getByText("Nobody has joined yet.").waitFor();
  await page.getByRole("button", { name: "Make the line" }).click();
  const command = await page.getByText(/^service join "/).textContent();
  const line = /"(Join service board plans on .*)"/.exec(command!)![1]!;
  await page.getByText(line, { exact: true }).waitFor();

  // The command of the page gives a session its seat, and the page notices it.
  await machine.ok(["join", line, "--name", "rex"]);
  await page.getByRole("status").getByText("rex", { exact: true }).waitFor();
  await page.getByRole("navigation", { name: "Boards" }).getByText("rex").waitFor();

  await page.getByLabel("Message", { exact: true }).fill("Begin.");
  await page.keyboard.press("Enter");
  await page.getByRole("article").getByText("Begin.").waitFor();
  expect(await page.getByText("Bring agents together").count()).toBe(0);
  await untilItHolds(async () =>
    expect((await machine.ok(["inbox", "--as", "rex"])).stdout).toContain("Begin."),
  );
  // Whoever wrote it goes on writing.
  await page.keyboard.type("And then go on.");
  await page.keyboard.press("Enter");
  await page.getByRole("article").getByText("And then go on.").waitFor();
});

test("whoever sees no board is told how to begin, and a board that appears is there by itself", async () => {
  const olga = await world.person("olga");
  const page = await browser.signedIn(url, olga, "/?show=open");
  await page.getByText("open board to join").first().waitFor();
  await world.admin.call("createBoard", { body: { name: "for-olga", visibility: "private" } });
  await world.admin.call("addPerson", { params: { board: "for-olga" }, body: { handle: "olga" } });
  await page.getByRole("navigation", { name: "Boards" }).getByText("for-olga").waitFor();
});

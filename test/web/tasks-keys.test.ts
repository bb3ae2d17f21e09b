import { expect, test } from "bun:test";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import { docs, guestOn, makeDocs, personOnDocs, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

test("tasks are opened, walked through, started and finished by keys alone", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs");
  await page.getByRole("link", { name: /^Tasks/ }).waitFor();
  /** The row of a task, once it has the focus. */
  const row = (ref: string) => page.locator(`[data-task="${ref}"]:focus`);
  const keys = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name);
  };
  await keys("g", "k");
  await page.getByRole("heading", { name: "No task is open" }).waitFor();
  await keys("c");
  await page.getByLabel("Title", { exact: true }).waitFor();
  await page.keyboard.type("Count the stars");
  await keys("Enter");
  const first = page.getByRole("complementary", { name: "Task DOC-1" });
  await first.getByRole("heading", { name: "Count the stars" }).waitFor();
  await openTask(ben, "Name them");
  await page.getByRole("link", { name: /Name them/ }).waitFor();
  await keys("Escape", "j", "j", "j");
  await row("DOC-2").waitFor();
  await keys("k");
  await row("DOC-1").waitFor();
  await keys("j", "Enter");
  await page.getByRole("heading", { name: "Name them" }).waitFor();
  await page.locator("h3:focus", { hasText: "Name them" }).waitFor();
  await keys("Escape");
  await row("DOC-2").waitFor();
  await keys("s");
  await page.getByRole("region", { name: "In progress" }).getByText("Name them").waitFor();
  await row("DOC-2").waitFor();
  await keys("d");
  await page.getByLabel("What came of it").waitFor();
  await page.keyboard.type("They have names.");
  await keys("Control+Enter");
  await page.getByRole("region", { name: "Closed" }).getByText("They have names.").waitFor();
  const stored = () => world.admin.call("getTask", task(2));
  await untilStored(stored, { state: "done", owner: { name: "ana" } });
});

test("keys that follow one another at once mean what they mean one by one", async () => {
  const one = await openTask(ben, "The first of two");
  const two = await openTask(ben, "The second of two");
  const page = await browser.signedIn(url, world.admin, "/b/docs/tasks");
  /** Presses keys faster than frames are drawn, and gives what has the focus some frames later. */
  const atOnce = (...names: string[]) =>
    page.evaluate(async (pressed) => {
      for (const key of pressed) {
        const at = document.activeElement ?? document.body;
        at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      const { activeElement: focused } = document;
      return focused?.getAttribute("data-task") ?? focused?.localName;
    }, names);
  await page.locator(`[data-task="${one.ref}"]`).click();
  await page.locator("h3:focus").waitFor();
  expect(await atOnce("Escape")).toBe(one.ref);
  await page.locator(`[data-task="${one.ref}"]`).click();
  await page.locator("h3:focus").waitFor();
  expect(await atOnce("Escape", "j")).toBe(two.ref);
  expect(await atOnce("k", "c")).toBe("input");
});

test("the layout is remembered, and a filter is a part of the address", async () => {
  const one = await openTask(world.admin, "Mine it is");
  await world.admin.call("startTask", task(one.ref));
  const other = await openTask(world.admin, "His it is");
  await scout.call("startTask", task(other.ref));
  const page = await browser.signedIn(url, world.admin, "/b/docs/tasks");
  const links = (name: string) => page.getByRole("main").getByRole("link", { name });
  await links("Mine it is").waitFor();
  await page.keyboard.press("v");
  await page.getByRole("button", { name: "Columns", pressed: true }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Columns", pressed: true }).waitFor();
  await page.getByRole("link", { name: /^Yours/ }).click();
  await links("His it is").waitFor({ state: "detached" });
  expect(page.url()).toEndWith("?show=mine");
  await links("Mine it is").click();
  await page.getByRole("complementary").waitFor();
  expect(page.url()).toEndWith(`/${one.ref}?show=mine`);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByLabel("Owner").selectOption("scout");
  await links("Mine it is").waitFor({ state: "detached" });
  await links("His it is").waitFor();
  await page.goBack();
  await page.goto(`${url}/b/docs/tasks?show=held`);
  await page.getByRole("button", { name: "Show all tasks" }).click();
  await links("Mine it is").waitFor();
});

test("a guest and everybody on an archived board read tasks, and are offered no acts", async () => {
  const { ref } = await openTask(world.admin, "To be read", { about: "All of it" });
  const guest = await guestOn(world, "gus");
  const reads = async (page: Awaited<ReturnType<typeof browser.signedIn>>) => {
    const panel = page.getByRole("complementary", { name: `Task ${ref}` });
    await panel.getByText("All of it").waitFor();
    expect(await panel.getByRole("button").count()).toBe(1);
    expect(await page.getByRole("button", { name: /New task/ }).count()).toBe(0);
    await page.keyboard.press("c");
    await page.keyboard.press("d");
    expect(await page.getByRole("dialog").count()).toBe(0);
  };
  await reads(await browser.signedIn(url, guest, `/b/docs/tasks/${ref}`));
  await world.admin.call("archiveBoard", docs);
  await reads(await browser.signedIn(url, ben, `/b/docs/tasks/${ref}`));
  await world.admin.call("restoreBoard", docs);
});

test("a task that is not there, and tasks that cannot be read, say what to do", async () => {
  const page = await browser.signedIn(
    url,
    world.admin,
    "/b/docs/tasks/DOC-999",
    {},
    /404|500|Failed/,
  );
  await page.getByRole("heading", { name: "There is no task DOC-999 here" }).waitFor();
  await world.admin.call("createBoard", { body: { name: "quiet" } });
  await page.goto(`${url}/b/quiet`);
  await page.getByRole("navigation").getByText("live", { exact: true }).waitFor();
  let fails = true;
  server.between = (request, answer) =>
    fails && new URL(request.url).pathname === "/v1/boards/quiet/tasks" && request.method === "GET"
      ? Promise.resolve(
          Response.json(
            { error: { code: "internal", message: "The server failed.", hint: "Try again." } },
            { status: 500 },
          ),
        )
      : answer();
  await page.getByRole("link", { name: /^Tasks/ }).click();
  await page.getByText("The tasks could not be read.").waitFor();
  fails = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "No task is open" }).waitFor();
});

test("what others wrote is shown as its characters, whatever it holds", async () => {
  const evil = "<img src=x onerror=alert(1)> \u202Eevil";
  const { ref } = await openTask(scout, evil, {
    about: "<script>alert(1)</script> [x](javascript:1)",
  });
  await scout.call("startTask", task(ref));
  await scout.call("updateTask", {
    ...task(ref),
    body: { stands: "\u202Ereversed <b>not bold</b>" },
  });
  const page = await browser.signedIn(url, world.admin, `/b/docs/tasks/${ref}`);
  const panel = page.getByRole("complementary", { name: `Task ${ref}` });
  await panel.getByRole("heading", { name: "<img src=x onerror=alert(1)> [U+202E]evil" }).waitFor();
  await panel.getByText("<script>alert(1)</script>").waitFor();
  expect(await page.locator(".app img, .app script, .md b, a[href^=javascript]").count()).toBe(0);
  const row = page.getByRole("main").getByRole("link", { name: new RegExp(ref) });
  expect(await row.innerText()).toContain("[U+202E]reversed <b>not bold</b>");
});

test("axe finds nothing, and nothing is wider than the window", async () => {
  const long = "W".repeat(120);
  const { ref } = await openTask(scout, long, { about: `${long}${long}` });
  await scout.call("startTask", task(ref));
  const page = await browser.signedIn(url, world.admin, `/b/docs/tasks/${ref}`);
  await page.getByText("Where it stands").waitFor();
  await holdsInEachLook(page, "task");
  await page.goto(`${url}/b/docs/tasks`);
  await page.getByRole("link", { name: /WWW/ }).waitFor();
  await holdsInEachLook(page, "list");
  await page.keyboard.press("v");
  await holdsInEachLook(page, "columns");
  await page.keyboard.press("c");
  await page.getByLabel("Title", { exact: true }).waitFor();
  await holdsInEachLook(page, "new task");
});

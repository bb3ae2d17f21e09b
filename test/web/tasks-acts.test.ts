import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import { docs, makeDocs, personOnDocs, post, seatOnDocs } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";
import { untilStored } from "../support/web/stored.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

/** A task of this name, opened in the browser of a person. */
async function opened(title: string, person = world.admin, expected = /^$/) {
  const { ref } = await openTask(world.admin, title, { about: "All of it." });
  const page = await browser.signedIn(url, person, `/b/docs/tasks/${ref}`, {}, expected);
  const panel = page.getByRole("complementary", { name: `Task ${ref}` });
  await panel.getByRole("heading", { name: title }).waitFor();
  const press = (name: string | RegExp) => panel.getByRole("button", { name }).click();
  const now = () => world.admin.call("getTask", task(ref));
  return { ref, page, panel, press, now };
}
/** Waits until the server has answered an act. It is shown before that. */
const answered = (page: Page, act: string) =>
  page.waitForResponse((answer) => answer.url().endsWith(`/${act}`));
const expectValue = (field: Locator, value: string) =>
  untilTrue(async () => (await field.inputValue()) === value, value);
const fromMenu = async (page: Page, name: string | RegExp) => {
  await page.getByRole("button", { name: "Task menu" }).click();
  await page.getByRole("menuitem", { name }).click();
};

test("a person starts a task, gives it up with a reason, takes part, and finishes it with a note", async () => {
  const { ref, page, panel, press, now } = await opened("Write the guide");
  await press(/^Start/);
  await panel.getByRole("button", { name: "Give up" }).click();
  await page.getByLabel("Why, if others should know").fill("No time this week");
  await page.getByRole("dialog").getByRole("button", { name: "Give up" }).click();
  await panel.getByRole("button", { name: /^Start/ }).waitFor();
  const joined = answered(page, "join");
  await press("take part");
  await joined;
  await panel.getByRole("button", { name: "Stop helping" }).waitFor();
  expect((await now()).with.map(({ name }) => name)).toEqual(["ana"]);
  await press("Stop helping");
  await panel.getByRole("button", { name: "take part" }).waitFor();
  await press(/^Start/);
  await press(/^Done/);
  // Without a note nothing is sent.
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  await page.getByLabel("What came of it").fill("It is **on** the site");
  const finished = answered(page, "done");
  await page.keyboard.press("Control+Enter");
  await finished;
  await panel.getByRole("heading", { name: "What came of it" }).waitFor();
  await page
    .getByRole("region", { name: "Closed" })
    .getByRole("link", { name: new RegExp(ref) })
    .waitFor();
  expect(await now()).toMatchObject({ state: "done", closed_note: "It is **on** the site" });
  expect(await panel.getByRole("button", { name: /Start|Done|Give up|Take/ }).count()).toBe(0);
});

test("an agent's task is taken over, freed, and cancelled", async () => {
  const { ref, page, panel, press, now } = await opened("Sort the shelves");
  await scout.call("startTask", task(ref));
  const taken = answered(page, "start");
  await press("Take it over");
  await taken;
  await panel.getByRole("button", { name: "Give up" }).waitFor();
  expect((await now()).owner?.name).toBe("ana");
  await scout.call("joinTask", task(ref));
  await panel.getByText("scout").first().waitFor();
  const freed = answered(page, "drop");
  await fromMenu(page, "Take scout off it");
  await freed;
  await panel.getByText("nobody", { exact: true }).waitFor();
  expect((await now()).with).toEqual([]);
  await fromMenu(page, "Cancel the task");
  await page.getByLabel("Why it is not needed").fill("No shelves left");
  const cancelled = answered(page, "done");
  await page.getByRole("button", { name: "Cancel the task" }).click();
  await cancelled;
  await panel.getByRole("heading", { name: "Why it was cancelled" }).waitFor();
  expect((await now()).state).toBe("cancelled");
});

test("title and texts are changed where they stand, and two who write one learn of each other", async () => {
  const { ref, page, panel, now } = await opened("Mend the roof", ben, /409/);
  await fromMenu(page, "Change its title");
  await panel.getByLabel("Title").fill("Mend the whole roof");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("heading", { name: "Mend the whole roof" }).waitFor();
  await panel.getByRole("button", { name: "Change what it is about" }).click();
  // Escape leaves the field, and the panel stays.
  await page.keyboard.press("Escape");
  await panel.getByText("All of it.").waitFor();
  await panel.getByRole("button", { name: "Change what it is about" }).click();
  await panel.getByLabel("About").fill("The north side first.");
  await page.keyboard.press("Control+Enter");
  await panel.getByText("The north side first.").waitFor();

  await panel.getByRole("button", { name: "Write where it stands" }).click();
  await panel.getByRole("textbox", { name: "Where it stands" }).fill("Half is mended.");
  await world.admin.call("updateTask", { ...task(ref), body: { stands: "Rain stopped it." } });
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByText("ana was quicker: “Rain stopped it.”").waitFor();
  expect((await now()).stands?.text).toBe("Rain stopped it.");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByRole("paragraph").filter({ hasText: "Half is mended." }).waitFor();
  expect((await now()).stands).toMatchObject({ text: "Half is mended.", version: 2 });
});

test("what was being written about a task is there when its writer comes back, and saved or given up it is gone", async () => {
  const { ref, page, panel, now } = await opened("Paint the fence", ben);
  await panel.getByRole("button", { name: "Change what it is about" }).click();
  await panel.getByLabel("About").fill("Green, as the");
  await panel.getByRole("button", { name: "Write where it stands" }).click();
  await panel.getByRole("textbox", { name: "Where it stands" }).fill("One side is");
  await panel.getByRole("link", { name: "Close (Escape)" }).click();
  await page.getByRole("link", { name: new RegExp(ref) }).click();
  await expectValue(panel.getByLabel("About"), "Green, as the");
  await page.reload();
  await expectValue(panel.getByRole("textbox", { name: "Where it stands" }), "One side is");
  await panel.getByRole("textbox", { name: "Where it stands" }).fill("One side is done");
  await page.keyboard.press("Control+Enter");
  await panel.getByRole("paragraph").filter({ hasText: "One side is done" }).waitFor();
  await panel.getByRole("button", { name: "Cancel" }).click();
  await panel.getByText("All of it.").waitFor();
  await page.reload();
  await panel.getByText("All of it.").waitFor();
  expect(await panel.getByRole("textbox").count()).toBe(0);
  expect([(await now()).about?.text, (await now()).stands?.text]).toEqual([
    "All of it.",
    "One side is done",
  ]);
});

test("what holds a task up is answered beside it, and the task goes on", async () => {
  const { ref, page, panel } = await opened("Choose the colour");
  await scout.call("startTask", task(ref));
  await post(scout, { body: "Which colour?", to: ["@ana"], ask: { options: ["Red", "Blue"] } });
  const row = page.getByRole("link", { name: new RegExp(`${ref}.*waits on you`) });
  await row.waitFor();
  await panel.getByRole("button", { name: /Blue/ }).click();
  await panel.getByText("Holds it up").waitFor({ state: "detached" });
  await row.waitFor({ state: "detached" });
  const query = { board: "docs", state: "answered" } as const;
  const asks = async () => (await world.admin.call("listAsks", { query })).asks;
  await untilStored(asks, [{ ask: { answer_option: 2 } }]);
});

test("an act whose answer was lost is done once when it is tried again", async () => {
  const { ref, page, press, now } = await opened("Feed the cat", world.admin, /ERR_|502|500/);
  let lost = 0;
  await page.route("**/tasks/*/start", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await press(/^Start/);
  const again = answered(page, "start");
  await page.getByRole("button", { name: "Try again" }).click();
  await again;
  await page.getByRole("complementary").getByRole("button", { name: "Give up" }).waitFor();
  expect((await now()).owner?.name).toBe("ana");
  const { events } = await world.admin.call("listEvents", { ...docs, query: { limit: 200 } });
  const starts = events.filter(
    ({ type, data }) => type === "task.started" && data?.["ref"] === ref,
  );
  expect(starts).toHaveLength(1);
});

test("acts meet what others did meanwhile, and say so", async () => {
  const { ref, page, panel, press, now } = await opened("Paint the door", ben, /409/);
  await panel.getByRole("button", { name: /^Start/ }).waitFor();
  // What ana does is not known to the page of ben yet: it is held back on its way.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.between = async (request, answer) => {
    const isStart = request.method === "POST" && request.url.endsWith("/start");
    if (isStart && request.headers.get("cookie")) await held;
    return answer();
  };
  await press(/^Start/);
  await world.admin.call("finishTask", { ...task(ref), body: { note: "Done already" } });
  release();
  await page.getByText(`${ref} was finished meanwhile.`).waitFor();
  await panel.getByText("Done already").waitFor();
  expect((await now()).owner).toBeNull();
  server.between = (_, answer) => answer();
});

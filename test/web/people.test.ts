import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Client } from "../../src/client/client.ts";
import { docs, guestOn, makeDocs, personOnDocs, setPolicy } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holds, holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world, { template: "writer-reviewer", title: "The handbook" });
const ana = world.admin;
const ben = await personOnDocs(world, "ben");
await world.person("cleo");
const ada = await world.seat(ana, "docs", { name: "ada", role: "writer", harness: "claude-code" });
await ada.call("setAgentLocation", {
  body: { harness: "claude-code", session_id: "one", folder: "/home/ana/handbook" },
});
await ada.call("setPresence", { body: { presence: "working" } });
const { ref } = await ada.call("createTask", { ...docs, body: { title: "Write the index" } });
await ada.call("startTask", { params: { board: "docs", task: ref } });
const dex = await world.seat(ben, "docs", { name: "dex", role: "reviewer", harness: "codex" });
await dex.call("setPresence", { body: { presence: "idle" } });

const at = "/b/docs/people";
/** Pages of who was removed ask for the board once more. */
const outside = /403/;
const signedInAs = (person: Client, path = at) => browser.signedIn(url, person, path, {}, outside);
const group = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rowOf = (page: Page, agent: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(agent, { exact: true }) });
/** Opens the menu of somebody, and gives what it offers. */
async function offered(page: Page, whose: string): Promise<string[]> {
  await page.getByRole("button", { name: `Menu of ${whose}`, exact: true }).click();
  return page.getByRole("menuitem").allInnerTexts();
}
const choose = async (page: Page, whose: string, item: string) => {
  await page.getByRole("button", { name: `Menu of ${whose}`, exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const memberNamed = async (name: string) =>
  (await ana.call("listMembers", docs)).members.find((one) => one.name === name)!;

test("each person has a group with their agents: what they do, and where, for their person alone", async () => {
  const page = await signedInAs(ana);
  const own = group(page, "ana").getByRole("listitem");
  await own.getByText("claude-code · writer").waitFor();
  await own.getByText("working", { exact: true }).waitFor();
  await own.getByRole("link", { name: ref }).waitFor();
  await own.getByText("Write the index").waitFor();
  await own.getByText("/home/ana/handbook").waitFor();
  await group(page, "ben").getByText("codex · reviewer").waitFor();
  await group(page, "ben")
    .getByText(/^idle since/)
    .waitFor();

  const bens = await signedInAs(ben);
  await group(bens, "ana").getByText("Write the index").waitFor();
  expect(await bens.getByText("/home/ana/handbook").count()).toBe(0);
  // Presence comes by the stream.
  await dex.call("setPresence", { body: { presence: "waiting" } });
  await group(bens, "ben").getByText("waits in its session").waitFor();
  await group(page, "ben").getByText("waits in its session").waitFor();
});

test("menus offer what the reader may do, and nothing that would be refused", async () => {
  const page = await signedInAs(ana);
  expect(await offered(page, "ada")).toEqual([
    "What wakes it…",
    "Say what it does…",
    "Pause it…",
    "Clear its line",
    "Remove it…",
  ]);
  await page.keyboard.press("Escape");
  expect(await offered(page, "dex")).toEqual(["Remove it…"]);
  await page.keyboard.press("Escape");
  expect(await offered(page, "ben")).toEqual(["Make an owner…", "Remove from the board…"]);
  // The only owner can neither leave nor be removed.
  expect(await page.getByRole("button", { name: "Menu of ana", exact: true }).count()).toBe(0);

  const bens = await signedInAs(ben);
  expect(await offered(bens, "ben")).toEqual(["Leave the board…"]);
  await bens.keyboard.press("Escape");
  expect(await bens.getByRole("button", { name: "Menu of ada", exact: true }).count()).toBe(0);
  expect(await bens.getByRole("button", { name: "Change the rules" }).count()).toBe(0);
  expect(await bens.getByRole("button", { name: /^Archive, visibility/ }).count()).toBe(0);
});

test("what wakes an own agent is set by the keyboard alone", async () => {
  const page = await signedInAs(ana);
  await page.getByRole("button", { name: "Menu of ada", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.locator('[role="menuitem"]:focus').getByText("What wakes it…").waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "What wakes ada" });
  await dialog.waitFor();
  await holds(page);
  await dialog.getByRole("radio", { name: /It wakes on what concerns it/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Set it" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await rowOf(page, "ada").getByText("wakes on people only").waitFor();
  expect((await memberNamed("ada")).delivery_mode).toBe("humans");
  // The focus is where it came from.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  expect(await focused()).toBe("Menu of ada");
});

test("an own agent's line is set, paused until a time and ended, and others see it", async () => {
  const page = await signedInAs(ana);
  const bens = await signedInAs(ben);
  await choose(page, "ada", "Say what it does…");
  const field = page.getByRole("textbox", { name: "What it does" });
  await field.fill("Sorting the index");
  await field.press("Enter");
  await rowOf(bens, "ada").getByText("Sorting the index").waitFor();

  await choose(page, "ada", "Pause it…");
  await page.getByRole("textbox", { name: "What it waits for" }).fill("The printer");
  await page.getByRole("combobox", { name: "For how long" }).selectOption("15 minutes");
  await page.getByRole("button", { name: "Pause ada" }).click();
  await rowOf(bens, "ada")
    .getByText(/^paused until \d\d:\d\d$/)
    .waitFor();
  await rowOf(bens, "ada").getByText("The printer").waitFor();
  const { line } = await memberNamed("ada");
  const minutes = (Date.parse(line!.until!) - world.clock.now.getTime()) / 60_000;
  expect(Math.abs(minutes - 15)).toBeLessThan(3);

  await choose(page, "ada", "End its pause");
  await rowOf(bens, "ada").getByText("The printer").waitFor({ state: "detached" });
  expect((await memberNamed("ada")).line).toBeNull();
});

test("a line is made for an agent, shows who came with it, and is taken back", async () => {
  const page = await signedInAs(ana);
  await page.getByRole("link", { name: "Add an agent" }).click();
  const panel = page.getByRole("complementary", { name: "Add an agent" });
  expect(await panel.getByRole("combobox", { name: "Role" }).inputValue()).toBe("reviewer");
  await panel.getByRole("combobox", { name: "Role" }).selectOption({ value: "writer" });
  await panel.getByRole("combobox", { name: "Works for" }).selectOption("1 hour");
  await panel.getByRole("button", { name: "Make a line" }).first().click();
  const line = await panel
    .getByText(/^Join service board docs on \S+ as writer with code /)
    .innerText();
  await panel.getByText(`service join "${line}"`, { exact: true }).waitFor();
  await panel.getByText("Waiting for it to join…").waitFor();
  const [code] = /\S+$/.exec(line)!;
  await panel.getByText(/^writer, made by you/).waitFor();

  await ana.call("join", { body: { code, name: "eve", harness: "opencode" } });
  await panel.getByText("joined as writer, in opencode").waitFor();
  await group(page, "ana").getByText("eve", { exact: true }).waitFor();
  await panel.getByText("1 agent came").waitFor();

  await panel.getByRole("button", { name: /^Revoke the code of writer/ }).click();
  await panel.getByText(/^writer, made by you/).waitFor({ state: "detached" });
  expect((await ana.call("listJoinCodes", docs)).join_codes).toEqual([]);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe(at);
});

test("a guest gets a line for this board alone; a handle that cannot be is said to be none", async () => {
  const page = await signedInAs(ana, `${at}/add-agent`);
  const panel = page.getByRole("complementary", { name: "Add an agent" });
  const field = panel.getByRole("textbox", { name: "Handle of the guest" });
  await field.fill("Tomas B.");
  await field.press("Enter");
  await panel.getByText("A handle has lowercase letters, digits and single dashes.").waitFor();
  await field.fill("tomas");
  await field.press("Enter");
  const line = await panel
    .getByText(/^service join "Join service board docs .* as guest /)
    .innerText();
  await panel.getByText("Waiting for tomas…").waitFor();
  const [, code = ""] = /code (\S+)"$/.exec(line)!;
  await world.as().call("guestJoin", { body: { code, key_name: "machine" } });
  await panel.getByText("tomas is here.").waitFor();
  await group(page, "tomas").getByText(/guest/).waitFor();
  expect(await offered(page, "tomas")).toEqual(["Remove from the board…"]);
});

test("a person of the server is added, found by a few letters; one from outside by a command", async () => {
  const page = await signedInAs(ana, `${at}/add-person`);
  const panel = page.getByRole("complementary", { name: "Add a person" });
  const people = panel.getByRole("list", { name: "People who can be added" });
  await people.getByText("cleo").waitFor();
  await panel.getByRole("searchbox", { name: /^People on/ }).fill("zz");
  await panel.getByText("Nobody is called like that.").waitFor();
  await panel.getByRole("searchbox", { name: /^People on/ }).fill("cl");
  await people.getByRole("button", { name: "Add cleo" }).click();
  await group(page, "cleo").waitFor();
  await panel.getByText("service invite --person --board docs", { exact: true }).waitFor();

  const bens = await signedInAs(ben, `${at}/add-person`);
  await bens.getByText("An admin of the server invites them first.").waitFor();
});

test("the rules are sentences, and an owner changes them by a preset and what departs from it", async () => {
  await setPolicy(world, { preset: "starter" });
  const page = await signedInAs(ana);
  await page.getByText("Everybody on the board reads everything", { exact: true }).waitFor();
  await page.getByText("Every agent may write to all", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Change the rules" }).click();
  const dialog = page.getByRole("dialog", { name: "The rules of docs" });
  await dialog.getByRole("radio", { name: /^Agents are addressed/ }).check();
  await dialog.getByRole("checkbox", { name: /^Every agent may write to all/ }).check();
  await holds(page);
  await dialog.getByRole("button", { name: "Set the rules" }).click();
  await page
    .getByText("People read everything, agents what is addressed to them", { exact: true })
    .waitFor();
  await page.getByText("Every agent may write to all", { exact: true }).waitFor();
  const { policy } = await ana.call("getBoard", docs);
  expect(policy).toMatchObject({ preset: "recommended", overrides: ["broadcast"] });

  await page.getByRole("button", { name: "Title", exact: true }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("The handbook, second edition");
  await page.getByRole("textbox", { name: "Letters before a task’s number" }).fill("hbk");
  await page.keyboard.press("Enter");
  await page.locator(".head").getByText("The handbook, second edition").waitFor();
  await page.getByText("New ones begin with HBK").waitFor();
});

test("a person is made an owner, and then may leave", async () => {
  const page = await signedInAs(ana);
  await choose(page, "cleo", "Make an owner…");
  await page.getByRole("button", { name: "Make an owner" }).click();
  await group(page, "cleo").getByText("owner of the board").waitFor();
  expect(await offered(page, "ana")).toEqual(["Leave the board…"]);
});

test("removing an agent says what ends with it; who left is listed", async () => {
  const page = await signedInAs(ana);
  await choose(page, "ada", "Remove it…");
  const dialog = page.getByRole("dialog", { name: "Remove ada from docs?" });
  await dialog.getByText(new RegExp(`${ref} is open again\\. What it wrote stays\\.$`)).waitFor();
  // Enter does no harm: the focus is on the button that keeps it.
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect((await memberNamed("ada")).status).toBe("active");
  await choose(page, "ada", "Remove it…");
  await dialog.getByRole("button", { name: "Remove ada" }).click();
  await page
    .getByRole("button", { name: "Menu of ada", exact: true })
    .waitFor({ state: "detached" });
  await page.getByText("1 agent that left").click();
  await page.getByText(/ana’s · removed by its person/).waitFor();
});

test("removing a person says which agents, tasks and codes end with them", async () => {
  const { ref: held } = await dex.call("createTask", { ...docs, body: { title: "Proofread" } });
  await dex.call("startTask", { params: { board: "docs", task: held } });
  await ben.call("createJoinCode", { ...docs, body: { role: "reviewer" } });
  const page = await signedInAs(ana);
  await choose(page, "ben", "Remove from the board…");
  const dialog = page.getByRole("dialog", { name: "Remove ben from docs?" });
  await dialog
    .getByText(
      `Their 1 agent ends here for good: dex. ${held} is open again. 1 join code stops working.`,
    )
    .waitFor();
  await dialog.getByText("The board is open: they can join it again by themselves.").waitFor();
  await dialog.getByRole("button", { name: "Remove ben" }).click();
  await group(page, "ben").waitFor({ state: "detached" });
  const { members } = await ana.call("listMembers", docs);
  expect(members.map(({ name }) => name)).not.toContain("dex");
});

test("a guest reads who is there, and is offered nothing that guests may not do", async () => {
  const vera = await guestOn(world, "vera");
  const page = await signedInAs(vera);
  await group(page, "vera")
    .getByText(/you · guest/)
    .waitFor();
  expect(await page.getByRole("link", { name: "Add an agent" }).count()).toBe(0);
  expect(await offered(page, vera.agent.name)).toEqual(["Say what it does…", "Pause it…"]);
  await page.keyboard.press("Escape");
  expect(await offered(page, "vera")).toEqual(["Leave the board…"]);
});

test("a person leaves, and stands where their boards are", async () => {
  const page = await signedInAs(ana);
  await choose(page, "ana", "Leave the board…");
  const dialog = page.getByRole("dialog", { name: "Leave docs?" });
  await dialog.getByText(/^Your 1 agent ends here for good: eve\./).waitFor();
  await dialog.getByRole("button", { name: "Leave docs" }).click();
  await page.getByText("You have left docs.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

test("people, their panels and dialogs hold in every size and both schemes", async () => {
  await ana.call("createBoard", { body: { name: "looks" } });
  await world.seat(ana, "looks", { name: "an-agent-whose-name-has-all-its-letters", harness: "h" });
  const place = "/b/looks/people";
  const page = await browser.signedIn(url, ana, place);
  await group(page, "ana").waitFor();
  await page.getByText("The role of agents").click();
  await holdsInEachLook(page, "people");
  await page.getByRole("button", { name: "Title", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await holdsInEachLook(page, "title");
  await page.goto(`${url}${place}/add-agent`);
  await page.getByRole("button", { name: "Make a line" }).first().click();
  await page.getByText("Waiting for it to join…").waitFor();
  await holdsInEachLook(page, "add an agent");
  await page.goto(`${url}${place}/add-person`);
  await page.getByRole("list", { name: "People who can be added" }).waitFor();
  await holdsInEachLook(page, "add a person");
});

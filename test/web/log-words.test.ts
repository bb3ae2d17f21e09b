import { expect, test } from "bun:test";
import { eventTypes, type EventType } from "../../src/contract/log.ts";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import {
  docs,
  eventsOf,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
  setPolicy,
} from "../support/boards/docs-board.ts";
import { markRestored } from "../support/restores.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
const { admin: ana } = world;

/** What the timeline says of each kind of event. Null where the event is seen anyway: on a message, or on another page. */
const words: Record<EventType, RegExp | null> = {
  "board.created": /ana made the board$/,
  "board.titled": /ana gave the board the title “The handbook”/,
  "board.policy_changed": /ana changed the board’s policy/,
  "board.agents_add_people_changed": /ana lets agents add people no more/,
  "board.visibility_changed": /ana made the board private/,
  "board.archived": /ana archived the board/,
  "board.restored": /ana restored the board/,
  "board.deleted": null,
  "board.rolled_back": /The server was restored from a backup/,
  "board.imported": null,
  "board.moved": /The board has moved to https:\/\/other\.example/,
  "board.task_prefix_set": /ana gave tasks the letters HBK/,
  "member.joined": /ana (joined|brought rex and fox)$/,
  "person.added": /ana added ben/,
  "person.renamed":
    /(cleo|clio) changed their name from cleo to clio$|ana renamed clio to cleopatra$/,
  "person.removed": /ana removed ben/,
  "person.left": /cleopatra left/,
  "person.made_owner": /ana made ben an owner/,
  "agent.removed": /ana removed rex/,
  "agent.left": /fox left/,
  "agent.delivery_changed": null,
  "joincode.created": null,
  "joincode.revoked": null,
  "message.posted": null,
  "ask.withdrawn": null,
  "reaction.added": null,
  "reaction.removed": null,
  "task.created": /ana opened DOC-1 Write the index/,
  // A task that its opener starts at once has one line.
  "task.started": /rex started DOC-1 Write the index$|ana started DOC-2 Print it$/,
  "task.joined": /ben joined DOC-1 Write the index/,
  "task.updated": null,
  "task.done": /ana finished DOC-2 Print it: “It is printed”/,
  "task.dropped": /ben stopped helping on DOC-1 Write the index: “No time”/,
  "file.version_added": null,
  "file.updated": null,
  "file.renamed": /ana renamed notes\.md to words\.md/,
  "file.removed": /ana removed words\.md/,
  "file.approved": /ana approved (words\.md version 1|version 1 of a file)/,
  "file.approval_removed":
    /ana took back the approval of (words\.md version 1|version 1 of a file)/,
};
/** Of what a board on this server cannot have in its log while it is read here. `imported-board.test.ts` shows an import. */
const elsewhere = ["ask.withdrawn", "board.deleted", "board.imported"];

/** Does everything that a log has an event for. */
async function doEverything() {
  await makeDocs(world);
  const ben = await personOnDocs(world, "ben");
  const cleo = await personOnDocs(world, "cleo");
  const [rex, fox] = [await seatOnDocs(world, "rex"), await seatOnDocs(world, "fox")];
  const update = (body: object) => ana.call("updateBoard", { ...docs, body });
  const said = await post(ana, "Let us begin.");
  const reaction = { params: { message: said.id, reaction: "tada" as const } };
  await ben.call("addReaction", reaction);
  await ben.call("removeReaction", reaction);
  await update({ title: "The handbook" });
  await setPolicy(world, { preset: "recommended" });
  await update({ agents_add_people: false });
  await openTask(ana, "Write the index");
  await rex.call("startTask", task(1));
  await ben.call("joinTask", task(1));
  await rex.call("updateTask", { ...task(1), body: { stands: "Half of it." } });
  await ben.call("dropTask", { ...task(1), body: { reason: "No time" } });
  await openTask(ana, "Print it", { start: true });
  await ana.call("finishTask", { ...task(2), body: { note: "It is printed" } });
  await update({ task_prefix: "HBK" });
  await ana.upload({ ...docs, query: { name: "notes.md" } }, new Blob(["One\n"]));
  const notes = { params: { board: "docs", file: "notes.md" } };
  await ana.call("updateFile", { ...notes, body: { maintained: true } });
  await ana.call("approveFile", { ...notes, body: { version: 1 } });
  await ana.call("removeFileApproval", notes);
  await ana.call("updateFile", { ...notes, body: { name: "words.md" } });
  await ana.call("removeFile", { params: { board: "docs", file: "words.md" } });
  const code = await ana.call("createJoinCode", { ...docs, body: { role: "member" } });
  await ana.call("revokeJoinCode", { params: { board: "docs", join_code: code.id } });
  const member = { params: { board: "docs", member: "rex" } };
  await ana.call("setDeliveryMode", { ...member, body: { mode: "off" } });
  await fox.call("leaveAsAgent");
  await ana.call("removeAgent", member);
  await cleo.call("renamePerson", { params: { handle: "cleo" }, body: { handle: "clio" } });
  await ana.call("renamePerson", { params: { handle: "clio" }, body: { handle: "cleopatra" } });
  await cleo.call("leaveBoard", docs);
  await ana.call("addOwner", { params: { board: "docs" }, body: { handle: "ben" } });
  await ana.call("removePerson", { params: { board: "docs", handle: "ben" } });
  await ana.call("setVisibility", { ...docs, body: { visibility: "private" } });
  await ana.call("archiveBoard", docs);
  await ana.call("restoreBoard", docs);
  await markRestored(world.db);
  await ana.call("archiveBoard", docs);
  const { head_seq: seq, id: board_id } = await ana.call("getBoard", docs);
  const { hash } = (await eventsOf(ana)).at(-1)!;
  const to = { server: "https://other.example", board_id };
  await ana.call("moveBoard", { ...docs, body: { ...to, head: { seq, hash } } });
}

test("every kind of event of a board's log has its words in the timeline, or is seen anyway", async () => {
  expect(Object.keys(words).sort()).toEqual(Object.keys(eventTypes()).sort());
  await doEverything();
  const events = await eventsOf(ana);
  const absent = Object.keys(eventTypes()).filter(
    (type) => !events.some((one) => one.type === type),
  );
  expect(absent.sort()).toEqual(elsewhere);

  const page = await browser.signedIn(url, ana, "/b/docs");
  await page.getByText("The server was restored from a backup").waitFor();
  const feed = page.getByRole("feed");
  await feed.getByText("ana made the board").first().scrollIntoViewIfNeeded();
  const lines = await feed.locator("article.quiet").allInnerTexts();
  const said = lines.map((line) => line.replaceAll(/\s+/g, " ").trim());
  const unsaid = Object.entries(words).filter(
    ([, text]) => text !== null && !said.some((line) => text.test(line)),
  );
  expect(unsaid).toEqual([]);
  // What an event says without a line of its own is no line at all.
  expect(said.filter((line) => !Object.values(words).some((text) => text?.test(line)))).toEqual([]);
});

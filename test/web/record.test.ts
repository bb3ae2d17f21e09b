import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventsOf, makeDocs, personOnDocs, post, setPolicy } from "../support/boards/docs-board.ts";
import { hashOf, type LogEvent } from "../support/log-chain.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holds } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
for (let i = 1; i <= 230; i++) await post(ben, `Message ${i}`);
const honest = server.between;
afterEach(() => {
  server.between = honest;
});

const open = () => browser.signedIn(url, world.admin, "/b/docs/people");
const record = (page: Page) => page.getByRole("region", { name: "The record" });
/** Presses a button of the record, and gives the sentence that follows. */
async function said(page: Page, button: string, beginning: RegExp): Promise<string> {
  await record(page).getByRole("button", { name: button, exact: true }).click();
  const sentence = record(page).getByText(beginning);
  await sentence.waitFor();
  return (await record(page).getByRole("status").innerText()).replaceAll(/\s+/g, " ").trim();
}

/** Answers with this log in the place of the server's, and with this generation if one is given. */
function play(log: readonly LogEvent[], generation?: string): void {
  server.between = async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/v1/info" && generation)
      return Response.json({ ...(await (await answer()).json()), generation });
    if (pathname !== "/v1/boards/docs/events") return answer();
    const after = Number(searchParams.get("after"));
    const events = log.filter(({ seq }) => seq > after).slice(0, 200);
    const last = events.at(-1)?.seq ?? after;
    const head_seq = log.at(-1)!.seq;
    const next_after = last < head_seq ? last : null;
    return Response.json({ board: "docs", events, head_seq, next_after, prev_before: null });
  };
}

/** A log whose hashes are right from one place on, whatever its events say. */
function sealedFrom(place: number, log: readonly LogEvent[]): LogEvent[] {
  const sealed = log.slice(0, place - 1);
  for (const event of log.slice(place - 1)) {
    const { id, board_id, type, at, actor, data } = event;
    const [seq, data_hash] = [sealed.length + 1, hashOf(data)];
    const prev_hash = sealed.at(-1)!.hash;
    const hash = hashOf({ id, board_id, seq, type, at, actor, data_hash, prev_hash });
    sealed.push({ ...event, seq, data_hash, prev_hash, hash });
  }
  return sealed;
}

test("every event is hashed in this browser, and the next check goes on from the head that it keeps", async () => {
  const page = await open();
  const log = await eventsOf(world.admin);
  await record(page).getByText("They were not checked in this browser yet").waitFor();
  const first = await said(page, "Check it", /no gap/);
  expect(first).toMatch(
    new RegExp(
      `^${log.length} events, no gap, every hash holds\\. Recomputed in this browser, \\d\\d:\\d\\d today\\.$`,
    ),
  );
  await record(page).getByText(log.at(-1)!.hash, { exact: true }).waitFor();

  await page.reload();
  await record(page).getByText(`${log.length} events, no gap`).waitFor();
  await post(ben, "One more.");
  const asked: string[] = [];
  server.between = (request, answer) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/events")) asked.push(searchParams.get("after")!);
    return answer();
  };
  const next = await said(
    page,
    "Check again",
    /1 event that came since was recomputed in this browser/,
  );
  expect(next).toStartWith(`${log.length + 1} events, no gap, every hash holds.`);
  // The event of the head is read again, and nothing before it but the newest fifty, for what the board shows.
  expect(log.length).toBeGreaterThan(100);
  expect(asked.filter((after) => Number(after) < log.length - 50)).toEqual([]);
  expect(asked).toContain(String(log.length - 1));
  await holds(page);
});

test("a check can be stopped, and goes on from there", async () => {
  const page = await open();
  const held = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  server.between = async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/events") && searchParams.get("after") === "200") {
      isHeld.resolve();
      await held.promise;
    }
    return answer();
  };
  await record(page).getByRole("button", { name: "Check it" }).click();
  await isHeld.promise;
  const progress = record(page).getByRole("progressbar", { name: "Events checked" });
  await record(page)
    .getByText(/^200 of \d+ events checked$/)
    .waitFor();
  expect(await progress.getAttribute("value")).toBe("200");
  await record(page).getByRole("button", { name: "Stop" }).click();
  await record(page).getByText("The first 200 events, no gap, every hash holds.").waitFor();
  server.between = honest;
  held.resolve();
  await said(page, "Check again", /events that came since were recomputed/);
});

test("a record that was changed in the database says where, and holds again when it is put right", async () => {
  const page = await open();
  await said(page, "Check it", /no gap/);
  const { seq } = (await eventsOf(ben)).find(({ data }) => data?.["body"] === "Message 7")!;
  await swapInStorage("Message 7", "Massage 7");
  const sentence = await said(page, "Check all of it", /The record does not hold/);
  expect(sentence).toMatch(
    new RegExp(
      `^The record does not hold at event ${seq}: what the event says was changed after it was recorded\\. Recomputed in this browser, \\d\\d:\\d\\d today\\.`,
    ),
  );
  await record(page)
    .getByText(`The head after event ${seq - 1}.`)
    .waitFor();
  await holds(page);
  await swapInStorage("Massage 7", "Message 7");
  expect(await said(page, "Check again", /no gap/)).toContain("every hash holds");
});

/** Changes the text of a stored message, and no hash. */
async function swapInStorage(before: string, after: string): Promise<void> {
  const changes = await world.db.write((tx) =>
    tx.run(
      "UPDATE event SET data = replace(data, ?1, ?2) WHERE data LIKE '%\"body\":\"' || ?1 || '\"%'",
      ...[before, after],
    ),
  );
  expect(changes).toBe(1);
}

test.each([
  [
    "an event",
    40,
    "the event was changed after it was recorded",
    (event: LogEvent) => ({ ...event, type: "task.created" }),
  ],
  [
    "what an event says",
    215,
    "what the event says was changed after it was recorded",
    (event: LogEvent) => ({ ...event, data: { ...event.data, body: "Massage" } }),
  ],
  [
    "the hash before an event",
    90,
    "it does not follow from the event before it",
    (event: LogEvent) => ({ ...event, prev_hash: event.hash }),
  ],
])("a server that changes %s is found by this browser", async (_, seq, reason, change) => {
  const log = await eventsOf(world.admin);
  const page = await open();
  play(log.map((event) => (event.seq === seq ? (change(event) as LogEvent) : event)));
  expect(await said(page, "Check it", /does not hold/)).toStartWith(
    `The record does not hold at event ${seq}: ${reason}.`,
  );
});

test("a server that leaves an event out is found by this browser", async () => {
  const log = await eventsOf(world.admin);
  const page = await open();
  play(log.filter(({ seq }) => seq !== 120));
  expect(await said(page, "Check it", /does not hold/)).toStartWith(
    "The record does not hold at event 120: an event is missing there.",
  );
});

test("a record that was written anew, with hashes that are right, is found by the head that this browser kept", async () => {
  const log = await eventsOf(world.admin);
  const page = await open();
  await said(page, "Check it", /no gap/);
  const changed = log.map((event) =>
    event.seq === 100 ? { ...event, data: { ...event.data, body: "Never said" } } : event,
  );
  play(sealedFrom(100, changed));
  const sentence = await said(page, "Check again", /does not hold/);
  expect(sentence).toContain(
    "an event that this browser verified before is not there any more as it was",
  );
  const [, at] = /at event (\d+)/.exec(sentence)!;
  expect(Number(at)).toBeGreaterThanOrEqual(100);
  // Somebody who has verified nothing cannot tell.
  const other = await browser.signedIn(url, ben, "/b/docs/people");
  expect(await said(other, "Check it", /no gap/)).toContain("every hash holds");
});

test("a restore from a backup is told from a rewritten record, and goes on once it is accepted", async () => {
  const log = await eventsOf(world.admin);
  const page = await open();
  await said(page, "Check it", /no gap/);
  const generation = "gen_01ARZ3NDEKTSV4RRFFQ69G5FAV";
  const kept = log.slice(0, -2);
  const data = { generation, backup: "nightly", at: world.at(-3600) };
  const restored = sealedFrom(kept.length + 1, [
    ...kept,
    { ...log.at(-1)!, type: "board.rolled_back", data },
  ]);
  play(restored, generation);
  await record(page).getByRole("button", { name: "Check again" }).click();
  await record(page).getByText("restored from the backup nightly").waitFor();
  await record(page)
    .getByText(`is there up to event ${kept.length}, and gone from ${kept.length + 1} on`)
    .waitFor();
  await record(page).getByRole("button", { name: "Accept the restore" }).click();
  await record(page).getByText(`${restored.length} events, no gap`).waitFor();
  expect(await said(page, "Check again", /Nothing came since/)).toStartWith(
    `${restored.length} events`,
  );
});

test("what somebody wrote into the browser's storage counts as no check", async () => {
  const page = await open();
  await said(page, "Check it", /no gap/);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith("service-record:")) localStorage.setItem(key, '{"heads":[{"seq":"1"}]}');
  });
  await page.reload();
  await record(page).getByText("They were not checked in this browser yet").waitFor();
});

test("a record holds though some of it is not for the reader", async () => {
  await setPolicy(world, { preset: "recommended" });
  const log = await eventsOf(world.admin);
  const withheld = log.map((event) => {
    if (event.seq % 50 !== 0) return event;
    const { data: _, ...rest } = event;
    return { ...rest, data_withheld: true as const };
  });
  const page = await open();
  play(withheld);
  await said(page, "Check it", /no gap/);
  await record(page)
    .getByText(/^What \d events say is not for you to read/)
    .waitFor();
});

import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilTrue } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";
import { foreignTextFindings } from "../support/web/foreign-text.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
const ana = world.admin;
await makeDocs(world, { title: "The manual" });
const ben = await personOnDocs(world, "ben");
const rex = await world.seat(ana, "docs", { name: "rex", harness: "codex" });
const { ref } = await rex.call("createTask", { ...docs, body: { title: "Write the index" } });
await rex.call("startTask", { params: { board: "docs", task: ref } });
await rex.call("setLine", { body: { kind: "working", text: "sorting words" } });
await rex.upload({ ...docs, query: { name: "plan.md", brief: false } }, new Blob(["# Plan"]));
await ana.upload({ ...docs, query: { name: "brief.md", brief: true } }, new Blob(["# Brief"]));
const first = await post(ben, { body: "Hello, @ana", to: ["@ana"], expects_reply: true });
await post(rex, { body: "An answer", reply_to: first.id });
await ben.call("addReaction", { params: { message: first.id, reaction: "heart" } });
await post(rex, { body: "Which one?", to: ["@ana"], ask: { options: ["This", "That"] } });

afterEach(() => {
  server.between = (_, answer) => answer();
});

/** Each place of the page, and words that it shows of what is on the board. */
const places: Readonly<Record<string, string>> = {
  "/": "Which one?",
  "/b/docs": "Hello, @ana",
  [`/b/docs/t/${first.seq}`]: "An answer",
  "/b/docs/tasks": "Write the index",
  [`/b/docs/tasks/${ref}`]: "Write the index",
  "/b/docs/files": "plan.md",
  "/b/docs/files/plan.md": "Plan",
  "/b/docs/brief": "Brief",
  "/b/docs/people": "rex",
  "/account": "laptop",
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Change = (key: string, value: Json) => Json | undefined;

/** A value with another in the place of each field; a field without one is left out. */
function changed(value: Json, change: Change): Json {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (value === null || typeof value !== "object") return value;
  const fields = Object.entries(value).flatMap(([key, field]) => {
    const other = change(key, field as Json);
    return other === undefined ? [] : [[key, changed(other, change)]];
  });
  return Object.fromEntries(fields);
}

/** Changes every answer that is JSON on its way to the page, and puts something before the events of each stream. */
function answers(change: (answer: Json, path: string) => Json, streamed = ""): void {
  server.between = async (request, answer) => {
    const response = await answer();
    const type = response.headers.get("content-type") ?? "";
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    if (type.startsWith("text/event-stream") && response.body) {
      const body = response.body.pipeThrough(after(streamed));
      return new Response(body, { status: response.status, headers });
    }
    if (!type.startsWith("application/json") || response.status !== 200) return response;
    const said = change((await response.json()) as Json, new URL(request.url).pathname);
    return new Response(JSON.stringify(said), { status: 200, headers });
  };
}

const after = (text: string) =>
  new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });

/** Opens every place, and gives what is wrong there. The console is watched besides. */
async function wrongPlaces(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const [path, words] of Object.entries(places)) {
    await page.goto(url + path);
    const shown = page.locator("main, .panel").getByText(words).first();
    const isShown = await shown.waitFor({ timeout: 10_000 }).then(
      () => true,
      () => false,
    );
    if (!isShown) {
      const text = await page.locator("body").innerText();
      wrong.push(`${path} does not show “${words}” but ${text.slice(-400)}`);
    }
    wrong.push(...(await foreignTextFindings(page)).map((finding) => `${path} ${finding}`));
  }
  return wrong;
}

test("each place shows what it is opened for", async () => {
  const page = await browser.signedIn(url, ana);
  expect(await wrongPlaces(page)).toEqual([]);
}, 120_000);

test("fields that this page does not know are left alone", async () => {
  const withMore = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(withMore);
    if (value === null || typeof value !== "object") return value;
    const fields = Object.entries(value).map(([key, field]) => [
      key,
      // The keys of this one are names of roles.
      key === "roles" ? field : withMore(field as Json),
    ]);
    const more = { newer: { of: ["a", { newer: 1 }] }, constructor: "newer", toString: null };
    return { ...Object.fromEntries(fields), ...more };
  };
  const page = await browser.signedIn(url, ana);
  answers(withMore);
  expect(await wrongPlaces(page)).toEqual([]);
}, 120_000);

test("events of other kinds on the stream and in the log do no harm, and what follows them comes", async () => {
  const newer = [
    "event: newer\ndata: {}\n\n",
    'event: newer.kind\nid: 12\ndata: {"board_id":"brd_1","seq":"many","constructor":1}\n\n',
    "event: constructor\ndata: null\n\n",
    'event: newest\ndata: [1,{"a":null}]\n\n',
    ": a comment\n\nretry: 10\n\n",
  ];
  const page = await browser.signedIn(url, ana);
  let served = 0;
  answers((answer, path) => {
    if (!path.endsWith("/events")) return answer;
    served++;
    return changed(answer, (key, value) =>
      key === "type" && /^(task|file|person|board)\./.test(String(value)) ? "newer.kind" : value,
    );
  }, newer.join(""));
  expect(await wrongPlaces(page)).toEqual([]);
  await page.goto(`${url}/b/docs`);
  await page.locator(".live.working").waitFor();
  await ana.call("updateBoard", { ...docs, body: { title: "Another title" } });
  await post(ben, "After the newer ones");
  await page.getByRole("article").getByText("After the newer ones").waitFor();
  await untilTrue(async () => served > 0, "the log is read");
}, 120_000);

test("states, presences, roles and kinds of attention that this page does not know do no harm", async () => {
  const words = new Set(["state", "presence", "role", "delivery", "urgency", "kind", "source"]);
  const page = await browser.signedIn(url, ana);
  for (const word of ["newer", "constructor"]) {
    answers((answer, path) =>
      changed(answer, (key, value) => {
        const isOfMember = key === "kind" && !path.includes("attention");
        return words.has(key) && !isOfMember && typeof value === "string" ? word : value;
      }),
    );
    expect([word, ...(await wrongPlaces(page))]).toEqual([word]);
  }
}, 120_000);

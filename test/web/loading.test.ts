import { afterEach, expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilItHolds } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
await ben.call("createTask", { ...docs, body: { title: "Write the page" } });
const root = await post(ben, "A thread begins");
await ben.upload({ ...docs, query: { name: "notes.md" } } as never, new Blob(["# Notes"]));

const window = { width: 1100, height: 700 };
let release: (() => void) | undefined;

/** Lets nothing of a board come until the test lets it. */
function holdBoards(): void {
  const held = new Promise<void>((resolve) => (release = resolve));
  server.between = async (request, answer) => {
    if (new URL(request.url).pathname.startsWith("/v1/boards/")) await held;
    return answer();
  };
}
afterEach(() => {
  release?.();
  server.between = (_, answer) => answer();
});

test("what comes is announced by shapes that stand where rows do, clear of the edges", async () => {
  const page = await browser.signedIn(url, ben, "/", { viewport: window });
  const places = ["", "/tasks", "/tasks/DOC-1", "/files", "/files/notes.md", "/brief", "/people"];
  for (const path of [...places, `/t/${root.seq}`, "?q=thread"]) {
    holdBoards();
    await page.goto(`${url}/b/docs${path}`);
    await untilItHolds(async () => {
      const gaps = await page.evaluate(() =>
        [...document.querySelectorAll(".bones i:nth-of-type(2)")].map((bone) => {
          const within = bone.closest(".panel, main")!.getBoundingClientRect();
          const box = bone.getBoundingClientRect();
          return Math.min(box.left - within.left, within.right - box.right);
        }),
      );
      expect(gaps.length).toBeGreaterThan(0);
      for (const gap of gaps) expect([path, gap >= 8]).toEqual([path, true]);
    });
    release!();
  }
  await page.getByRole("article", { name: /^ben/ }).first().waitFor();
});

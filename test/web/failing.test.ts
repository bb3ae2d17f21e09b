import { expect, test } from "bun:test";
import { docs, makeDocs, personOnDocs } from "../support/boards/docs-board.ts";
import { postMany } from "../support/boards/many-messages.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { untilItHolds } from "../support/wait-until.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const server = await clockedServer();
const { world, url } = server;
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
await postMany([ben], 70);
await ben.upload({ ...docs, query: { name: "notes.md" } }, new Blob(["Notes\n"]));

/** Lets requests whose path fits fail, until the function that this gives is called. */
function failing(path: RegExp): () => void {
  server.between = async (request, answer) =>
    path.test(request.url) ? new Response(null, { status: 502 }) : answer();
  return () => {
    server.between = (_, answer) => answer();
  };
}
const signedIn = (path: string) => browser.signedIn(url, world.admin, path, {}, /50[02]|ERR_/);

test("filtered messages that could not be read are asked for again, and those that are shown stay", async () => {
  let end = failing(/messages\?.*from=/);
  const page = await signedIn("/b/docs?from=ben");
  await page.getByText("The messages could not be read.").waitFor();
  end();
  await page.getByRole("button", { name: "Try again" }).click();
  const found = page.getByRole("feed", { name: "Messages found" });
  await found.getByText("Message 70", { exact: true }).waitFor();
  end = failing(/messages\?.*before=/);
  await page.getByRole("button", { name: "Show older ones" }).click();
  await page.getByRole("alert").filter({ hasText: /./ }).waitFor();
  expect(await found.getByText("Message 70", { exact: true }).count()).toBe(1);
  end();
  await page.getByRole("button", { name: "Show older ones" }).click();
  await found.getByText("Message 1", { exact: true }).waitFor();
});

test("what could not be read says so within the margins, with the code and the time by which a log is searched", async () => {
  const error = { code: "internal", message: "Something went wrong.", hint: "Try again." };
  server.between = async (request, answer) =>
    request.url.includes("/v1/boards/docs/tasks")
      ? Response.json({ error }, { status: 500 })
      : answer();
  const page = await signedIn("/b/docs/tasks");
  const said = page.getByRole("alert").filter({ hasText: "The tasks could not be read." });
  await said.getByText(/^internal, \d\d:\d\d:\d\d$/).waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await untilItHolds(async () => {
      const gap = await said.locator("b").evaluate((words) => {
        const range = document.createRange();
        range.selectNodeContents(words);
        const within = words.closest("main")!.getBoundingClientRect();
        return range.getBoundingClientRect().left - within.left;
      });
      expect(gap).toBeGreaterThan(12);
    });
  }
  server.between = (_, answer) => answer();
  await page.getByRole("button", { name: "Try again" }).click();
  await said.waitFor({ state: "detached" });
});

test("a list that could not be read while the connection was lost is there once it is back", async () => {
  const page = await signedIn("/b/docs");
  await page.getByText("Message 70", { exact: true }).waitFor();
  // The part itself is there already, and only its list is missing.
  await page.getByRole("link", { name: "Files" }).click();
  await page.getByRole("link", { name: "notes.md" }).waitFor();
  await page.getByRole("link", { name: "Talk", exact: true }).click();
  await server.end();
  await page.getByText(/^Not connected since/).waitFor();
  await page.getByRole("link", { name: "Files" }).click();
  await page.getByText("The files could not be read.").waitFor();
  const again = Bun.serve({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    idleTimeout: 0,
    fetch: async (request) => world.handle(request),
  });
  try {
    // The page may have found the server by itself before.
    const tryNow = page.getByRole("button", { name: "Try now" });
    await tryNow.click({ timeout: 2_000 }).catch(() => tryNow.waitFor({ state: "detached" }));
    await page.getByRole("link", { name: "notes.md" }).waitFor();
  } finally {
    await page.context().close();
    await again.stop(true);
  }
});

import { expect, test } from "bun:test";
import type { Client } from "../../src/client/client.ts";
import { openTask, task } from "../support/boards/board-with-tasks.ts";
import {
  docs,
  guestOn,
  makeDocs,
  personOnDocs,
  post,
  seatOnDocs,
} from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const scout = await seatOnDocs(world, "scout");

/** Writes the next version of the brief as somebody else. */
async function write(person: Client, text: string) {
  const { brief } = await person.call("getBoard", docs);
  const query = {
    name: "brief.md",
    brief: true,
    ...(brief && { base: brief.version, file_id: brief.file_id }),
  };
  return person.upload({ ...docs, query }, new Blob([text]));
}
const textNow = async () => {
  const { brief } = await world.admin.call("getBoard", docs);
  const params = { board: "docs", file: brief!.file_id, version: "latest" };
  const answer = await world.admin.download({ params });
  return new Response(answer.body).text();
};

test("a brief is begun, read with its headings, and says what happened since", async () => {
  const page = await browser.signedIn(url, world.admin, "/b/docs/brief");
  await page.getByRole("button", { name: "Write the brief" }).click();
  await page
    .getByLabel("The brief")
    .fill(
      "# Harbor 1.4\n\nWe ship on **Friday**. <b>not bold</b>\n\n- [x] Branch **cut**\n- [ ] Signed",
    );
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("heading", { name: "Harbor 1.4", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Nothing has happened since.").waitFor();
  await page.locator(".doc b").first().waitFor();
  expect(await page.locator(".doc b").allTextContents()).toEqual(["Friday", "cut"]);
  expect(await page.locator(".check li").allTextContents()).toEqual([
    "Done: Branch cut",
    "To do: Signed",
  ]);

  const { ref } = await openTask(world.admin, "Cut the branch");
  await world.admin.call("finishTask", { ...task(ref), body: { note: "Cut." } });
  const ask = await post(scout, {
    body: "Which one?",
    to: ["@ana"],
    ask: { options: ["Red", "Blue"] },
  });
  await post(world.admin, { body: "Blue", reply_to: ask.id, answer: { option: 2 } });
  await page.getByText("Since then 2 messages, 1 task closed, 1 answer.").waitFor();
  const beside = page.getByRole("complementary", { name: "About the brief" });
  await beside.getByRole("link", { name: /Blue.*Which one\?/ }).waitFor();
  await beside.getByText("Cut the branch").waitFor();
  await write(ben, "# Harbor 1.5");
  await page.getByRole("heading", { name: "Harbor 1.5" }).waitFor();
  await page.getByText(/Version 2 by ben/).waitFor();
  await beside.getByRole("link", { name: "changes" }).click();
  expect(page.url()).toEndWith("/files/brief.md?v=1..2");
});

test("what is being written survives a reload, and never takes the place of a version unseen", async () => {
  await write(world.admin, "One.");
  const page = await browser.signedIn(url, world.admin, "/b/docs/brief", {}, /409/);
  await page.getByRole("button", { name: /^Write version/ }).click();
  await page.getByLabel("The brief").fill("One, and mine.");
  await page.getByRole("button", { name: "Later" }).click();
  await page.getByRole("button", { name: "Go on writing" }).waitFor();
  await page.reload();
  await write(ben, "One, and his.");
  await page.getByText("One, and his.").waitFor();
  await page.getByRole("button", { name: "Go on writing" }).click();
  expect(await page.getByLabel("The brief").inputValue()).toBe("One, and mine.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/ben was quicker with version \d/).waitFor();
  expect(await textNow()).toBe("One, and his.");
  await page.getByLabel("The brief").fill("One, his, and mine.");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("paragraph").filter({ hasText: "One, his, and mine." }).waitFor();
  expect(await textNow()).toBe("One, his, and mine.");
  await page.getByRole("button", { name: /^Write version/ }).waitFor();
});

test("a guest reads the brief and is not offered to write it", async () => {
  const guest = await guestOn(world, "gus");
  const page = await browser.signedIn(url, guest, "/b/docs/brief");
  await page.getByText("Since then").or(page.getByText("Nothing has happened")).first().waitFor();
  expect(await page.getByRole("button", { name: /rite/ }).count()).toBe(0);
});

test("axe finds nothing on the brief, and nothing is wider than the window", async () => {
  await write(
    ben,
    `# Harbor\n\n## What goes out\n\n- ${"W".repeat(200)}\n\n| a | b |\n|---|---|\n| 1 | 2 |`,
  );
  const page = await browser.signedIn(url, world.admin, "/b/docs/brief");
  await page.getByRole("heading", { name: "What goes out" }).waitFor();
  await holdsInEachLook(page, "read");
  await page
    .getByRole("button", { name: /^Write version/ })
    .locator("visible=true")
    .click();
  await page.getByLabel("The brief").waitFor();
  await holdsInEachLook(page, "write");
});

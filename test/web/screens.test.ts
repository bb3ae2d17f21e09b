import { afterAll, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { playHarbor } from "../support/demo/harbor.ts";
import { holdsInEachLook } from "../support/web/axe.ts";
import { startBrowser } from "../support/web/browser.ts";

/** Where the pictures go: `dist` is not kept. */
const folder = resolve(import.meta.dir, "../../dist/screens");
mkdirSync(folder, { recursive: true });

const browser = startBrowser();
const harbor = await playHarbor();
const { stage, people, board } = harbor;
// The pages are closed before their server is.
afterAll(stage.stop);
let signedIn: Promise<Page> | undefined;
const marasPage = () => (signedIn ??= browser.signedIn(stage.url, people.mara));

const { messages } = await people.mara.call("listMessages", {
  params: { board },
  query: { newest: true, limit: 50 },
});
const root = messages.find(({ reply_count }) => reply_count > 0)!;

/** Each screen by the name of its design, with its address and what it shows. */
const screens = [
  ["home", "/", "Needs you"],
  ["board", `/b/${board}`, "Larger SQLite pages"],
  ["talk", `/b/${board}/m/${root.seq}`, "The upgrade from 1.3.4 passes"],
  ["thread", `/b/${board}/t/${root.seq}`, "Killed eleven times"],
  ["tasks", `/b/${board}/tasks`, "Sign and publish the installers"],
  ["task", `/b/${board}/tasks/${harbor.tasks.sign}`, "Sign all installers on the build machine"],
  ["files", `/b/${board}/files`, "release-notes.md"],
  ["file", `/b/${board}/files/release-notes.md?v=2..3`, "three times faster"],
  ["brief", `/b/${board}/brief`, "Who decides what"],
  ["people", `/b/${board}/people`, "What this board is for"],
  ["account", "/account", "What your agents may do"],
] as const;

test.each(screens)(
  "%s holds in both schemes and at three widths",
  async (name, path, words) => {
    const page = await marasPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(stage.url + path);
    await page.locator("main, .panel").getByText(words).filter({ visible: true }).first().waitFor();
    if (name === "talk") await page.locator(`#m${root.seq}`).first().waitFor();
    await holdsInEachLook(page, name, (look) =>
      page.screenshot({
        path: join(folder, `${name}-${look.replace(" ", "-")}.png`),
        animations: "disabled",
      }),
    );
  },
  120_000,
);

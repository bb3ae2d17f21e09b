/** `bun docs/picture.ts` makes the README's picture of the board view anew: the demo's team, in Chromium. */
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { playHarbor } from "../test/support/demo/harbor.ts";
import { liveOn } from "../test/support/demo/lively.ts";

const executablePath = Bun.which("chromium");
if (!executablePath) throw new Error("This needs Chromium: apt-get install chromium.");
const harbor = await playHarbor();
const stopLiving = liveOn(harbor);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1100, height: 690 } });
await page.goto(await harbor.stage.link(harbor.people.mara));
await page.getByRole("button", { name: /^Sign in as/ }).click();
await page.locator(".app").waitFor();
await page.goto(harbor.stage.url);
await page.getByText("working").first().waitFor();
await page.screenshot({ path: resolve(import.meta.dir, "board-view.png"), animations: "disabled" });
await browser.close();
stopLiving();
await harbor.stage.stop();
process.exit(0);

import { afterAll, beforeAll, expect, test } from "bun:test";
import axe from "axe-core";
import { chromium, type Browser } from "playwright-core";
import { startListening } from "../support/servers/server-on-port.ts";

const listening = await startListening();
const origin = listening.server.url;
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: Bun.which("chromium")!,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
}, 60_000);
afterAll(async () => {
  await browser.close();
  expect(listening.logged).toEqual([]);
});

const pages = [
  { path: "/start", name: "the start page", says: "service boards" },
  { path: "/docs", name: "the reference's first page", says: "/v1/boards/{board}/messages" },
  { path: "/docs/people", name: "the page of a tag", says: "createServerInvite" },
  { path: "/docs/events", name: "the page of the events", says: "task.started" },
  { path: "/docs/records", name: "the page of the records", says: "BoardPerson" },
  { path: "/docs/errors", name: "the page of the errors", says: "board_not_found" },
  { path: "/docs/nothing", name: "the page for what is not there", says: "no such page" },
  { path: "/start/invitation", name: "the page of an invitation", says: "service connect" },
] as const;
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

for (const { path, name, says } of pages)
  for (const { colorScheme, width } of looks)
    test(`${name} reads well in ${colorScheme} at ${width} pixels, and loads nothing from elsewhere`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${origin}${path}`);

      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.getByText(says).count()).toBeGreaterThan(0);
      expect(asked.filter((url) => !url.startsWith(origin))).toEqual([]);
      // The browser complains of a page with the status 404 by itself.
      const own = complaints.filter((text) => !/favicon|status of 404/.test(text));
      expect(own).toEqual([]);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);

      await page.close();
    });

test.each(pages)(
  "$name is accessible",
  async ({ path }) => {
    // The page's policy lets no script in: the checker runs in a context without it.
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${origin}${path}`);
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as {
      violations: { id: string; help: string; nodes: { html: string }[] }[];
    };
    expect(violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html})`)).toEqual(
      [],
    );
    await context.close();
  },
  60_000,
);

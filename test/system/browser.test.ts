import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { chromium, type Browser } from "playwright-core";
import { startServer, type RunningServer } from "../../src/server/serve.ts";

const folder = mkdtempSync(join(tmpdir(), "service-browser-"));
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  server = await startServer({
    mode: "local",
    dataFolder: folder,
    hostname: "127.0.0.1",
    port: 0,
    keyFile: join(folder, "owner-token"),
    firstHandle: "ana",
    keyName: "laptop",
    version: "0.0.0-test",
    log: (line) => console.error(line),
  });
  browser = await chromium.launch({
    executablePath: Bun.which("chromium")!,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const pages = [
  { path: "/docs", name: "the reference page", says: "/v1/boards/{board}/messages" },
  { path: "/join#abi_secret", name: "the page of an invitation", says: "service connect" },
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
      await page.goto(`${server.url}${path}`);

      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.getByText(says).count()).toBeGreaterThan(0);
      expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
      expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
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
    await page.goto(`${server.url}${path}`);
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

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

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1280, 390])
    test(`the reference page reads well in ${colorScheme} at ${width} pixels, and loads nothing from elsewhere`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${server.url}/docs`);

      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.getByText("/v1/boards/{board}/messages").count()).toBeGreaterThan(0);
      expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
      expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow).toBe(0);

      await page.close();
    });

test("the reference page is accessible", async () => {
  // The page's policy lets no script in: the checker runs in a context without it.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${server.url}/docs`);
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; help: string; nodes: { html: string }[] }[];
  };
  expect(violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes[0]?.html})`)).toEqual([]);
  await context.close();
}, 60_000);

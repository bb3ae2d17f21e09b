import { afterAll, beforeAll, expect } from "bun:test";
import type { Client } from "../../../src/client/client.ts";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

/** A browser starts within this on a busy machine, in milliseconds. */
const browserStartsMs = 60_000;

/**
 * A real Chromium for the tests of a file. Each page tells what its console said, which must be nothing. Start it before the
 * server: what is started first ends first, and a page complains of a server that has gone.
 */
export function startBrowser() {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: Bun.which("chromium")!,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
  }, browserStartsMs);
  afterAll(async () => {
    await browser?.close();
    expect(complaints).toEqual([]);
  });
  const browsing = {
    /** A page of a browser of its own: it shares no cookie with others. `expected` are texts of the console that are meant. */
    async open(url: string, options: BrowserContextOptions = {}, expected = /^$/): Promise<Page> {
      const context = await browser!.newContext(options);
      const page = await context.newPage();
      const complain = (text: string) => {
        if (!expected.test(text)) complaints.push(`${page.url()}: ${text}`);
      };
      page.on("console", (message) => complain(message.text()));
      page.on("pageerror", (error) => complain(error.message));
      await page.goto(url);
      return page;
    },
    /** A page in which a person has signed in by a link, at a path of the server. */
    async signedIn(
      url: string,
      person: Client,
      path = "/",
      options: BrowserContextOptions = {},
      expected = /^$/,
    ) {
      const { code } = await person.call("createLoginCode");
      const page = await browsing.open(`${url}/#code=${code}`, options, expected);
      await page.getByRole("button", { name: /^Sign in as/ }).click();
      await page.locator(".app").waitFor();
      expect(page.url()).toBe(`${url}/`);
      if (path !== "/") await page.goto(url + path);
      return page;
    },
  };
  return browsing;
}

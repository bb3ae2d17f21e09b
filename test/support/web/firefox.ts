import { afterAll, beforeAll, expect } from "bun:test";
import puppeteer, { type Browser, type ElementHandle, type Page } from "puppeteer-core";
import type { Client } from "../../../src/client/client.ts";

/** A browser starts within this on a busy machine, in milliseconds. */
const browserStartsMs = 60_000;

/** How long something may take to be shown, in milliseconds. */
const shownMs = 20_000;

/**
 * The last visible element of a selector whose text or name begins with or holds a text, once there is one. The library's own
 * locators evaluate text in the page, which the page's policy forbids.
 */
export async function find(page: Page, selector: string, text = ""): Promise<ElementHandle> {
  const deadline = performance.now() + shownMs;
  for (;;) {
    const found = await page
      .evaluateHandle(
        (chosen, part) =>
          [...document.querySelectorAll<HTMLElement>(chosen)]
            .filter((one) => one.checkVisibility())
            .findLast((one) =>
              `${one.getAttribute("aria-label") ?? ""} ${one.innerText}`.includes(part),
            ) ?? null,
        selector,
        text,
      )
      // A page that is being left has nothing to look at.
      .catch(() => null);
    const element = found?.asElement();
    if (element) return element as ElementHandle;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${selector} ${text}`);
    await Bun.sleep(50);
  }
}

/** Presses what `find` finds. What was drawn anew meanwhile is found again. */
export async function press(page: Page, selector: string, text = ""): Promise<void> {
  for (let tries = 5; ; tries--) {
    const element = await find(page, selector, text);
    try {
      return await element.click();
    } catch (error) {
      if (tries === 0 || !String(error).includes("detached")) throw error;
    }
  }
}

/** What Firefox says of a request that went through the worker when its page is left before the answer. Nobody sees that page. */
const cutOff = /A ServiceWorker intercepted the request and encountered an unexpected error/;

/**
 * Debian's Firefox, by WebDriver BiDi, for what people do every day. As `startBrowser()` does, it fails the tests of a file
 * whose pages said something on their console. Start it before the server.
 */
export function startFirefox() {
  let browser: Browser | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: Bun.which("firefox-esr")!,
      headless: true,
      // Debian's Firefox lacks the command by which a viewport is set.
      defaultViewport: null,
      args: ["--width=1280", "--height=800"],
    });
  }, browserStartsMs);
  afterAll(async () => {
    await browser?.close();
    expect(complaints).toEqual([]);
  });
  return {
    /** A page in which a person has signed in by a link, in a browser of its own. `expected` are texts of the console that are meant. */
    async signedIn(url: string, person: Client, path = "/", expected = /^$/): Promise<Page> {
      const context = await browser!.createBrowserContext();
      const page = await context.newPage();
      const complain = (text: string) => {
        if (!expected.test(text) && !cutOff.test(text)) complaints.push(`${page.url()}: ${text}`);
      };
      page.on("console", (message) => complain(message.text()));
      page.on("pageerror", (error) => complain(String(error)));
      const { code } = await person.call("createLoginCode");
      await page.goto(`${url}/#code=${code}`);
      await press(page, "button", "Sign in as");
      await find(page, ".app");
      if (path !== "/") await page.goto(url + path);
      return page;
    },
  };
}

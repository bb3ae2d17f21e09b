import { chromium, type Browser, type Page } from "playwright-core";
import { alone, atMost, compared, type Section } from "../figures.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { median } from "../stats.ts";
import { fill, makeDesk, type Desk } from "../world.ts";
import { alternate, type Context } from "./part.ts";

/** Milliseconds of the page in a browser. */
interface PageTimes {
  small: number;
  large: number;
  longestTask: number;
  event: number;
}

const views = 5;
const posts = 20;
const wheelSteps = 60;

/** How soon a board is seen, how smoothly it scrolls, and how long a message takes to the screen. */
export async function measurePage(context: Context): Promise<Section> {
  const many = context.quick ? 2_000 : 10_000;
  const runs = await alternate(context.runs, () => pageOnce(context, many));
  const series = (what: string, of: keyof PageTimes) => ({
    what,
    values: runs.map((run) => run[of]),
  });
  const count = many.toLocaleString("en");
  return {
    title: "The page",
    definitions: [
      `A real Chromium, headless, with the page's files in its cache. Each figure of a run is the median of ${views} views or ${posts} posts.`,
      "First view: from the start of the navigation to the frame in which the newest message of the board is in the document.",
      `Scrolling: the longest task of the page's main thread while the wheel turns ${wheelSteps} times up the long board; 0 if none is over 50 ms, which is where a browser begins to count.`,
      "Event to screen: from the sending of a post over the API to the frame in which another person's page shows it.",
    ],
    rows: [
      compared(
        "ms",
        series(`first view of ${count} messages`, "large"),
        series("first view of 10 messages", "small"),
        { target: atMost(1.3) },
      ),
      alone("ms", series("longest task while scrolling", "longestTask"), {
        target: atMost(50, "value"),
      }),
      alone("ms", series("post to screen", "event"), { target: atMost(100, "value") }),
    ],
  };
}

async function pageOnce({ scratch }: Context, many: number): Promise<PageTimes> {
  const home = folderIn(scratch, "page");
  const service = await startService(home);
  const desk = await makeDesk(service, "long");
  await fill(service, desk, many);
  const small = await makeDesk(service, "short");
  await fill(service, small, 10);
  const browser = await openBrowser();
  try {
    const page = await signIn(browser, service);
    const firstViews = { small: [] as number[], large: [] as number[] };
    for (let view = 0; view <= views; view++) {
      const of = {
        small: await firstView(page, service, small),
        large: await firstView(page, service, desk),
      };
      // The first view of each fills the browser's cache.
      if (view === 0) continue;
      firstViews.small.push(of.small);
      firstViews.large.push(of.large);
    }
    return {
      small: median(firstViews.small),
      large: median(firstViews.large),
      longestTask: await scrollUp(page),
      event: await postToScreen(page, service, small),
    };
  } finally {
    await browser.close();
    await service.stop();
    removeFolder(home);
  }
}

function openBrowser(): Promise<Browser> {
  const executablePath = Bun.which("chromium");
  if (!executablePath)
    throw new Error("The page is measured in Chromium: apt-get install chromium.");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

async function signIn(browser: Browser, { client, url }: RunningService): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // Notes the times of what is looked for, in the page itself.
  await page.addInitScript(`
    globalThis.seen = (selector, text) => new Promise((resolve) => {
      const look = () => {
        const found = [...document.querySelectorAll(selector)].some((one) => one.textContent.includes(text));
        if (found) resolve([performance.now(), Date.now()]);
        else requestAnimationFrame(look);
      };
      look();
    });
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
    }).observe({ type: "longtask" });
  `);
  const { code } = await client.call("createLoginCode");
  await page.goto(`${url}/#code=${code}`);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await page.locator(".app").waitFor();
  return page;
}

const seen = (page: Page, selector: string, text: string): Promise<[number, number]> =>
  page.evaluate(`seen(${JSON.stringify(selector)}, ${JSON.stringify(text)})`);

async function firstView(page: Page, { url }: RunningService, { board }: Desk): Promise<number> {
  await page.goto(`${url}/b/${board}`, { waitUntil: "commit" });
  const [since] = await seen(page, "article.msg", "");
  return since;
}

async function scrollUp(page: Page): Promise<number> {
  await page.mouse.move(720, 450);
  await page.evaluate("globalThis.longest = 0");
  for (let step = 0; step < wheelSteps; step++) {
    await page.mouse.wheel(0, -600);
    await page.waitForTimeout(30);
  }
  return page.evaluate("globalThis.longest");
}

async function postToScreen(page: Page, service: RunningService, { board }: Desk): Promise<number> {
  await page.goto(`${service.url}/b/${board}`);
  await seen(page, "article.msg", "");
  await page.waitForTimeout(1_000);
  const times: number[] = [];
  for (let number = 1; number <= posts; number++) {
    const text = `word-${number}-for-the-screen`;
    const shown = seen(page, "article.msg", text);
    const sent = Date.now();
    await service.client.call("postMessage", { params: { board }, body: { body: text } });
    times.push((await shown)[1] - sent);
  }
  return median(times);
}

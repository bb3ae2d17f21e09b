import axe from "axe-core";
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { untilItHolds } from "../wait-until.ts";

/** What axe-core finds wrong on a page as it is now: each rule with the elements that break it. */
async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** How many pixels a page is wider than its window. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Nothing is wider than the window, once the page has followed it. */
export const fits = (page: Page, what: string): Promise<void> =>
  untilItHolds(async () => expect([what, await overflowOf(page)]).toEqual([what, 0]));

/**
 * Axe finds nothing, and nothing is wider than the window. What is on its way from one shape to the next is nobody's: a page
 * that has just been made narrower shows its new styles a moment before its new roles.
 */
export const holds = (page: Page, what = "now"): Promise<void> =>
  untilItHolds(async () =>
    expect([what, await axeFindings(page), await overflowOf(page)]).toEqual([what, [], 0]),
  );

/** The looks in which every screen has to hold. */
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ].map((viewport) => ({ colorScheme, viewport })),
);

/** The page `holds` in each look. `seen` is called with the look's name once it does. */
export async function holdsInEachLook(
  page: Page,
  what: string,
  seen: (look: string) => Promise<unknown> = async () => {},
): Promise<void> {
  for (const { colorScheme, viewport } of looks) {
    // Colours that are on their way from one scheme to the other are nobody's.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    const look = `${colorScheme} ${viewport.width}`;
    // What is between the widest and the narrowest has the elements of one of them, in another place.
    await (viewport.width === 1024 ? fits : holds)(page, `${what}, ${look}`);
    await seen(look);
  }
}

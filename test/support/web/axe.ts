import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds wrong on a page as it is now: each rule with the elements that break it. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** The looks in which every screen has to hold. */
export const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ].map((viewport) => ({ colorScheme, viewport })),
);

/** Calls `check` with the page in each look. */
export async function inEachLook(page: Page, check: (look: string) => Promise<void>) {
  for (const { colorScheme, viewport } of looks) {
    // Colours that are on their way from one scheme to the other are nobody's.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    await check(`${colorScheme} ${viewport.width}`);
  }
}

/** How many pixels a page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

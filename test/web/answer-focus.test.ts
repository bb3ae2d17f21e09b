import { test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const rex = await world.seat(world.admin, "docs", { name: "rex" });

test("whoever answers with a button or in words stays at the ask, and goes on from there", async () => {
  for (const number of [1, 2]) {
    const options = ["This", "That"];
    const one = { body: `Question ${number}`, to: ["@ben"], ask: { options } };
    await post(rex, one as never);
    await post(rex, { body: `After question ${number}` });
  }
  const page = await browser.signedIn(url, ben, "/b/docs");
  const focused = (selector: string, words: string) =>
    page.waitForFunction(
      ([within, text]) => {
        const { activeElement } = document;
        return activeElement?.matches(within!) && activeElement.textContent?.includes(text!);
      },
      [selector, words],
    );
  const ask = (number: number) => page.getByRole("group", { name: /rex/ }).nth(number - 1);
  await ask(1).getByRole("button", { name: /This/ }).press("Enter");
  await page.getByText(/Answered: “This”/).waitFor();
  await focused(".ask.done", "Question 1");
  await page.keyboard.press("j");
  await focused("article", "After question 1");

  await ask(2).getByLabel("Answer in your own words").fill("Neither");
  await page.keyboard.press("Enter");
  await focused(".ask.done", "Question 2");
});

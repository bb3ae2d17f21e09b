import { test } from "bun:test";
import { makeDocs, personOnDocs, post } from "../support/boards/docs-board.ts";
import { clockedServer } from "../support/servers/server-on-port-with-clock.ts";
import { startBrowser } from "../support/web/browser.ts";

const browser = startBrowser();
const { world, url } = await clockedServer();
world.clock.now = new Date();
await makeDocs(world);
const ben = await personOnDocs(world, "ben");
const cleo = await personOnDocs(world, "cleo");
const rex = await world.seat(ben, "docs", { name: "rex" });

test("a person who gets another name has it in every open page, and still finds what is theirs", async () => {
  await post(ben, "Said by ben");
  await post(rex, "Said by an agent of ben");
  const question = { body: "Now or later?", to: ["@ben"], ask: { options: ["Now", "Later"] } };
  await post(rex, question as never);
  const [own, others] = await Promise.all(
    [ben, cleo].map((person) => browser.signedIn(url, person, "/b/docs")),
  );
  for (const page of [own!, others!]) await page.getByText("Said by ben").waitFor();
  await own!.getByRole("button", { name: /Now/ }).waitFor();

  await world.admin.call("renamePerson", {
    params: { handle: "ben" },
    body: { handle: "benjamin" },
  });
  for (const page of [own!, others!]) {
    await page
      .getByRole("article", { name: /^benjamin, / })
      .first()
      .waitFor();
    // What happened is told with the name of then.
    await page
      .locator(".msg:not(.quiet)[aria-label^='ben, ']")
      .first()
      .waitFor({ state: "detached" });
  }
  await others!.getByText("rex is blocked on benjamin").waitFor();
  // The page knows by the name what is put to its reader.
  const ask = own!.getByRole("article").filter({ hasText: "Now or later?" });
  await ask.getByRole("button", { name: /Now/ }).click();
  await own!.getByText(/Answered: “Now”/).waitFor();
});

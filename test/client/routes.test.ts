import { expect, test } from "bun:test";
import { routesFile } from "../../docs/generate.ts";
import { routesText } from "../../docs/generate/routes.ts";
import { routes } from "../../src/client/routes.ts";
import { operations } from "../../src/contract/index.ts";

test("the client's routes are those of the contract", async () => {
  const declared = Object.entries(operations).map(([name, { method, path }]): [string, string] => [
    name,
    `${method} ${path}`,
  ]);
  expect(Object.entries<string>(routes), "run `bun docs/generate.ts`").toEqual(declared);
  expect(await Bun.file(routesFile).text(), "run `bun docs/generate.ts`").toBe(routesText());
});

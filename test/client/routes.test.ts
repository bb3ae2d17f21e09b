import { expect, test } from "bun:test";
import { routes } from "../../src/client/routes.ts";
import { operations } from "../../src/contract/index.ts";

test("the client's routes are those of the contract", () => {
  const declared = Object.entries(operations).map(([name, { method, path }]): [string, string] => [
    name,
    `${method} ${path}`,
  ]);
  expect(Object.entries<string>(routes)).toEqual(declared);
});

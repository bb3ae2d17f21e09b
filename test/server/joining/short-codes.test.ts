import { expect, test } from "bun:test";
import { unusedCode } from "../../../src/server/ids.ts";

test("a short code that is taken is drawn again, and five that are taken are a fault", () => {
  const drawn: string[] = [];
  const code = unusedCode((each) => drawn.push(each) < 3);
  expect(drawn).toHaveLength(3);
  expect(code).toBe(drawn[2]!);
  expect(() => unusedCode(() => true)).toThrow("5 short codes in a row were taken");
});

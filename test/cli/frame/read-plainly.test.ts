import { expect, test } from "bun:test";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { readPlainly } from "../../../src/cli/frame/read-plainly.ts";
import { tries } from "../../support/tries.ts";

const options = {
  board: { type: "string", multiple: true },
  json: { type: "boolean", multiple: true },
  help: { type: "boolean", multiple: true, short: "h" },
} as const;
const word = fc.constantFrom(
  ...["--board", "--board=x", "--json", "--json=y", "--no-json", "--help", "-h", "-hj", "--"],
  ...["-", "--unknown", "--constructor", "text", "-5", "", "--=", "two words"],
);

test("what it reads is what the strict parser reads", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const plain = readPlainly(words, options);
      if (!plain) return;
      read++;
      const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
      expect(plain).toEqual({ values: { ...values }, positionals });
    }),
    tries(1_000),
  );
  expect(read).toBeGreaterThan(200);
});

test("an ordinary line needs no other parser", () => {
  expect(readPlainly(["say", "hi", "--board", "docs", "--json"], options)).toEqual({
    values: { board: ["docs"], json: [true] },
    positionals: ["say", "hi"],
  });
});

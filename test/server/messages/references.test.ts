import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { referencesIn } from "../../../src/server/messages/references.ts";
import { referencesByTheRules } from "../../support/mention-rules.ts";
import { tries } from "../../support/tries.ts";

const tick = "`";

describe("where a reference is one", () => {
  test.each([
    ["at the start", "DOC-1 is done", ["DOC-1"]],
    ["in any case", "doc-1 Doc-2", ["doc-1", "Doc-2"]],
    [
      "after a space, bracket, quote or line break",
      '(DOC-1) "DOC-2"\nDOC-3',
      ["DOC-1", "DOC-2", "DOC-3"],
    ],
    [
      "before punctuation and a dash",
      "DOC-1, DOC-2. DOC-3! DOC-4-draft",
      ["DOC-1", "DOC-2", "DOC-3", "DOC-4"],
    ],
    ["with all of its digits", "DOC-10 DOC-100", ["DOC-10", "DOC-100"]],
    ["with a prefix of two to six letters and digits", "AB-1 A1B2C3-1", ["AB-1", "A1B2C3-1"]],
    ["after code and a URL", `${tick}x${tick} DOC-1 https://x.org/y DOC-2`, ["DOC-1", "DOC-2"]],
    ["after a backtick without a partner", `${tick}DOC-1`, ["DOC-1"]],
    ["after a letter that is not of the Latin script and a space", "й DOC-1", ["DOC-1"]],
    ["repeatedly", "DOC-1 DOC-1", ["DOC-1", "DOC-1"]],
  ])("%s", (_, body, expected) => expect(referencesIn(body)).toEqual(expected));
});

describe("where a reference is none", () => {
  const fence = tick.repeat(3);
  test.each([
    [
      "after a letter, digit, underscore, dot, dash, @, slash or backslash",
      "éDOC-1 0DOC-1 _DOC-1 .DOC-1 -DOC-1 @DOC-1 /DOC-1 \\DOC-1",
    ],
    ["before a letter or a digit of another script", "DOC-1a DOC-1é DOC-1二 DOC-1٣"],
    ["with a prefix of one letter, of seven, or that begins with a digit", "A-1 ABCDEFG-1 1AB-1"],
    ["without a number, with one that begins with zero or below it", "DOC- DOC-0 DOC-01 DOC--1"],
    ["in inline code", `${tick}DOC-1${tick} ${tick}${tick}DOC-1 ${tick} x${tick}${tick}`],
    ["in a fence", `${fence}\nDOC-1\n${fence}\n~~~ts\nDOC-1\n~~~\n${fence}\nDOC-1`],
    ["in a URL", "https://x.org/DOC-1 x://DOC-1?a=DOC-2"],
  ])("%s", (_, body) => expect(referencesIn(body)).toEqual([]));
});

test("any text at all is read as the rules say", () => {
  const noise = fc.string({
    unit: fc.constantFrom(
      ..."`~@/\\:. \n\r-_10aBér".split(""),
      ...["AB-1", "ab1-20", "://", "```", "\n~~~", "-7"],
    ),
    maxLength: 60,
  });
  let found = 0;
  fc.assert(
    fc.property(noise, (body) => {
      const references = referencesIn(body);
      found += references.length;
      expect(references).toEqual(referencesByTheRules(body));
    }),
    tries(1500),
  );
  expect(found).toBeGreaterThan(100);
});

test("the worst texts of 32,768 characters take no longer than others", () => {
  for (const piece of "AB-1|AB-1 |AB-|a|1|-1|a1-1a |AB-1é|`|AB-1`|a://|~~~\nAB-1\n".split("|"))
    for (let time = 0; time < 10; time++)
      referencesIn(`AB-1 ${piece.repeat(32_768 / piece.length)}`.slice(0, 32_768));
  for (let time = 0; time < 10; time++) referencesIn(`AB-${"1".repeat(32_700)}é`);
}, 6000);

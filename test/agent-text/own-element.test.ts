import { expect, test } from "bun:test";
import { withoutElements } from "../../src/agent-text/own-element.ts";

test.each([
  "</service-message>",
  "<service-message board='x'>",
  "< / SERVICE-Message>",
  "<\u200b/service-message>",
  "</\u200bservice-message>",
  "<\u2060/service-message>",
  "</service\u00ad-message>",
  "</s\u200de\ufe0frvice-messag\u200be>",
  "\uff1c/service-message\uff1e",
  "\ufe64\uff0fservice-notice>",
  "</service\u2011message>",
  "</servi\u0441e-messag\u0435>",
  "<\u2215service-message>",
  "\u2039\u2044service\u2013message\u203a",
  "\uff1c\uff0f\uff53\uff45\uff52\uff56\uff49\uff43\uff45\uff0d\uff4d\uff45\uff53\uff53\uff41\uff47\uff45\uff1e",
  "</service-digest>",
  "<service-text>",
  "<\u0338/service-message>",
  "\u226e/service-message>",
  "</s\u0335e\u0301rvice-message>",
])("%j does not read as an element of ours", (text) => {
  const escaped = withoutElements(text);
  expect(escaped).toStartWith("&lt;");
  expect(escaped.slice("&lt;".length)).toBe(text.slice(1));
});

test.each([
  "a < b",
  "\u2039service\u203a",
  "<service>",
  "<b>service-message</b>",
  "\u200b<div>",
  "service-message",
  "1 \uff1c 2",
])("%j stays as it is", (text) => {
  expect(withoutElements(text)).toBe(text);
});

test("a text that almost is one costs what its length costs", () => {
  const blanks = "< \u200b".repeat(20_000) + "<" + " \u200b".repeat(100_000);
  expect(withoutElements(blanks)).toBe(blanks);
});

import { expect, test } from "bun:test";
import { errors } from "../../src/contract/errors/index.ts";
import { operationNamed, operationNames } from "../../src/contract/index.ts";
import { eventTypes } from "../../src/contract/log.ts";
import { eventsOfStreams } from "../../src/contract/streams.ts";
import { referencePage } from "../../src/server/http/documents/reference-page.ts";

const page = referencePage({ version: "1.2.3", url: "https://boards.example" });
const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

test("the page asks for nothing: no script, no image, no style sheet, no font", () => {
  expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|video|audio|form)\b/i);
  expect(page).not.toMatch(/\b(src|srcset|style|on\w+)="/i);
  expect(page).not.toMatch(/@import|url\(/i);
});

test("its links lead to places on the page, and to the document for programs", () => {
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(operationNames.length * 2);
  for (const link of new Set(links))
    if (link.startsWith("#")) expect(ids).toContain(link.slice(1));
    else expect(link).toBe("/v1/openapi.json");
});

test("no id is given twice", () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each([...operationNames])("it explains %s", (name) => {
  const { method, path, summary } = operationNamed(name);
  const [, section = ""] = page.split(`id="${name}"`);
  const text = section.slice(0, section.indexOf("</section>")).replaceAll("<wbr>", "");
  expect(text).toContain(summary.replaceAll("&", "&amp;"));
  expect(text).toContain(`>${method}</span>`);
  expect(text).toContain(path.replace(/:(\w+)/g, "{$1}"));
});

test("it explains every event and every error", () => {
  expect(ids).toEqual(
    expect.arrayContaining([
      ...Object.keys(eventTypes).map((type) => `log-events-${type}`),
      ...Object.keys(eventsOfStreams.stream).map((name) => `stream-events-${name}`),
      ...Object.keys(eventsOfStreams.streamInbox).map((name) => `inbox-events-${name}`),
      ...Object.keys(errors).map((name) => `error-${name}`),
    ]),
  );
});

test("what comes from outside is escaped", () => {
  const hostile = referencePage({ version: "<hostile", url: "https://x/<hostile" });
  expect(hostile).toContain("&lt;hostile");
  expect(hostile).not.toContain("<hostile");
});

test("headings go down one step at a time", () => {
  const main = page.slice(page.indexOf("<main"));
  const levels = [...main.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  let before = 1;
  for (const level of levels) {
    expect(level).toBeLessThanOrEqual(before + 1);
    before = level;
  }
});

import { describe, expect, test } from "bun:test";
import { errors } from "../../src/contract/errors/index.ts";
import { operationNamed, operationNames } from "../../src/contract/index.ts";
import { eventTypes } from "../../src/contract/log.ts";
import { eventsOfStreams } from "../../src/contract/streams.ts";
import { programTargets } from "../../src/contract/programs.ts";
import { joinPage } from "../../src/server/http/documents/invitation-page.ts";
import { missingPage, startPage } from "../../src/server/http/documents/plain-pages.ts";
import { referenceIndex } from "../../src/server/http/documents/reference-index.ts";
import { pageAddress, pageNames } from "../../src/server/http/page-names.ts";
import { referencePage } from "../../src/server/http/documents/reference-page.ts";
import { idsOf, linksOf, misnested } from "../support/page-checks.ts";

const server = { version: "1.2.3", url: "https://boards.example" };
const offered = programTargets.map((target) => ({
  target,
  path: "/srv/programs",
  size: 1,
  sha256: "0".repeat(64),
}));
const reference = new Map<string, string>([
  ["/docs", referenceIndex(server)],
  ...pageNames.map((page) => [pageAddress(page), referencePage(page)] as const),
]);
const pages = new Map<string, string>([
  ...reference,
  ["/start", startPage({ ...server, mode: "team" }, [])],
  ["/start of one machine", startPage({ ...server, mode: "local" }, [])],
  ["/start with programs", startPage({ ...server, mode: "team" }, offered)],
  ["/start/invitation", joinPage(server, [])],
  ["/start/invitation with programs", joinPage(server, offered)],
  ["nothing", missingPage()],
]);
const pageOf = (address: string): string => pages.get(address)!;

describe.each([...pages.keys()])("the page %s", (address) => {
  const page = pageOf(address);

  test("asks for nothing: no script, no image, no style sheet, no font, no form", () => {
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|video|audio|form)\b/i);
    expect(page).not.toMatch(/\b(src|srcset|style|on\w+)="/i);
    expect(page).not.toMatch(/@import|url\(/i);
  });

  test("takes at most 120 KB", () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(120_000);
  });

  test("closes what it opens, in order, and gives no id twice", () => {
    expect(page).toStartWith("<!doctype html>");
    expect(misnested(page)).toEqual([]);
    const ids = idsOf(page);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("links to places that are there", () => {
    for (const link of linksOf(page)) {
      const [to = "", id] = link.split("#");
      // The document for programs, and the board view.
      if (link === "/v1/openapi.json" || link === "/") continue;
      const target = pageOf(to || address);
      expect(`${link} ${target !== undefined}`).toBe(`${link} true`);
      if (id !== undefined) expect(idsOf(target)).toContain(id);
    }
  });

  test("has headings that go down one step at a time", () => {
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    expect(levels.filter((level) => level === 1)).toEqual([1]);
    levels.reduce((before, level) => {
      expect(level).toBeLessThanOrEqual(before + 1);
      return level;
    }, 0);
  });
});

describe.each([...reference.keys()])("from %s", (address) => {
  test("every page of the reference is one click away", () => {
    const links = linksOf(pageOf(address));
    expect([...reference.keys()].filter((each) => !links.includes(each))).toEqual([]);
  });
});

test("the pages say everything: every tag of the table has one", () => {
  const tags = new Set(operationNames.map((name) => operationNamed(name).tag));
  expect([...tags].filter((tag) => !pageNames.includes(tag))).toEqual([]);
});

test.each([...operationNames])("the index leads to %s, and its page explains it", (name) => {
  const { method, path, summary, tag } = operationNamed(name);
  const shown = summary.replaceAll("&", "&amp;");
  const written = path.replace(/:(\w+)/g, "{$1}");
  const entry = pageOf("/docs").split(`id="${name}"`)[1]!.split("</div>")[0]!;
  for (const part of [shown, `>${method}</span>`, written, `href="/docs/${tag}#${name}"`])
    expect(entry.replaceAll("<wbr>", "")).toContain(part);
  const section = pageOf(`/docs/${tag}`).split(`id="${name}"`)[1]!.split("</section>")[0]!;
  for (const part of [shown, `>${method}</span>`, written])
    expect(section.replaceAll("<wbr>", "")).toContain(part);
});

test("they explain every event and every error", () => {
  expect(idsOf(pageOf("/docs/events"))).toEqual(
    expect.arrayContaining([
      ...Object.keys(eventTypes()).map((type) => `log-events-${type}`),
      ...Object.keys(eventsOfStreams.stream).map((name) => `stream-events-${name}`),
      ...Object.keys(eventsOfStreams.streamInbox).map((name) => `inbox-events-${name}`),
    ]),
  );
  expect(idsOf(pageOf("/docs/errors"))).toEqual(
    expect.arrayContaining(Object.keys(errors).map((name) => `error-${name}`)),
  );
});

test("what comes from outside is escaped", () => {
  const hostile = { version: "<hostile", url: "https://x/<hostile", mode: "team" as const };
  for (const page of [
    referenceIndex(hostile),
    startPage(hostile, offered),
    joinPage(hostile, offered),
  ]) {
    expect(page).toContain("&lt;hostile");
    expect(page).not.toContain("<hostile");
  }
});

import { existsSync, readFileSync } from "node:fs";

/** What the test runner wrote of a test. A hook that failed is a test without a name. */
export interface Result {
  readonly file: string;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it failed. */
  readonly why: string;
}

const folder = "dist/test-results";
/** Where the results of a kind of tests are: `suite`, `system`, `web`, `harnesses`. */
export const fileOf = (kind: string): string => `${folder}/${kind}.xml`;
/** Where the results of its tests are that ran again. */
export const againOf = (kind: string): string => fileOf(`${kind}-again`);

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const plain = (text: string): string =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (all, code?: string, name?: string) =>
    code ? String.fromCodePoint(Number(code)) : (entities[name!] ?? all),
  );

/** Reads the results in a file of the test runner. Null if there is none, or none that is whole. */
export function resultsIn(path: string): Result[] | null {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (!text.includes("</testsuites>")) return null;
  const tests = text.matchAll(/<testcase ([^>]*?)(?:\/>|>([^]*?)<\/testcase>)/g);
  return [...tests].map(([, head = "", body = ""]) => {
    const of = (name: string, from = head): string =>
      plain(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(from)?.[1] ?? "");
    const failure = /<(?:failure|error)\b[^>]*>/.exec(body)?.[0];
    return {
      ...{ file: of("file"), name: of("name") },
      outcome: failure ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
      why: failure ? of("message", failure) : "",
    };
  });
}

/**
 * `bun docs/harnesses.ts` writes into harnesses.md what the last run of `npm run test:harnesses` has shown. Columns of harnesses
 * that did not run stay as they are.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeProfile } from "../src/client/harnesses/claude-code.ts";
import { codexProfile } from "../src/client/harnesses/codex.ts";
import { opencodeProfile } from "../src/client/harnesses/opencode.ts";
import type { HarnessProfile } from "../src/client/harnesses/profile.ts";
import {
  capabilities,
  factsFile,
  type Capability,
  type Fact,
} from "../test/harnesses/support/capability-list.ts";
import { versionOf, type Package } from "../test/harnesses/support/programs.ts";

/** The page with the table. */
export const harnessesPage = join(import.meta.dir, "harnesses.md");

/** The packages of the harnesses, in the order of the table's columns. */
export const columns: readonly (readonly [Package, HarnessProfile])[] = [
  ["@anthropic-ai/claude-code", claudeCodeProfile],
  ["@openai/codex", codexProfile],
  ["opencode-ai", opencodeProfile],
];

/** What a cell says: shown, shown to fail, or never tried. */
export type Cell = "yes" | "no" | "–";
/** The cells of the table by capability, a column after another. */
export type Table = ReadonlyMap<Capability, readonly Cell[]>;

const names = Object.keys(capabilities) as Capability[];

/** The header of a column. */
export const headerOf = ([name, profile]: (typeof columns)[number]): string =>
  `${profile.name} ${versionOf(name)}`;

/** The rows of a page as texts: the header first. */
export const rowsOf = (page: string): string[][] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\| *-/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The table of a page. A column with another version than the list of programs has counts as never tried. */
export function tableIn(page: string): Table {
  const [header = [], ...rows] = rowsOf(page);
  const places = columns.map((column) => header.indexOf(headerOf(column)));
  return new Map(
    names.map((name) => {
      const row = rows.find(([first]) => first === capabilities[name]) ?? [];
      return [name, places.map((place) => (row[place] ?? "–") as Cell)];
    }),
  );
}

/** The table after a run. A capability is shown if every test of it passed. */
export function tableAfter(before: Table, facts: readonly Fact[]): Table {
  const cellOf = (name: Capability, column: number): Cell => {
    const [harness] = columns[column]!;
    const shown = facts.filter((fact) => fact.harness === harness);
    const own = shown.filter((fact) => fact.capability === name);
    if (own.length === 0) return before.get(name)![column]!;
    return own.every(({ passed }) => passed) ? "yes" : "no";
  };
  return new Map(names.map((name) => [name, columns.map((_, column) => cellOf(name, column))]));
}

function tableText(table: Table): string {
  const rows = [
    ["What delivery has to do", ...columns.map(headerOf)],
    ...[...table].map(([name, cells]) => [capabilities[name], ...cells]),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at]!, fill)).join(" | ")} |`;
  const [header = [], ...rest] = rows;
  const lines = [
    line(header),
    line(
      header.map(() => ""),
      "-",
    ),
    ...rest.map((row) => line(row)),
  ];
  return lines.join("\n");
}

if (import.meta.main) {
  const page = readFileSync(harnessesPage, "utf8");
  const lines = existsSync(factsFile) ? readFileSync(factsFile, "utf8").trim().split("\n") : [];
  const facts = lines.map((line) => JSON.parse(line) as Fact);
  const text = tableText(tableAfter(tableIn(page), facts));
  const [before = "", after = ""] = page.split(/(?:^\|.*\n)+/m);
  writeFileSync(harnessesPage, `${before}${text}\n${after}`);
}

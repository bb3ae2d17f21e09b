import { figure, verdictOf, type Row, type Section, type Table, type Verdict } from "./figures.ts";

/** Everything that a run publishes. */
export interface Results {
  machine: [string, string][];
  runs: number;
  minutes: number;
  sections: Section[];
  /** A profile for each work of which a target was missed: its name and the profiler's text. */
  profiles: { name: string; text: string }[];
}

const rowHead = ["what", "median", "beside", "ratio", "middle half of the runs", "target", ""];

const goal = ({ target }: Row, unit: string) =>
  target ? `at ${target.at} ${target.bound}${target.of === "value" ? ` ${unit}` : ""}` : "";

const spreadOf = ({ ratio, spread: [lower, upper] }: Row): string =>
  ratio === undefined
    ? `${figure(lower)} to ${figure(upper)}`
    : `${lower.toFixed(3)} to ${upper.toFixed(3)}`;

const cells = (row: Row): string[] => [
  row.what,
  `${figure(row.value)} ${row.unit}`,
  row.against ? `${row.against.what}: ${figure(row.against.value)} ${row.unit}` : "",
  row.ratio === undefined ? "" : row.ratio.toFixed(3),
  spreadOf(row),
  goal(row, row.unit),
  verdictOf(row) ?? "",
];

const tablesOf = (section: Section): Table[] => [
  ...(section.rows.length ? [{ head: rowHead, rows: section.rows.map(cells) }] : []),
  ...(section.table ? [section.table] : []),
];

/** The tables of a part for a terminal. */
export function terminalText(section: Section): string {
  return [section.title, ...tablesOf(section).map(aligned)].join("\n\n");
}

function aligned({ head, rows }: Table): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A table in Markdown. */
export const markdownTable = ({ head, rows }: Table) =>
  [head, head.map(() => "---"), ...rows].map((line) => `| ${line.join(" | ")} |`).join("\n");

/** The page of results. */
export function resultsPage(results: Results): string {
  const { machine, runs, minutes, sections, profiles } = results;
  const targets = sections.flatMap(({ rows }) => rows).filter(({ target }) => target);
  const count = (verdict: Verdict) => targets.filter((row) => verdictOf(row) === verdict).length;
  return `# Results

Written by \`bun run bench\`: one run on one machine, ${minutes.toFixed(0)} minutes, each figure the median of ${runs} alternating
runs; a ratio is the median of the runs' own ratios. \`bench/README.md\` says how to repeat it.

${markdownTable({ head: ["machine", ""], rows: machine })}

## Targets

${count("reached")} of ${targets.length} reached, ${count("MISSED")} missed. The medians of ${count("within the spread")} are off their targets by less than
the runs differ among themselves: the better end of the middle half reaches the target.

${markdownTable({ head: rowHead, rows: targets.map(cells) })}

${sections.map(sectionText).join("\n\n")}
${profiles.map(profileText).join("")}`;
}

function sectionText(section: Section): string {
  const notes = section.definitions.map((definition) => `- ${definition}`).join("\n");
  const plot = section.title === "Ladder" ? ["![Ladder](ladder.svg)"] : [];
  const tables = tablesOf(section).map(markdownTable);
  return [`## ${section.title}`, notes, ...tables, ...plot].join("\n\n");
}

const profileText = ({ name, text }: Results["profiles"][number]) =>
  `\n## Profile: ${name}\n\nA target of this work was missed. ${text}\n`;

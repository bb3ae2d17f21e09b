import type { OutputOf } from "../../contract/index.ts";
import { bold } from "../terminal/style.ts";
import { size } from "../terminal/size-text.ts";
import { columns } from "../terminal/table.ts";
import { span, when } from "../terminal/time-text.ts";

type Numbers = OutputOf<"getNumbers">;

/** How many operations are listed: those that took most time. */
const mostOperations = 15;

/** The figures of a server as tables. */
export function numbersText(url: string, numbers: Numbers): string {
  const { figures, requests, commits, at, started_at: startedAt, counted_at: countedAt } = numbers;
  const up = span(Date.parse(at) - Date.parse(startedAt));
  return [
    `${bold(`Figures of ${url}`)}, started ${when(startedAt)}, ${up} ago`,
    columns([
      ...figures.map(({ name, about, value }) => [name, valueText(name, value), about]),
      ["commits_total", whole(commits.count), `Commits to the disk, ${mean(commits)} each`],
    ]),
    ...(countedAt === null ? ["What only the tables know is being counted. Ask again."] : []),
    ...(requests.length ? [`\n${bold("Requests")}`, columns(requestRows(requests))] : []),
  ].join("\n");
}

/** Operations with the time that they took together, the most first. */
function requestRows(requests: Numbers["requests"]): string[][] {
  const rows = requests.toSorted((one, other) => other.seconds - one.seconds);
  return [
    ["operation", "status", "answered", "mean"],
    ...rows
      .slice(0, mostOperations)
      .map((row) => [row.operation ?? "none", row.status, whole(row.count), mean(row)]),
    ...(rows.length > mostOperations ? [[`and ${rows.length - mostOperations} more`]] : []),
  ];
}

const mean = ({ count, seconds }: { readonly count: number; readonly seconds: number }): string =>
  count === 0 ? "0 ms" : durationText(seconds / count);

function valueText(name: string, value: number): string {
  if (name.endsWith("_bytes")) return size(value);
  if (name.endsWith("_seconds")) return durationText(value);
  return whole(value);
}

const durationText = (seconds: number): string =>
  seconds < 1 ? `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms` : span(seconds * 1000);

const whole = (value: number): string => value.toLocaleString("en-US");

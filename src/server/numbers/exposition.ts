import { durationBounds, type Durations } from "../../db/engine/durations.ts";
import type { ServerNumbers } from "./numbers.ts";

/** The build, as Prometheus shows it. */
export interface Build {
  readonly version: string;
  readonly commit?: string;
}

/** Figures in the text format of Prometheus. */
export function exposition(numbers: ServerNumbers, { version, commit = "" }: Build): string {
  const { figures, started_at: startedAt } = numbers.now();
  const { requests, commits } = numbers.durations();
  return [
    ...figures.flatMap(({ name, kind, about, value }) => [
      ...head(name, kind, about),
      `service_${name} ${value}`,
    ]),
    ...head("request_duration_seconds", "histogram", "Answered requests by operation and status"),
    ...requests.flatMap((answered) =>
      histogram(
        "request_duration_seconds",
        `operation="${answered.operation ?? "none"}",status="${answered.status}"`,
        answered,
      ),
    ),
    ...head("commit_duration_seconds", "histogram", "Commits to the disk"),
    ...histogram("commit_duration_seconds", "", commits),
    ...head("start_time_seconds", "gauge", "When the server was started"),
    `service_start_time_seconds ${Date.parse(startedAt) / 1000}`,
    ...head("build_info", "gauge", "The program that runs"),
    `service_build_info{version=${JSON.stringify(version)},commit=${JSON.stringify(commit)}} 1`,
    "",
  ].join("\n");
}

const head = (name: string, type: string, about: string): string[] => [
  `# HELP service_${name} ${about}.`,
  `# TYPE service_${name} ${type}`,
];

function histogram(name: string, labels: string, { counts, count, seconds }: Durations): string[] {
  const among = labels ? `{${labels}}` : "";
  let upTo = 0;
  return [
    ...durationBounds.map((bound, at) => {
      upTo += counts[at]!;
      return `service_${name}_bucket{${labels}${labels && ","}le="${bound}"} ${upTo}`;
    }),
    `service_${name}_bucket{${labels}${labels && ","}le="+Inf"} ${count}`,
    `service_${name}_sum${among} ${seconds}`,
    `service_${name}_count${among} ${count}`,
  ];
}

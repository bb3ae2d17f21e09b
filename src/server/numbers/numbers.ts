import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OperationName, OutputOf } from "../../contract/index.ts";
import type { Db } from "../../db/engine/database.ts";
import type { Durations } from "../../db/engine/durations.ts";
import type { Backups, Numbers } from "../handler.ts";
import { watchEventLoop } from "./event-loop.ts";
import { createRequestCounts, type Answered } from "./request-counts.ts";
import { countTables, type TableCounts } from "./table-counts.ts";

type Figure = OutputOf<"getNumbers">["figures"][number];

/** The figures of a server, with what counts them. No figure names a board, a person, an agent or a path. */
export interface ServerNumbers extends Numbers {
  /** Counts an answered request. It costs some 200 ns. */
  answered(operation: OperationName | null, status: number, milliseconds: number): void;
  /** How long requests and commits took. */
  durations(): { readonly requests: readonly Answered[]; readonly commits: Durations };
  stop(): void;
}

/** What the figures are about, each looked at when it is asked for. */
export interface Measured {
  readonly db: Db;
  readonly streams: { readonly count: number };
  readonly inboxStreams: { readonly count: number };
  readonly hub: { readonly waiting: number };
  readonly backups: Pick<Backups, "list">;
  /** Null for a database in memory: it has no files. */
  readonly dataFolder: string | null;
  clock(): Date;
  /** Gets the error of a count that failed. The counts before it stay. */
  complain(error: Error): void;
}

/** How long the counts of the tables are good, in milliseconds. */
const countedMs = 60_000;

/** Makes the figures of a server, from its start on. */
export function createNumbers(measured: Measured): ServerNumbers {
  const { db, clock, complain } = measured;
  const startedAt = clock().toISOString();
  const requests = createRequestCounts();
  const eventLoop = watchEventLoop();
  let posts = 0;
  db.onCommit((signals) => {
    for (const { about } of signals) if (about === "message") posts++;
  });
  let counted: { readonly at: Date; readonly writes: number; readonly tables: TableCounts } | null =
    null;
  let counting: Promise<void> | null = null;
  let stopped = false;

  async function countNow(): Promise<void> {
    const { writes } = db.counters;
    const tables = await countTables(db);
    counted = { at: clock(), writes, tables };
  }

  return {
    answered: requests.add,
    now: () => ({
      started_at: startedAt,
      counted_at: counted?.at.toISOString() ?? null,
      figures: [
        figure("posts_total", "counter", "Messages that were posted", posts),
        figure(
          "commit_writes_total",
          "counter",
          "Writes that were committed, several in one commit under load",
          db.counters.writes,
        ),
        figure("rate_limited_total", "counter", "Requests that a limit refused", requests.limited),
        ...lookedAt(measured),
        figure(
          "event_loop_delay_seconds",
          "gauge",
          "Longest time that work waited for its turn, in the last minute",
          eventLoop.worst(),
        ),
        ...(counted === null ? [] : countedFigures(counted.tables)),
      ],
      requests: requests.all().map(({ operation, status, count, seconds }) => ({
        operation,
        status,
        count,
        seconds,
      })),
      commits: { count: db.counters.commitTimes.count, seconds: db.counters.commitTimes.seconds },
    }),
    durations: () => ({ requests: requests.all(), commits: db.counters.commitTimes }),
    count() {
      const good =
        counted !== null &&
        (counted.writes === db.counters.writes || +clock() - +counted.at < countedMs);
      if (!good)
        counting ??= countNow()
          .catch((error: Error) => {
            if (!stopped) complain(error);
          })
          .finally(() => (counting = null));
      return counting ?? Promise.resolve();
    },
    stop() {
      stopped = true;
      eventLoop.stop();
    },
  };
}

/** Figures that are what they are at this moment. */
function lookedAt(measured: Measured): Figure[] {
  const { streams, inboxStreams, hub } = measured;
  return [
    figure("open_streams", "gauge", "Open streams of events", streams.count + inboxStreams.count),
    figure("waiting_requests", "gauge", "Requests that wait for something new", hub.waiting),
    ...(measured.dataFolder === null ? [] : filesOf(measured.dataFolder)),
    ...backupAge(measured),
    figure("memory_bytes", "gauge", "Resident memory of the process", process.memoryUsage.rss()),
  ];
}

function filesOf(dataFolder: string): Figure[] {
  const base = join(dataFolder, "service.db");
  const { bavail, bsize } = statfsSync(dataFolder);
  return [
    figure("database_bytes", "gauge", "Size of the database", sizeOf(base)),
    figure("wal_bytes", "gauge", "Size of its write-ahead log", sizeOf(`${base}-wal`)),
    figure("disk_free_bytes", "gauge", "Free space on the disk of the data", bavail * bsize),
  ];
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** How old the newest backup is. Nothing if there is none; one of the future is of a clock that was wrong, and is none. */
function backupAge({ backups, clock }: Measured): Figure[] {
  const taken = backups
    .list()
    .flatMap(({ state, taken_at }) =>
      state === "done" && taken_at !== null ? [Date.parse(taken_at)] : [],
    );
  const age = Math.min(...taken.map((at) => (+clock() - at) / 1000).filter((each) => each >= 0));
  if (age === Infinity) return [];
  return [figure("backup_age_seconds", "gauge", "Age of the newest backup", age)];
}

const countedFigures = (tables: TableCounts): Figure[] => [
  figure("asks_open", "gauge", "Asks that wait for an answer", tables.asksOpen),
  figure("seats_with_unread", "gauge", "Agents with unread messages", tables.seatsWithUnread),
  figure(
    "deliveries_waiting",
    "gauge",
    "Messages that delivery daemons hold for their agents",
    tables.deliveriesWaiting,
  ),
  figure("files_bytes", "gauge", "Size of the files' bytes, each once", tables.fileBytes),
];

const figure = (name: string, kind: Figure["kind"], about: string, value: number): Figure => ({
  name,
  kind,
  about,
  value,
});
